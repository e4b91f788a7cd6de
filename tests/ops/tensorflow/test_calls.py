"""The walk from a function to the ops that it makes."""

import pytest

from bzlgraph.ops.model import OpUse
from tests.ops.tensorflow.small_tree import side


def uses(name: str) -> list[OpUse]:
    made = side()
    return made.walker.uses(made.exports.find(name)[0].symbol)


@pytest.mark.parametrize(
    ("name", "ops"),
    [
        # A wrapper, a helper in another module, operators on tensors, a list with a tensor in it; never the sparse way.
        ("tf.nn.blur", ["Blur2D", "Shape", "StridedSlice", "Mul", "Pack", "Reshape"]),
        ("tf.nn.sharpen", ["Sharpen"]),  # given to a function that makes the function
        ("tf.halve", ["Const", "Halve"]),  # a graph is never eager
        (
            "tf.layers.Blur",
            ["Blur2D", "Shape", "StridedSlice", "Mul", "Pack", "Reshape"],
        ),  # what a value does when called
        (
            "tf.layers.blur",
            ["Blur2D", "Shape", "StridedSlice", "Mul", "Pack", "Reshape"],
        ),  # through the receiver's class
        ("tf.raw_ops.Sharpen", ["Sharpen"]),
    ],
)
def test_ops_of_a_function(name: str, ops: list[str]) -> None:
    assert sorted(use.op for use in uses(name)) == sorted(ops)


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


def test_circles_end() -> None:
    made = side(
        tensorflow__python__ops__a_ops="from tensorflow.python.ops.b_ops import *\ndef f(x):\n  return g(x)\n",
        tensorflow__python__ops__b_ops="from tensorflow.python.ops.a_ops import *\ndef g(x):\n  return f(x)\n",
    )
    (found,) = made.exports.find("a_ops.f")
    assert made.walker.uses(found.symbol) == []
    assert made.resolver.resolve("tensorflow/python/ops/a_ops.py", "nowhere") is None
