"""Branches that what a call gives decides: what stands there is certain, and their conditions are not told."""

import pytest

from bzlgraph.ops.model import OpUse
from tests.ops.tensorflow.small_tree import side

TEXT = """\
from tensorflow.python.ops import gen_array_ops, gen_nn_ops, tensor_util

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

def concat(values):
  if not isinstance(values, (list, tuple)):
    values = [values]
  if len(values) == 1:
    with scope(values):
      return gen_array_ops.shape(values[0])
  return gen_array_ops.halve(values)

def small(x, again=False):
  for each in x.dims:
    if again:
      return gen_array_ops.shape(each)
  return gen_array_ops.halve(x)

def gather(x, axis=None, dims=0):
  if axis is None:
    axis = dims
  if tensor_util.constant_value(axis) != 0:
    return gen_array_ops.shape(x)
  return gen_array_ops.halve(x)

def reduce_dims(x, axis, indices=None):
  if indices is not None:
    axis = indices
  if axis is not None:
    return gen_array_ops.shape(x)
  return gen_array_ops.halve(x)

def emptied(x, axis, indices=None):
  if indices:
    axis = x.axis()
  if axis is not None:
    return gen_array_ops.shape(x)
  return gen_array_ops.halve(x)

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
        ("concat([x, n])", "Halve", [], True),
        ("concat(x)", "Halve", ["unless line 52 returns"], False),
        ("small(x)", "Halve", [], True),
        ("small(x, True)", "Halve", ["unless line 58 returns"], False),
        ("gather(x)", "Halve", [], True),
        ("gather(x, 1)", "Shape", ["if tensor_util.constant_value(axis) != 0"], False),
        ("gather(x, 0, 2)", "Halve", [], True),
        ("reduce_dims(x, -1)", "Shape", [], True),
        ("reduce_dims(x, None)", "Halve", [], True),
        ("reduce_dims(x, None, n)", "Shape", ["if axis is not None"], False),
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
        ("gather(x)", {"Halve"}),
        ("gather(x, None, 2)", {"Shape", "Halve"}),
        ("gather(x, n)", {"Shape", "Halve"}),
        ("reduce_dims(x, -1)", {"Shape"}),
        ("emptied(x, -1, n)", {"Shape", "Halve"}),
        ("reduce_dims(x, -1, n)", {"Shape"}),
        ("either(x, exact=True)", {"Halve"}),
        ("either(x, exact=n)", {"Halve", "Sharpen"}),
    ],
)
def test_a_branch_that_no_call_reaches_makes_nothing(body: str, ops: set[str]) -> None:
    assert uses(body).keys() == ops


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        ("g = gen_array_ops.halve\n  return g(x) if n else x", False),
        ("g = gen_array_ops.halve\n  return g(x)", True),
        ("g = gen_array_ops.halve\n  return run(g) if n else g(x)", True),  # who knows when it is run
        ("g = gen_array_ops.halve\n  if n:\n    g = gen_array_ops.shape\n  return g(x)", False),
        ("g = gen_array_ops.halve\n  if n:\n    g = str\n  return g(x)", False),
    ],
)
def test_a_function_that_a_local_name_stands_for_runs_where_that_is_called(body: str, certain: bool) -> None:
    assert uses(body)["Halve"].certain is certain


def test_abs_of_a_module_is_its_own_function() -> None:
    text = "from tensorflow.python.ops import gen_array_ops, math_ops\n"
    made = side(
        tensorflow__python__ops__math_ops=f"{text}def abs(x):\n  return gen_array_ops.halve(x)\n",
        tensorflow__python__ops__more_ops=f"{text}def f(x):\n  return math_ops.abs(gen_array_ops.shape(x))\n",
    )
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op for use in found} == {"Halve", "Shape"}


def test_what_users_give_decides_nothing() -> None:
    made = side(tensorflow__python__ops__more_ops=TEXT)
    found = made.walker.uses(made.exports.find("more_ops.choose")[0].symbol, implied=False)
    assert [use.certain for use in found] == [False, False]


KEY = "\ndef key(x, wide=False):\n  return gen_array_ops.shape(x) if wide else gen_array_ops.halve(x)\n"


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        ("if n.ok and n:\n    key(x)\n  elif n.wide:\n    key(x)\n  else:\n    key(x)", True),
        ("if n.ok:\n    key(x)\n  elif n.wide:\n    key(x)", False),
        ("if n.ok:\n    key(x)\n  else:\n    key(x, True)", False),
        ("if n.ok:\n    if n.wide:\n      return x\n    key(x)\n  else:\n    key(x)", False),
        ("for each in n:\n    if n.ok:\n      key(x)\n    else:\n      key(x)", False),
    ],
)
def test_a_call_that_both_ways_of_a_test_make_is_as_certain_as_one_before_it(body: str, certain: bool) -> None:
    made = side(tensorflow__python__ops__more_ops=f"{TEXT}{KEY}\ndef f(x, n):\n  {body}\n")
    found = {use.op: use for use in made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)}
    assert found["Halve"].certain is certain
    assert (not found["Halve"].conditions) is certain
