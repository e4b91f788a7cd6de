"""Branches that what a call gives decides: what stands there is certain, and their conditions are not told."""

import pytest

from bzlgraph.ops.model import OpUse
from tests.ops.tensorflow.small_tree import side

TEXT = """\
from tensorflow.python.ops import gen_array_ops, gen_nn_ops

def choose(c, x=None, y=None):
  if x is None and y is None:
    return gen_array_ops.shape(c)
  elif x is not None and y is not None:
    return gen_array_ops.halve(c)
  else:
    raise ValueError

def turn(x, turned=False, kind=None):
  wide = False
  if kind and kind != x.dtype:
    wide = True
  if not turned and x.ok:
    x = gen_nn_ops.sharpen(x)
  if wide:
    return gen_array_ops.shape(x)
  else:
    return gen_array_ops.halve(x)

def each(xs, kind=None):
  if kind is None:
    for x in xs:
      gen_array_ops.halve(x)
  return gen_array_ops.shape(xs)

def reduce(x, axes):
  if isinstance(axes, integer_types):
    return gen_array_ops.shape(x)
  elif isinstance(axes, (list, tuple)):
    return gen_array_ops.halve(x)
  return gen_nn_ops.sharpen(x)

def loop(xs, again=False):
  packed = len(xs) == 1 and not again
  if packed:
    return gen_array_ops.shape(xs)
  packed = again
  return gen_array_ops.halve(xs) if packed else gen_nn_ops.sharpen(xs)

def either(x, fast=None, exact=None):
  if fast or exact:
    return gen_array_ops.halve(x)
  return gen_nn_ops.sharpen(x)

def roll(x, by=None):
  if by is not None:
    gen_array_ops.halve(x)

def both(x, fast=None, exact=None):
  if fast and exact:
    return x
  return gen_array_ops.halve(x)

def late(x, kind=None):
  if kind is not None:
    return x
  return gen_array_ops.halve(x)
"""


def uses(body: str) -> dict[str, OpUse]:
    """Op -> its use in ``f(x, n)`` with that body."""
    made = side(tensorflow__python__ops__more_ops=f"{TEXT}\ndef f(x, n):\n  {body}\n")
    return {use.op: use for use in made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)}


@pytest.mark.parametrize(
    ("body", "op", "told", "certain"),
    [
        ("choose(x, gen_nn_ops.sharpen(x), 1)", "Halve", [], True),
        ("choose(x)", "Shape", [], True),
        ("choose(x, n, n)", "Halve", ["if x is not None and y is not None", "if not (x is None and y is None)"], False),
        ("choose(x, 1, n)", "Halve", ["if x is not None and y is not None"], False),
        ("turn(x)", "Halve", [], True),
        ("turn(x, kind=n)", "Halve", ["if not wide"], False),
        ("turn(x)", "Sharpen", ["if not turned and x.ok"], False),
        ("each(x)", "Halve", ["for each x in xs"], True),
        ("each(x, n)", "Halve", ["for each x in xs", "if kind is None"], False),
        ("both(x)", "Halve", [], True),
        ("both(x, n)", "Halve", [], True),
        ("both(x, n, n)", "Halve", ["if not (fast and exact)"], False),
        ("late(x)", "Halve", [], True),
        ("k = x.size or 2\n  roll(x, by=k)", "Halve", [], True),
        ("late(x, n)", "Halve", ["if kind is None"], False),
        ("reduce(x, [n, 1])", "Halve", [], True),
        ("reduce(x, (0, 1))", "Halve", [], True),
        ("reduce(x, n)", "Halve", ["if isinstance(axes, (list, tuple))", "if not isinstance(axes, integer_types)"],
            False),
        ("loop([x, n])", "Sharpen", ["if not packed"], False),
        ("loop([x])", "Shape", [], True),
        ("loop(x)", "Shape", ["if packed"], False),
        ("if n:\n    late(x)", "Halve", ["if n"], False),
    ],
)  # fmt: skip
def test_a_branch_that_is_surely_entered_is_no_condition(body: str, op: str, told: list[str], certain: bool) -> None:
    use = uses(body)[op]
    assert ([each.text for each in use.conditions], use.certain) == (told, certain)


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("reduce(x, [n, 1])", {"Halve"}),
        ("reduce(x, 1)", {"Shape", "Halve", "Sharpen"}),
        ("reduce(x, n)", {"Shape", "Halve", "Sharpen"}),
        ("loop([x])", {"Shape"}),
        ("loop([x, n])", {"Halve", "Sharpen"}),
        ("loop([x], True)", {"Halve", "Sharpen"}),
        ("either(x)", {"Sharpen"}),
        ("either(x, exact=True)", {"Halve"}),
        ("either(x, exact=n)", {"Halve", "Sharpen"}),
    ],
)
def test_a_branch_that_no_call_reaches_makes_nothing(body: str, ops: set[str]) -> None:
    assert uses(body).keys() == ops


def test_what_users_give_decides_nothing() -> None:
    made = side(tensorflow__python__ops__more_ops=TEXT)
    found = made.walker.uses(made.exports.find("more_ops.choose")[0].symbol, implied=False)
    assert [use.certain for use in found] == [False, False]
