"""Objects of the tree's own classes that tensors are made of: conversions, properties, operators, methods."""

import pytest

from bzlgraph.ops.model import OpUse
from tests.ops.tensorflow.small_tree import side

ARRAYS = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_array_ops

class Array(object):
  @classmethod
  def of(cls, tensor):
    made = cls.__new__(cls)
    made.data = tensor
    return made

  @property
  def rank(self):
    return gen_array_ops.reshape(self.data)

  def halved(self):
    return wrap(gen_array_ops.halve(self.data))

  def __mul__(self, other):
    return wrap(self.data * other)

def wrap(tensor):
  return Array.of(tensor)

def to_tensor(array, dtype=None, name=None):
  return gen_array_ops.shape(array.data)

ops.register_tensor_conversion_function(Array, to_tensor)
"""
USERS = """
from tensorflow.python.ops import gen_array_ops, gen_nn_ops
from tensorflow.python.ops import arrays

def array(x):
  if x is None:
    return x
  return arrays.wrap(x)

def part(array, index):
  return arrays.wrap(gen_array_ops.cut(array.data, index))

def _wrap(function):
  return function

setattr(arrays.Array, "__getitem__", _wrap(part))

def gives(x):
  made = array(x)
  return gen_nn_ops.sharpen(made)

def gives_data(x):
  made = array(x)
  made = made.data
  return gen_nn_ops.sharpen(made)

def first(x):
  return array(x)[0]

def both(x):
  y = gen_nn_ops.sharpen(x)
  return array(y) * y

def of_tensors(x):
  y = gen_nn_ops.sharpen(x)
  return y * y

def ranked(x):
  made = array(x)
  return lambda: made.rank

def ranked_in_branch(x, y):
  if y:
    x = array(x)
  return x.rank

def half(x):
  return array(x).halved()

def handed_on(x):
  return gives(array(x))

def keeps(x):
  return [array(x)]
"""


def uses(function: str) -> list[OpUse]:
    made = side(tensorflow__python__ops__arrays=ARRAYS, tensorflow__python__ops__users=USERS)
    return made.walker.uses(made.exports.find(f"users.{function}")[0].symbol, implied=False)


@pytest.mark.parametrize(
    ("function", "ops"),
    [
        ("gives", {"Sharpen", "Shape"}),
        ("gives_data", {"Sharpen"}),
        ("first", {"Cut"}),
        ("both", {"Sharpen", "Mul"}),
        ("of_tensors", {"Sharpen", "Mul"}),
        ("ranked", {"Reshape"}),
        ("ranked_in_branch", {"Reshape"}),
        ("half", {"Halve"}),
        ("keeps", set()),
    ],
)
def test_what_objects_run_is_told(function: str, ops: set[str]) -> None:
    assert {use.op for use in uses(function)} == ops


def test_it_is_no_certain_op() -> None:
    assert {use.op: [each.test for each in use.conditions] for use in uses("gives") if not use.certain} == {
        "Shape": ["gen_nn_ops.sharpen makes a tensor of a Array"]
    }


def test_files_that_only_name_the_module_are_not_read() -> None:
    made = side(
        tensorflow__python__ops__arrays=ARRAYS,
        tensorflow__python__ops__users=USERS,
        tensorflow__python__ops__others="from tensorflow.python.ops import nn_ops\n\ndef arrays(x):\n  return x\n",
    )
    objects = made.walker.objects
    objects.used_in(made.exports.find("users.gives")[0].symbol)
    assert {symbol.path.rpartition("/")[2] for symbol in objects.functions} == {"arrays.py", "users.py"}
