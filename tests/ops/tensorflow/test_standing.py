"""Names that have to do with a parameter: filled where it is not given, known before a graph runs, set with another."""

import pytest

from tests.ops.tensorflow.small_tree import side

HEAD = "from tensorflow.python.ops import array_ops, gen_array_ops, gen_nn_ops, tensor_util\n"
HELPERS = """
def roll(x, axes=None):
  if axes is None:
    return gen_nn_ops.sharpen(x)
  return gen_array_ops.halve(x)

def filled(x, axes=None):
  {fill}
  return roll(x, axes)

def gather(x, dims=0):
  known = tensor_util.constant_value(dims)
  if known is not None:
    dims = int(known)
  if dims == 0:
    return gen_array_ops.halve(x)
  return gen_nn_ops.sharpen(x)

def unknown(x, size=None):
  known = tensor_util.constant_value(size)
  if known is None:
    return gen_array_ops.shape(x)
  return gen_array_ops.halve(x)

def ragged(x, lengths=None, padding=None):
  if padding is not None:
    lengths = gen_nn_ops.sharpen(padding)
  if lengths is not None:
    return gen_array_ops.shape(lengths)
  return gen_array_ops.halve(x)

def always(x, lengths=None):
  lengths = gen_array_ops.shape(x)
  if lengths is not None:
    return gen_nn_ops.sharpen(lengths)
"""


def uses(body: str, fill: str = "pass") -> set[str]:
    """The ops of ``f(x, n)`` with that body; ``fill``: a statement of ``filled``."""
    text = f"{HEAD}{HELPERS.format(fill=fill)}\ndef f(x, n):\n  {body}\n"
    made = side(tensorflow__python__ops__more_ops=text)
    return {use.op for use in made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)}


@pytest.mark.parametrize(
    ("fill", "ops"),
    [
        ("if axes is None:\n    axes = tuple(range(2))\n  elif n:\n    axes = [axes]", {"Halve"}),
        ("if axes is None:\n    axes = gen_array_ops.shape(x)", {"Halve", "Shape"}),
        ("if axes is None:\n    axes = x.axes()", {"Halve", "Sharpen"}),  # which may give None
        ("if axes is None:\n    axes = None", {"Sharpen"} | {"Halve"}),
        ("if axes is None and n:\n    axes = [0]", {"Halve", "Sharpen"}),
        ("if axes is None:\n    axes = [0]\n  if n:\n    axes = None", {"Halve", "Sharpen"}),
        ("pass", {"Sharpen"}),
    ],
)
def test_a_parameter_that_is_filled_is_never_none(fill: str, ops: set[str]) -> None:
    assert uses("return filled(x)", fill) == ops


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("return gather(x)", {"Halve"}),
        ("return gather(x, 1)", {"Sharpen"}),
        ("return gather(x, n)", {"Halve", "Sharpen"}),
        ("return unknown(x, gen_array_ops.shape(x))", {"Shape", "Halve"}),  # nobody knows a tensor before
        ("return ragged(x)", {"Halve"}),
        ("return ragged(x, [1])", {"Shape"} | {"Halve"}),
        ("return ragged(x, padding=0)", {"Sharpen", "Shape", "Halve"}),
        ("return always(x)", {"Shape", "Sharpen"}),
    ],
)
def test_what_a_name_has_to_do_with_a_parameter_decides_branches(body: str, ops: set[str]) -> None:
    assert uses(body) == ops
