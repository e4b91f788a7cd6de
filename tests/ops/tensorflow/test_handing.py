"""What becomes of what a call hands on: functions, lists with tensors in them, lists that are never None."""

import pytest

from tests.ops.tensorflow.small_tree import side

HEAD = (
    "import functools\nimport multiprocessing\nfrom six.moves.urllib.request import urlretrieve\n"
    "from tensorflow.python import pywrap_tfe\nfrom tensorflow.python.framework import ops\n"
    "from tensorflow.python.ops import array_ops, gen_array_ops, gen_nn_ops\n"
)
HELPERS = """
def apply(function, x):
  return function(x, wide=False)

def pass_on(function, x):
  return apply(function, x)

def apply_all(function, *arrays):
  def one(x):
    return cond(n, lambda: function(x, wide=False), lambda: x)
  return list(map(one, arrays))

def apply_if(function, x):
  return function(x) if x.ok else x

def apply_either(function, x):
  if x.ok:
    return function(x, wide=False)
  x = x.other
  return apply(function, x)

def keep(function, x):
  return Box(function)

def widen(x, wide=True):
  return gen_array_ops.halve(x) if wide else gen_array_ops.shape(x)

def draw_in(x, wide=True, kind=None, seed=None):
  if kind is not None:
    return gen_array_ops.halve(x)
  if not wide:
    x = gen_array_ops.shape(x)
  return x if seed is None else gen_nn_ops.sharpen(x)

def converted(x, low=None):
  if x.whole and low is None:
    return gen_array_ops.shape(x)
  low = ops.convert_to_tensor(low, dtype=x.dtype)
  return gen_nn_ops.sharpen(x, low)

def from_low(x, low=0):
  low_is_zero = isinstance(low, int) and low == 0
  return gen_array_ops.shape(x) if low_is_zero else gen_nn_ops.sharpen(x)

def pick(x=None, y=None):
  if x is None and y is None:
    return gen_nn_ops.sharpen(x)
  return gen_array_ops.halve(x)

def scope(name, values):
  for each in values:
    unknown.note([each])

def as_one(values):
  return gen_array_ops.halve(values)

def second(values):
  return as_one(values)

def joined(values):
  '''Makes one of them.

  Args:
    values: A list of `Tensor` objects.
  '''
  return ops.convert_to_tensor(values)

def filled(shape):
  if not isinstance(shape, Tensor):
    try:
      small = small_one(shape)
      if small is not None:
        return small
      shape = as_shape(shape)
    except TypeError:
      shape = ops.convert_to_tensor(shape)
  return gen_array_ops.halve(shape)

def small_one(shape):
  return None if len(shape) > 2 else shape

def fetch(url):
  def report(count, size):
    return count * size
  urlretrieve(url, report)

def through(values):
  def report(count, size):
    return count * size
  return values.go(report)

def record(values):
  pywrap_tfe.Record(values)

class Node:
  def __init__(self, inputs):
    self.inputs = inputs
"""


def uses(body: str) -> dict[str, bool]:
    """The ops of ``f(x, n)`` with that body, and whether they are certain."""
    made = side(
        tensorflow__python__ops__more_ops=f"{HEAD}{HELPERS}\ndef f(x, n):\n  {body}\n",
        tensorflow__python__framework__ops="def evaluate(tensors, session):\n  return session.run(tensors)\n",
    )
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    return {use.op: use.certain for use in found}


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("return widen(x)", {"Halve"}),
        ("return apply(widen, x)", {"Shape"}),  # called there, with what it is given there
        ("return pass_on(widen, x)", {"Shape"}),
        ("return apply(gen_array_ops.halve, x)", {"Halve"}),
        ("return apply_all(widen, *x)", {"Shape"}),
        ("return widen(x, *n)", {"Halve", "Shape"}),
        ("return widen(wide=False, **n)", {"Shape"}),
        ("return keep(widen, x)", {"Halve", "Shape"}),  # nobody knows how it is called
        ("return apply(n, x)", set()),
        ("return from_low(x)", {"Shape"}),  # a number as it is written is an int
        ("return from_low(x, 1)", {"Sharpen"}),
        ("return from_low(x, n)", {"Sharpen", "Shape"}),
        ("return converted(x)", {"Shape"}),  # None is no tensor
        ("return converted(x, n)", {"Sharpen", "Shape"}),
        ("return converted(x, 1)", {"Sharpen"}),
        ("apply(x.go, x)\n  apply(widen, x)", {"Shape"}),  # another call may give anything
        ("draw = functools.partial(draw_in, seed=n)\n  return apply(draw, x)", {"Shape", "Sharpen"}),
        ("return pass_on(functools.partial(draw_in, seed=n), x)", {"Shape", "Sharpen"}),
        ("return apply(functools.partial(draw_in, kind=1), x)", {"Halve", "Shape"}),  # what it has is anything
        ("draw = functools.partial(draw_in, x, seed=n)\n  return draw(wide=False)", {"Shape", "Sharpen"}),
        ("draw = functools.partial(draw_in, seed=n)\n  return draw(x)", {"Sharpen"}),
    ],
)
def test_a_function_that_is_handed_on_runs_where_it_is_called(body: str, ops: set[str]) -> None:
    assert set(uses(body)) == ops


@pytest.mark.parametrize(
    ("called", "sure"),
    [("apply", True), ("pass_on", True), ("keep", True), ("apply_either", True), ("apply_if", False)],
)
def test_a_generated_function_is_as_certain_as_the_call_of_it(called: str, sure: bool) -> None:
    assert uses(f"return {called}(gen_array_ops.halve, x)") == {"Halve": sure}


def test_what_both_ways_of_a_test_hand_on_is_certain() -> None:
    made = "if n:\n    return apply(draw, x)\n  return pass_on(draw, x)"
    assert uses(f"draw = functools.partial(gen_array_ops.halve, seed=n)\n  {made}") == {"Halve": True}


@pytest.mark.parametrize(
    ("body", "packs"),
    [
        ("scope('a', [y, n])", None),
        ("Node([y, n])", None),
        ("gen_array_ops.halve([y, n])", True),
        ("as_one([y, n])", True),
        ("second(values=[y, n])", True),
        ("record([y, n])", None),  # of C++
        ("ops.evaluate([y, n], n)", None),  # what everything uses makes no op
        ("multiprocessing.Pool([y, n])", None),
        ("joined(n)", False),  # which may be numbers
        ("n.go([y, n])", False),  # nobody knows
        ("filled([y])", True),
    ],
)
def test_a_list_is_packed_where_it_becomes_a_tensor(body: str, packs: bool | None) -> None:
    assert uses(f"y = gen_array_ops.shape(x)\n  {body}").get("Pack") is packs


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("y = gen_array_ops.shape(x)\n  pick(y, n)\n  pick(n, y)", {"Shape", "Halve"}),  # neither call gives nothing
        ("pick(n.a, n.b)", {"Sharpen", "Halve"}),
        ("sizes = [1, n]\n  pick(sizes)", {"Halve"}),
        ("if n:\n    y = None\n  else:\n    y = gen_array_ops.shape(x)\n    pick(y)\n  n.go(y)", {"Shape", "Halve"}),
        (
            "y = None\n  if n:\n    y = gen_array_ops.shape(x)\n  if y is not None:\n    pick(y)\n  n.go(y)",
            {"Shape", "Halve"},
        ),
        ("sizes = None\n  if n:\n    sizes = [1]\n  pick(sizes)", {"Sharpen", "Halve"}),
    ],
)
def test_each_call_is_judged_by_what_it_gives_itself(body: str, ops: set[str]) -> None:
    assert set(uses(body)) == ops


STACKED = """
def stacked(values):
  '''Stacks.

  Args:
    values: A list of `Tensor` objects.
  '''
  if values[0].ok:
    return ops.convert_to_tensor(values)
  return gen_array_ops.pack(values)
"""


def test_the_wrapper_is_told_where_converting_a_list_makes_the_op_as_well() -> None:
    made = side(tensorflow__python__ops__more_ops=f"{HEAD}{STACKED}")
    (use,) = made.walker.uses(made.exports.find("more_ops.stacked")[0].symbol, implied=False)
    assert (use.op, use.generated, use.certain, use.other_ways) == ("Pack", "gen_array_ops.pack", False, 1)


@pytest.mark.parametrize(("body", "possible"), [("fetch(x)", True), ("through(x)", False)])
def test_what_calls_back_is_not_known_to_give_tensors(body: str, possible: bool) -> None:
    made = side(tensorflow__python__ops__more_ops=f"{HEAD}{HELPERS}\ndef f(x, n):\n  {body}\n")
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op: use.possible for use in found} == {"Mul": possible}


MEMBERS = """
def sizes_of(x):
  if x.shape.ok:
    return x.shape.as_list()
  sizes = array_ops.unstack(gen_array_ops.shape(x))
  return [one if one is not None else other for one, other in zip(x.shape.as_list(), sizes)]

def halves(x, n):
  def half(y):
    if y.shape.ok:
      dims = y.shape.as_list()
      return y, dims
    dims = gen_array_ops.shape(y)
    return y, dims
  a, one = half(x)
  b, other = half(n)
  return x.note(one * other)

def places(x, sizes):
  if x.ok:
    sizes = [each * 3 if each < 0 else each for each in sizes]
    return sizes * 2
  sizes = gen_array_ops.halve(x)
  return sizes * 2

def known_size(op, grad):
  shape = op.inputs[0].get_shape()
  grad.note(shape * 2)
  shape = gen_array_ops.shape(grad)
  return gen_array_ops.halve(shape)

def dots(x, axes):
  axes = array_ops.unstack(axes)
  return [i if i >= 0 else i + 2 for i in axes]

def sums(x, grads):
  grads = array_ops.unstack(grads)
  for each in grads:
    if len(each) < 2:
      x.note(each[0])
"""


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("dots(x, n)", {"Unpack": False}),
        ("known_size(x, n)", {"Shape": False, "Halve": False}),  # the shape of what an index gives
        ("halves(x, n)", {"Shape": False, "Mul": False}),  # where the sizes are tensors
        ("each = [array_ops.two(one) for one in n]\n  return x.note(each[0][1])", {"Halve": False}),  # of a tuple
        ("sums(x, n)", {"Unpack": False}),
        ("places(x, [n.size])", {"Halve": False, "Mul": False}),  # a list on one way only
        ("a, b = sizes_of(x)\n  return x.note(a * b)", {"Unpack": False, "Shape": False, "Mul": False}),
    ],
)
def test_members_that_are_numbers_on_some_ways_make_ops_on_others(body: str, ops: dict[str, bool]) -> None:
    two = "from tensorflow.python.ops import gen_array_ops\ndef two(x):\n  return gen_array_ops.halve(x), 1\n"
    text = f"{HEAD}{MEMBERS}\ndef f(x, n):\n  {body}\n"
    made = side(tensorflow__python__ops__more_ops=text, tensorflow__python__ops__array_ops=two)
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op: use.possible for use in found if use.op != "Unpack"} == {
        op: ops[op] for op in ops if op != "Unpack"
    }
    told = {use.conditions[0].text for use in found if use.op == "Mul"}
    assert told <= {"if an operand is a tensor", "if not x.ok"}


FILL = """def fill(x, mode="ONE", value=0):
  mode = mode.upper()
  if mode == "ONE":
    if not tensor_util.is_tensor(value) and value == 0:
      return gen_array_ops.halve(x)
    return gen_array_ops.shape(x)
  return gen_nn_ops.sharpen(x)
"""


@pytest.mark.parametrize(
    ("call", "ops"),
    [
        ("fill(x)", {"Halve"}),
        ("fill(x, 'two')", {"Sharpen"}),
        ("fill(x, value=1)", {"Shape"}),
        ("fill(x, value=gen_nn_ops.sharpen(x))", {"Shape", "Sharpen"}),
        ("fill(x, value=n.size)", {"Halve", "Shape"}),
        ("fill(x, n.mode)", {"Halve", "Sharpen"}),
    ],
)
def test_texts_of_any_case_and_tests_for_tensors_decide(call: str, ops: set[str]) -> None:
    text = f"{HEAD}from tensorflow.python.framework import tensor_util\n{FILL}\ndef f(x, n):\n  return {call}\n"
    made = side(tensorflow__python__ops__more_ops=text)
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op for use in found} == ops


def test_one_of_several_functions_in_a_table_is_chosen() -> None:
    text = f"{HEAD}SORTS = {{'up': gen_array_ops.halve, 'down': gen_array_ops.shape}}\nONE = [gen_nn_ops.sharpen]\n"
    made = side(
        tensorflow__python__ops__more_ops=f"{text}def f(x, n):\n  one, sort = ONE[0], SORTS[n]\n  return one(sort(x))\n"
    )
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op: use.certain for use in found} == {"Halve": False, "Shape": False, "Sharpen": True}
