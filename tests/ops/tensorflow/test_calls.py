"""The walk from a function to the ops that it makes."""

import pytest

from bzlgraph.ops.tensorflow.headlines import main_ops
from tests.ops.tensorflow.small_tree import ops_of, side, uses


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
