"""Methods that a class leaves to those below it: whose definition runs."""

import pytest

from tests.ops.tensorflow.small_tree import ops_of, side

ABSTRACT = """
import abc
class Base:
  def __init__(self): pass
  def read(self):
    "What it says."
    raise NotImplementedError("below")
  @abc.abstractmethod
  def write(self): pass
  def twice(self): return self.read()
  def plain(self): return 1
class Middle(Base): pass
class Lower(Middle):
  def read(self): return gen_array_ops.halve(1)
class Other(Base):
  def read(self): return gen_array_ops.shape(1)
  def write(self): return gen_array_ops.halve(1)
class Bare(metaclass=abc.ABCMeta):
  @abc.abstractmethod
  def get(self): raise NotImplementedError()
def ask(given): return given.get()
class Full(Bare):
  def get(self): return gen_array_ops.shape(1)
  def __init__(self): gen_array_ops.halve(1)
"""


@pytest.mark.parametrize(
    ("name", "ops"),
    [
        ("Base.read", {"Halve", "Shape"}),
        ("Base.twice", {"Halve", "Shape"}),
        ("Base.write", {"Halve"}),
        ("Base.plain", set()),
        ("Lower.read", {"Halve"}),
        ("Bare", {"Halve"}),
        ("ask", {"Shape"}),
        ("Base", set()),
    ],
)
def test_an_abstract_method_is_what_the_classes_below_define(name: str, ops: set[str]) -> None:
    assert ops_of(ABSTRACT, name) == ops


def test_a_method_runs_for_the_class_that_has_the_public_name() -> None:
    text = "from tensorflow.python.ops import gen_array_ops\nfrom tensorflow.python.util.tf_export import tf_export\n"
    made = side(
        tensorflow__python__ops__more_ops=text
        + ABSTRACT.replace("class Other", '@tf_export("Other")\nclass Other').replace(
            "class Base", '@tf_export("Base")\nclass Base'
        )
    )
    found = {name: made.exports.find(name)[0] for name in ("tf.Base.twice", "tf.Other.twice")}
    ops = {name: {use.op for use in made.uses(each, name)} - {"Const"} for name, each in found.items()}
    assert ops == {"tf.Base.twice": {"Halve", "Shape"}, "tf.Other.twice": {"Shape"}}


def test_a_value_that_is_called_is_not_every_class_of_its_file() -> None:
    text = """\
from tensorflow.python.framework import kinds
from tensorflow.python.ops import gen_array_ops
class Initializer:
  def __call__(self): raise NotImplementedError
class Zeros(Initializer):
  def __init__(self, kind): self.kind = kinds.as_kind(kind)
  def __call__(self): return gen_array_ops.shape(1)
def f(x): return Zeros(x).kind
"""
    kinds = "def as_kind(x):\n  return x\n"
    made = side(tensorflow__python__ops__more_ops=text, tensorflow__python__framework__kinds=kinds)
    assert made.walker.walk(made.exports.find("more_ops.f")[0].symbol).found == {}
