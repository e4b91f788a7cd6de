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

def pad(x, mode="ONE"):
  tables = {{"SHARP": gen_nn_ops.sharpen, "HALF": gen_array_ops.halve}}
  if mode == "ONE":
    return gen_array_ops.shape(x)
  if mode in tables:
    return tables[mode](x)
  return gen_array_ops.eager_halve(x)

def pad_with(x, value=0):
  if not is_tensor(value) and np.ndim(value) == 0 and value == np.zeros_like(value):
    return gen_array_ops.shape(x)
  return gen_array_ops.halve(x)

def concat(values, axis):
  if not isinstance(values, (list, tuple)):
    values = [values]
  if len(values) == 1:
    return gen_array_ops.halve(values[0])
  return gen_array_ops.shape(values)

def shift(x, by):
  try:
    by = operator.index(by)
  except TypeError:
    return gen_nn_ops.sharpen(x)
  return gen_array_ops.halve(x)

def known_place(place, name):
  if place is None:
    return None
  return parsed(place, name)

def any_place(place):
  return default if place is None else place

def put(x, place=None):
  place = known_place(place, "put")
  if x.shape == 1 and place is not None and place.ok:
    x = gen_nn_ops.sharpen(x)
  return put_further(x, place)

def put_further(x, place=None):
  if place is None:
    return gen_array_ops.halve(x)
  return gen_array_ops.shape(x)

def put_anywhere(x, place=None):
  place = any_place(place)
  if place is not None:
    return gen_nn_ops.sharpen(x)

def widened(x, wide=None):
  if wide is None:
    x = gen_nn_ops.sharpen(x)
  if wide:
    x = gen_array_ops.shape(x)
  wider = False
  if wide:
    wider = True
  if wider:
    x = gen_array_ops.eager_halve(x)
  return gen_array_ops.halve(x)

def _rolled(fn):
  def run(x, axes=None):
    return fn(x, axes)
  return run

rolled = _rolled(roll)

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
        ("if axes is None:\n    axes = n or [0]", {"Halve"}),
        ("if axes is None:\n    axes = [0] and n", {"Halve", "Sharpen"}),
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
        ("return ragged(x, [1])", {"Shape"}),
        ("return ragged(x, padding=0)", {"Sharpen", "Shape", "Halve"}),
        ("return pad(x)", {"Shape"}),
        ("return pad(x, 'SHARP')", {"Sharpen"}),
        ("return pad(x, n)", {"Shape", "Sharpen", "Halve", "EagerHalve"}),
        ("return pad_with(x)", {"Shape"}),
        ("return pad_with(x, 1)", {"Halve"}),
        ("return pad_with(x, gen_array_ops.shape(x))", {"Shape", "Halve"}),
        ("return concat([x, n], 0)", {"Shape"}),
        ("return concat([x], 0)", {"Halve"}),
        ("return concat([*x, n], 0)", {"Shape", "Halve"}),
        ("return concat(axis=0, values=n)", {"Shape", "Halve"}),
        ("return shift(x, 2)", {"Halve"}),
        ("by = n if n else 1\n  return shift(x, len(by))", {"Halve"}),
        ("return shift(x, gen_array_ops.shape(x))", {"Shape", "Sharpen", "Halve"}),
        ("return shift(x, n)", {"Sharpen", "Halve"}),
        ("return always(x)", {"Shape", "Sharpen"}),
        ("return put(x)", {"Halve"}),  # None is what is made of None
        ("return put(x, n)", {"Sharpen", "Halve", "Shape"}),
        ("return put_anywhere(x)", {"Sharpen"}),
        ("return widened(x, False)", {"Halve"}),
        ("return widened(x, wide=n or None)", {"Sharpen", "Shape", "Halve", "EagerHalve"}),
        ("return widened(x)", {"Sharpen", "Halve"}),
        ("return widened(x, True)", {"Shape", "Halve", "EagerHalve"}),
        ("return roll(x, False)", {"Halve"}),
        ("return rolled(x)", {"Halve", "Sharpen"}),  # a function inside may be given no axes
        ("return ragged(x, padding=False)", {"Sharpen", "Shape", "Halve"}),
    ],
)
def test_what_a_name_has_to_do_with_a_parameter_decides_branches(body: str, ops: set[str]) -> None:
    assert uses(body) == ops


SPLIT = """
def size_of(x):
  if n:
    return None, n
  return gen_array_ops.shape(x), 2

def f(x, n):
  size, rank = size_of(x)
  return gen_array_ops.halve([{member}])
"""


def test_nothing_is_taken_out_of_a_tuple() -> None:
    made = side(tensorflow__python__ops__more_ops=HEAD + "def f(x):\n  [] = x\n  return gen_array_ops.halve(x)\n")
    assert made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)


@pytest.mark.parametrize(("member", "packs"), [("size", True), ("rank", False)])
def test_a_member_of_a_tuple_is_what_the_function_writes_there(member: str, packs: bool) -> None:
    made = side(tensorflow__python__ops__more_ops=f"{HEAD}{SPLIT.format(member=member)}")
    uses = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert ("Pack" in {use.op for use in uses}) is packs


@pytest.mark.parametrize("test", ["is_sparse(x)", "py_all(is_sparse(each) for each in x)"])
def test_a_test_of_all_members_is_about_special_tensors(test: str) -> None:
    helper = f"def one(x):\n  if {test}:\n    return gen_nn_ops.sharpen(x)\n  return gen_array_ops.halve(x)\n"
    made = side(
        tensorflow__python__ops__a_ops=HEAD + helper,
        tensorflow__python__ops__more_ops="from tensorflow.python.ops import a_ops\ndef f(x):\n  return a_ops.one(x)\n",
    )
    uses = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op for use in uses} == {"Halve"}


@pytest.mark.parametrize("body", ["for each in x.parts:\n    each()", "return n(x)", "return x.parts[0](n)"])
def test_a_value_that_is_called_may_make_any_op(body: str) -> None:
    made = side(tensorflow__python__ops__more_ops=f"def f(x, n):\n  {body}\n")
    assert made.walker.walk(made.exports.find("more_ops.f")[0].symbol).stopped


LAYERS = """
class Layer:
  @property
  def losses(self):
    return [each() for each in self._callable]

  @property
  def title(self):
    return self._title

  def {name}(self):
    return {read}
"""


@pytest.mark.parametrize(
    ("read", "not_followed"),
    [
        ("self.layer.losses + self._own", ("layer.losses",)),
        ("n.parts.losses", ("parts.losses",)),
        ("self.layer.title", ()),  # no property of that name makes an op
        ("self.layer.shape", ()),
        ("self.title", ()),
    ],
)
def test_a_property_of_another_value_may_make_ops(read: str, not_followed: tuple[str, ...]) -> None:
    made = side(tensorflow__python__ops__more_ops=LAYERS.format(name="f", read=read))
    walk = made.walker.walk(made.exports.find("more_ops.Layer.f")[0].symbol)
    assert (walk.found, made.walker.not_followed(walk)) == ({}, not_followed)


FLAGS = """
def multiply(x, turned=False, mirrored=False, kind=None, fast=None):
  use = False
  if kind and kind != x.dtype:
    use = True
  if turned:
    mirrored = True
  if mirrored:
    x = gen_array_ops.halve(x)
  late = None
  for each in x.parts:
    if late:
      x = gen_array_ops.shape(x)
    if fast:
      late = True
  some = False
  if x.small:
    some = True
  if some:
    x = gen_array_ops.reshape(x, [1])
  inside = False
  def bent(y):
    return gen_array_ops.cut(y) if inside else y
  inside = True
  mirrored = mirrored or turned
  return gen_nn_ops.sharpen(bent(x)) if use else gen_nn_ops.blur2d(bent(x), 1)

def plain(x):
  return multiply(x)

def of_kind(x):
  return multiply(x, kind=x.kind)

def turned(x):
  return multiply(x, turned=True)
"""


def test_a_flag_is_true_only_where_something_that_sets_it_is_given() -> None:
    made = side(tensorflow__python__ops__more_ops=HEAD + FLAGS)

    def ops(name: str) -> set[str]:
        return {each.op for each in made.uses(made.exports.find(f"more_ops.{name}")[0], name)} - {"Const"}

    assert ops("plain") == {"Cut", "Shape", "Reshape", "Blur2D"}
    assert ops("of_kind") == {"Cut", "Shape", "Reshape", "Blur2D", "Sharpen"}
    assert ops("turned") == {"Cut", "Shape", "Reshape", "Blur2D", "Halve"}


def test_a_local_name_that_is_never_none_is_given() -> None:
    text = """
def turn(x, order=None):
  if order is None:
    return gen_nn_ops.sharpen(x)
  return gen_array_ops.halve(x)

def moved(x, first, last):
  if last:
    order = list(first) + [1] if x.small else [2] + first
  else:
    order = gen_array_ops.shape(first)
  return turn(x, order)

def perhaps(x, first):
  order = [1] if x.small else first.order
  return turn(x, order)
"""
    made = side(tensorflow__python__ops__more_ops=HEAD + text)

    def ops(name: str) -> set[str]:
        return {each.op for each in made.uses(made.exports.find(f"more_ops.{name}")[0], name)} - {"Const", "Shape"}

    assert ops("moved") == {"Halve"}
    assert ops("perhaps") == {"Halve", "Sharpen"}


def test_a_parameter_of_a_function_inside_is_another_one_than_that_of_the_same_name_around() -> None:
    text = """
def turned(x, axes, sizes=None):
  def own(x, axes, wide=False):
    if isinstance(axes, int):
      return gen_nn_ops.sharpen(x)
    if wide:
      return gen_array_ops.shape(x)
    axes = gen_array_ops.eager_halve(axes)
    return gen_array_ops.halve(x)
  def others(sizes):
    if sizes is None:
      return gen_nn_ops.sharpen(x)
    return x
  if axes is None:
    return gen_nn_ops.sharpen(x)
  if sizes is not None:
    return gen_nn_ops.sharpen(others(x))
  return own(axes=axes, x=x)

def f(x):
  return turned(x, [1, 2])

def g(x, n):
  return turned(x, n)
"""
    made = side(tensorflow__python__ops__more_ops=HEAD + text)

    def told(name: str) -> dict[str, str]:
        found = made.uses(made.exports.find(f"more_ops.{name}")[0], name)
        return {each.op: " and ".join(one.text for one in each.conditions) for each in found if each.op != "Const"}

    own = "when own is called"
    halved = f"if not wide and {own}"
    assert told("f") == {"Halve": halved, "EagerHalve": halved, "Shape": f"if wide and {own}"}
    assert told("g")["Halve"] == f"if not wide and if not isinstance(axes, int) and {own}"


def test_a_text_stands_for_what_was_left_out() -> None:
    text = """
from tensorflow.python.ops import gen_array_ops

def k(x):
  return f(x)

def f(x, how=None):
  if how is None:
    how = "half"
  return g(x, how)

def g(x, how):
  if how == "half":
    return gen_array_ops.halve(x)
  elif how == "wide":
    return gen_array_ops.sparse_widen(x)
"""
    made = side(tensorflow__python__ops__more_ops=text)
    found = {name: made.exports.find(f"more_ops.{name}")[0].symbol for name in "fk"}
    ops = {name: {use.op for use in made.walker.uses(each, implied=False)} for name, each in found.items()}
    assert ops == {"f": {"Halve", "SparseWiden"}, "k": {"Halve"}}
