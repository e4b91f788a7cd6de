"""The walk from a function to the ops that it makes."""

import pytest

from bzlgraph.ops.model import OpUse
from bzlgraph.ops.tensorflow.headlines import main_ops
from tests.ops.tensorflow.small_tree import side


def uses(name: str) -> list[OpUse]:
    made = side()
    return made.uses(made.exports.find(name)[0], name)


@pytest.mark.parametrize(
    ("name", "ops"),
    [
        # A wrapper, a helper in another module, operators on tensors, a list with a tensor in it; never the sparse way.
        ("tf.nn.blur", ["Blur2D", "Shape", "StridedSlice", "Mul", "Pack", "Reshape", "Const"]),
        ("tf.nn.sharpen", ["Sharpen", "Const"]),  # given to a function that makes the function
        ("tf.halve", ["Const", "Halve"]),  # a graph is never eager
        (
            "tf.layers.Blur",
            ["Blur2D", "Shape", "StridedSlice", "Mul", "Pack", "Reshape", "Const"],
        ),  # what a value does when called
        (
            "tf.layers.blur",
            ["Blur2D", "Shape", "StridedSlice", "Mul", "Pack", "Reshape", "Const"],
        ),  # through the receiver's class
        ("tf.raw_ops.Sharpen", ["Sharpen"]),
    ],
)
def test_ops_of_a_function(name: str, ops: list[str]) -> None:
    assert sorted(use.op for use in uses(name)) == sorted(ops)


@pytest.mark.parametrize(("major", "ops"), [(1, {"Sharpen", "Halve"}), (2, {"Halve"})])
def test_control_flow_of_2_x_is_decided_in_2_x_only(major: int, ops: set[str]) -> None:
    text = (
        "from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n"
        "def pick(x):\n"
        "  if util.EnableControlFlowV2(graph):\n"
        "    return gen_array_ops.halve(x)\n"
        "  return gen_nn_ops.sharpen(x)\n"
    )
    made = side(tensorflow__python__ops__more_ops=text)
    made.source.contents["tensorflow/core/public/version.h"] = b"#define TF_MAJOR_VERSION %d\n" % major  # type: ignore[attr-defined]
    found = made.walker.uses(made.exports.find("more_ops.pick")[0].symbol, implied=False)
    assert {use.op for use in found} == ops


def test_branches_for_sparse_tensors_count_for_who_asks_for_them() -> None:
    assert "SparseWiden" in [use.op for use in uses("array_ops.widen")]


def test_the_way_is_told() -> None:
    (first, second, *_) = uses("tf.nn.blur")
    assert (first.op, first.generated, first.depth, first.certain) == ("Blur2D", "gen_nn_ops.blur2d", 1, True)
    assert [step.name for step in first.steps] == ["nn_ops.blur"]
    assert (first.location.path, first.location.line) == ("tensorflow/python/ops/nn_ops.py", 21)
    assert (second.depth, second.certain) == (2, False)


def test_a_broken_file_is_a_gap_and_no_error() -> None:
    made = side()
    assert made.exports.find("tensorflow.python.ops.broken.half") == []
    (gap,) = made.all_gaps()
    assert gap.what == "tensorflow/python/ops/broken.py"
    assert "1" in gap.hides


def ops_of(text: str, name: str) -> set[str]:
    made = side(tensorflow__python__ops__more_ops=f"from tensorflow.python.ops import gen_array_ops\n{text}")
    return {use.op for use in made.walker.uses(made.exports.find(f"more_ops.{name}")[0].symbol, implied=False)}


@pytest.mark.parametrize(
    ("text", "ops"),
    [
        # What a caller gives is taken for tensors where it is asked for, and where it is handed on.
        ("def f(x, y):\n  return x * y\n", {"Mul"}),
        ("def g(x, y):\n  return x * y\ndef f(x):\n  return g(gen_array_ops.halve(x), 2)\n", {"Halve", "Mul"}),
        ("def g(x, y):\n  return x * y\ndef f(x):\n  return g(x, 2)\n", {"Mul"}),
        ("def g(x, y):\n  return x * y\ndef f(x):\n  return g(2, 3)\n", set()),
        # A class that a function gives is made and used; a value's fluent methods are of the class that began.
        (
            ("class Q:\n  def __init__(self): gen_array_ops.shape(1)\n  def take(self): return gen_array_ops.halve(1)\n"
            "def which(b):\n  return Q if b else None\ndef f(x):\n  q = which(x)()\n  return q.take()\n"),
            {"Shape", "Halve"},
        ),
        # A class whose name the branches of a module bind: its value is made, and its methods run.
        (
            ("class Q:\n  def __init__(self): gen_array_ops.shape(1)\n"
            "class R:\n  def __init__(self): gen_array_ops.pack(1)\n  def take(self): return gen_array_ops.halve(1)\n"
            "if v2():\n  C = Q\nelse:\n  C = R\ndef f(x):\n  return C(x).take()\n"),
            {"Shape", "Pack", "Halve"},
        ),
        (
            ("class D:\n  @staticmethod\n  def make(x): return gen_array_ops.shape(x)\n"
            "  def half(self): return gen_array_ops.halve(self)\ndef f(x):\n  return D.make(x).half()\n"),
            {"Shape", "Halve"},
        ),
        # super() is the base's method, for the value of the class below.
        (
            ("class A:\n  def call(self, x): return self.run(x)\n  def run(self, x): return 0\n"
            "class B(A):\n  def call(self, x): return super(B, self).call(x)\n"
            "  def run(self, x): return gen_array_ops.halve(x)\ndef f(x):\n  b = B()\n  return b.call(x)\n"),
            {"Halve"},
        ),
        ("def f(x):\n  return L()(x)\nclass L:\n  def __call__(self, x): return gen_array_ops.halve(x)\n", {"Halve"}),
    ],
)  # fmt: skip
def test_ways_to_an_op(text: str, ops: set[str]) -> None:
    assert ops_of(text, "f") == ops


BY_MODE = """
def by_mode(x, mode='a'):
  if mode == 'a':
    return gen_array_ops.shape(x)
  elif mode in ('b', 'c'):
    return gen_array_ops.halve(x)
  return x * 2

def on(x, mode):
  return by_mode(x, mode)

def by_flag(x, wide):
  if wide:
    pick = gen_array_ops.shape
  else:
    pick = gen_array_ops.halve
  return pick(x)

class Q:
  def __init__(self, x, handle=None):
    if handle is None:
      gen_array_ops.shape(x)

  def go(self, x, wide=False):
    return gen_array_ops.halve(x) if wide else x

def by_axis(x, axis=None):
  axis = _axis(axis)
  return _along(x, axis)

def _axis(axis):
  return gen_array_ops.shape(axis)

def _along(x, axis=None):
  return gen_array_ops.halve(x) if axis is None else x
"""


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("return by_mode(x)", {"Shape"}),
        ("return on(x, 'c')", {"Halve"}),
        ("return on(x, 'd')", {"Mul"}),
        ("return on(x, n())", {"Shape", "Halve", "Mul"}),
        ("return by_flag(x, True)", {"Shape"}),
        ("return by_flag(x, None)", {"Halve"}),
        ("return by_flag(x, wide=wide)", {"Shape", "Halve"}),
        ("return Q(x)", {"Shape"}),
        ("q = Q(x, op.inputs[0])\n  return q.go(x, True)", {"Halve"}),
        ("q = Q(x, handle=wide)\n  return q.go(x)", {"Shape"}),
        ("return by_axis(x)", {"Shape", "Halve"}),  # what a function gives may be None
    ],
)
def test_what_a_call_gives_decides(body: str, ops: set[str]) -> None:
    assert ops_of(f"{BY_MODE}\ndef f(x, op, wide):\n  {body}\n", "f") == ops


SCALED = """
def scaled(x, n, sizes):
  \"\"\"Scales.

  Args:
    x: A `Tensor` of numbers.
    n: An int or a `Tensor`.
    sizes: A list of ints, one for each dimension of the tensor.
  \"\"\"
  return {body}

def by(a, k=2):
  return a * k

def of(a, k):
  return by(-k, a)

def together(inputs):
  output = inputs[0]
  for i in range(1, len(inputs)):
    output *= inputs[i]
  return output

def widened(inputs, wide):
  if not isinstance(inputs, list):
    raise ValueError
  for each in inputs:
    wide = gen_array_ops.halve(each)
  return together(inputs)

def listed(x):
  made = [gen_array_ops.halve(x)]
  return together(made)

def mixed(x, n):
  made = [gen_array_ops.halve(x), n]
  return together(made)

def joined(x):
  dims = sizes_of(x)
  return dims[1:] + dims[:1]

def sizes_of(x):
  dims = x.shape.as_list()
  dims[0] = gen_array_ops.halve(x)
  return dims

def refilled(sizes, x):
  made = []
  for _ in sizes:
    made.append(gen_array_ops.halve(x))
  return together(made)

def without(inputs):
  return inputs[1:] * len(inputs)
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("x * 2", {"Mul": ""}),
        ("sizes * 2, sizes[0] * 2", {}),
        ("n * 2", {"Mul": "if n is a tensor"}),
        ("x * n", {"Mul": ""}),  # a tensor and anything
        ("by(3)", {}),
        ("by(sizes[0] + 1, k=len(sizes)), gen_array_ops.halve(x)", {"Halve": ""}),
        ("by(gen_array_ops.halve(x))", {"Halve": "", "Mul": ""}),
        ("by(x + 1)", {"Mul": ""}),
        ("by(n, x)", {"Mul": ""}),
        ("by(n)", {"Mul": "if a or k is a tensor"}),
        ("of(2, x)", {"Mul": ""}),
        ("of(2, n)", {"Mul": "if a or k is a tensor"}),
        ("together(x)", {"Mul": ""}),
        ("together(n)", {"Mul": "if a member of inputs is a tensor"}),
        ("listed(x)", {"Halve": "", "Mul": ""}),
        ("mixed(x, n)", {"Halve": "", "Mul": "if a member of inputs is a tensor"}),
        ("joined(x)", {"Halve": ""}),
        ("refilled(sizes, x), refilled(sizes, n)", {"Halve": "", "Mul": ""}),
        ("widened(n, n)", {"Halve": "", "Mul": ""}),  # what is halved one by one are tensors
        ("refilled(sizes, x)", {"Halve": "", "Mul": ""}),
        ("together(sizes)", {}),
        ("without(x)", {}),
        ("by(n), by(x)", {"Mul": ""}),  # known by one way is known
    ],
)
def test_an_operator_makes_an_op_where_it_works_on_a_tensor(body: str, found: dict[str, str]) -> None:
    text = f"from tensorflow.python.ops import gen_array_ops\n{SCALED.format(body=body)}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = made.walker.uses(made.exports.find("more_ops.scaled")[0].symbol, implied=False)
    assert {use.op: use.conditions[0].text if use.possible else "" for use in uses} == found


def test_whole_numbers_decide_as_texts_do() -> None:
    text = "def g(x, n=2):\n  return gen_array_ops.halve(x) if n == {n} else gen_array_ops.shape(x)\n"
    calls = {
        "g(x)": {"Halve"},
        "g(x, 3)": {"Shape"},
        "g(x, m())": {"Halve", "Shape"},
        "g(x, m() + 1)": {"Halve", "Shape"},
    }
    assert {call: ops_of(f"{text.format(n=2)}def f(x):\n  return {call}\n", "f") for call in calls} == calls
    ordered = text.replace("n == {n}", "n >= {n}").format(n=3)
    assert ops_of(f"{ordered}def f(x):\n  return g(x, 4)\n", "f") == {"Halve", "Shape"}


SEVERAL = """
py_all = all

def all(x):
  return gen_array_ops.shape(x)

def cut(x):
  return gen_array_ops.cut(x)

def both(x):
  return gen_array_ops.halve(x), x

def along(x, axis=-1):
  if axis < 0:
    axis %= rank(x)
  return run(axis, gen_array_ops.halve(x))

def run(axis, x):
  return sharpen_ops.sharpen(axis, x)

def renamed(x, wide=None, broad=None):
  wide = deprecation.deprecated_argument_lookup("wide", wide, "broad", broad)
  return gen_array_ops.halve(x) if wide else gen_array_ops.shape(x)
"""


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("cut(x)[0]", {"Cut"}),  # an op with two outputs gives a tuple
        ("gen_array_ops.cut(x)[1]", {"Cut"}),
        ("both(x)[0]", {"Halve"}),
        ("gen_array_ops.halve(x)[0]", {"Halve", "StridedSlice"}),
        ("py_all(x)", set()),  # Python's own, above the function of that name
        ("all(x)", {"Shape"}),
        ("along(x, 1)", {"Halve"}),
        ("along(x, axis())", {"Halve"}),  # what is below 0 in a test is no tensor
        ("renamed(x)", {"Shape"}),
        ("renamed(x, broad=True)", {"Halve", "Shape"}),
    ],
)
def test_what_is_no_single_tensor_makes_no_op(body: str, ops: set[str]) -> None:
    assert ops_of(f"{SEVERAL}\ndef f(x):\n  return {body}\n", "f") == ops


def test_a_branch_that_is_decided_gives_no_value() -> None:
    text = """
class A:
  def read(self): return gen_array_ops.shape(1)

class B:
  def read(self): return gen_array_ops.halve(1)

class C:
  def __init__(self):
    if context.executing_eagerly():
      kind = A
    else:
      kind = B
    self._held = kind()

  def read(self): return self._held.read()

def f(x):
  c = C()
  return c.read()
"""
    assert ops_of(text, "f") == {"Halve"}


def test_texts_are_split_too() -> None:
    assert ops_of("def f(op):\n  parts = op.name.split('/')\n  return parts[0] + parts[1]\n", "f") == set()


@pytest.mark.parametrize(
    "body",
    [
        "warn('no %s' % x)",
        "raise_(f'{x}' + x)",
        "dims = sorted(x)\n  return dims[-1] + 1",
        "x = tuple(x)\n  return x[0] * 2",
        "y = x[0:1, 0]\n  if y < 2: raise_()",
        "some = [g(each) for each in x]\n  return some + x[1:, 0] + x",
    ],
)
def test_values_of_python_make_no_op(body: str) -> None:
    assert ops_of(f"def f(x):\n  {body}\n", "f") <= {"StridedSlice"}


def test_what_follows_a_return_in_a_with_statement_may_not_happen() -> None:
    text = """
def f(x):
  with scope():
    if x.small:
      return gen_array_ops.halve(x)
    return gen_array_ops.shape(x)
"""
    made = side(tensorflow__python__ops__more_ops=f"from tensorflow.python.ops import gen_array_ops\n{text}")
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op: use.certain for use in found} == {"Halve": False, "Shape": False}


def test_a_private_function_of_the_file_may_tell_sparse_tensors_apart() -> None:
    text = """
def {name}(x):
  if isinstance(x, SparseTensor):
    return gen_array_ops.sparse_widen(x)
  return gen_array_ops.halve(x)

def f(x):
  return {name}(x)
"""
    assert ops_of(text.format(name="_told"), "f") == {"SparseWiden", "Halve"}
    assert ops_of(text.format(name="told"), "f") == {"Halve"}


def test_circles_end() -> None:
    made = side(
        tensorflow__python__ops__a_ops="from tensorflow.python.ops.b_ops import *\ndef f(x):\n  return g(x)\n",
        tensorflow__python__ops__b_ops="from tensorflow.python.ops.a_ops import *\ndef g(x):\n  return f(x)\n",
    )
    (found,) = made.exports.find("a_ops.f")
    assert made.walker.uses(found.symbol) == []
    assert made.resolver.resolve("tensorflow/python/ops/a_ops.py", "nowhere") is None


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


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("import os\ndef f(x):\n  return len(os.path.split(x)[0])\n", []),
        ("def f(x):\n  return x.ready()\n", ["x.ready"]),
        ("from tensorflow.python.eager import context\ndef f(x):\n  return context.ask(x)\n", ["context.ask"]),
        ("def f(x):\n  return missing(x)\n", ["missing"]),
        ("from tensorflow.python.util import lost\ndef f(x):\n  return lost.g(x)\n", ["lost.g"]),
        ("import numpy as np\nimport distutils\ndef f(x):\n  return distutils.g(np.array(x))\n", []),
        ("from applications import nets\ndef f(*args):\n  return nets.build(*args)\n", ["nets.build"]),
        ("def f(x, more=()):\n  both = (1, 2)\n  return both + more\n", []),
        ("def f(x, more=''):\n  return 'a' + more * 2\n", []),
    ],
)
def test_what_was_not_followed_is_known(text: str, stopped: list[str]) -> None:
    made = side(tensorflow__python__ops__more_ops=text, tensorflow__python__eager__context="def ask(x):\n  return x\n")
    walk = made.walker.walk(made.exports.find("more_ops.f")[0].symbol)
    assert (walk.found, list(walk.stopped)) == ({}, stopped)


def test_what_a_result_is_made_of_comes_before_what_prepares_it() -> None:
    """The reshaped paddings are nearest, and the function is about Blur2D."""
    text = """
from tensorflow.python.ops import gen_nn_ops

def padded(x, width):
  pads = gen_array_ops.reshape(gen_array_ops.shape([width]), [2])
  scale = gen_nn_ops.sharpen(width)
  if width:
    x = _blurred(x, pads) * scale
  return gen_array_ops.reshape(x, [1])

def _blurred(x, pads):
  return gen_nn_ops.blur2d(x, pads)
"""
    made = side(tensorflow__python__ops__more_ops=f"from tensorflow.python.ops import gen_array_ops\n{text}")
    walk = made.walker.walk(made.exports.find("more_ops.padded")[0].symbol)
    uses = tuple(walk.found.values())
    assert main_ops(uses) == ("Reshape", "Shape", "Sharpen")
    assert main_ops(uses, (), walk.returned) == ("Blur2D", "Sharpen")


def test_a_namesake_far_away_is_not_what_a_function_is_about() -> None:
    text = """
def halve(x, wide=None):
  y = gen_array_ops.sparse_widen(x)
  return y if wide is None else many(y)

def many(x):
  return gen_array_ops.blur2d(x) if x.big else few(x)

def few(x):
  return gen_array_ops.halve(x) if x.small else x

def moved(x):
  if x.flat:
    x = gen_array_ops.reshape(x)
  return scaled(x)

def scaled(x):
  return gen_array_ops.pack(x) * 2
"""
    made = side(tensorflow__python__ops__more_ops=f"from tensorflow.python.ops import gen_array_ops\n{text}")

    def main(name: str) -> tuple[str, ...]:
        walk = made.walker.walk(made.exports.find(f"more_ops.{name}")[0].symbol)
        return main_ops(tuple(walk.found.values()), {"Halve"}, walk.returned)

    assert main("halve") == ("SparseWiden", "Blur2D")
    assert main("few") == ("Halve",)
    assert main("moved") == ("Mul",)  # not Reshape, which only prepares
