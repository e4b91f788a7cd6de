"""What a function of JAX is said to run, and how sure that is: causes found by reading random answers."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from bzlgraph.ops.jax import code
from bzlgraph.ops.jax.primitives import Primitive
from bzlgraph.ops.jax.tracer import JaxTracer
from bzlgraph.ops.jax.uses import PrimitiveUse, names_of
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
from jax._src.numpy import util
from typing import Sequence
import numpy as np
from jax._src import api, core
from jax._src.lax import lax
from jax._src.typing import Array

def maker(by):
  def make(x: Array):
    return lax.exp(x)
  return make

def made_first(x: Array):
  return maker(2)(x)

def first(x: Array | Sequence[Array]):
  return lax.exp(x[0])

def standing_up(x: Array):
  return lax.exp(x[:, None]), x[...]

def some(x: Array):
  return x[1:, None]

def later(x: Array, start=False):
  def bind(x):
    prim = lax.exp_p if start else lax.add_p
    return prim.bind(x)
  return tree_map(bind, x)

def at_once(x: Array):
  return later(x)

def listed(x: Array, indexer):
  return lax.exp(x, [each for each in indexer.indices])

def sums(x: Array, y: Array):
  return _plus(x, y)

def halves(x: Array):
  x = halved(x)
  half = x if x.ndim else x / 2
  return _plus(half, x)

def halved(x):
  return util.promote_args_inexact("halves", x)

def either_sum(x: Array, by):
  half = x > 0 if by else x
  return _plus(half, half)

def raised(x: Array):
  return x ** 2

def is_less(x: Array):
  return _picking(x < 2, x)

def less_or_not(x: Array):
  return _picking(x, [x for x in x])

def cast_to(x: Array):
  return x.cast(np.int32)

def _plus(x, y):
  x, y = util.promote_args("plus", x, y)
  if x.dtype == bool:
    return lax.cumsum(x)
  return lax.exp(x)

def _power(x, by: int):
  m = getattr(by, "__jax_array__", None)
  if m is not None:
    by = m()
  return _raised(x, cast(Array, by))

def _raised(x, by):
  x, by = util.promote_args("power", x, by)
  return lax.exp(x) if x.dtype != bool else lax.cumsum(x)

def _picking(which, x):
  which, x = util.ensure_arraylike("pick", which, x)
  if not np.issubdtype(_dtype(which), np.bool_):
    which = lax.exp(which)
  return which

def moved(x: Array, by: int):
  return lax.exp(x, by + 1)

def total(x: Array):
  return _reduction(x, lax.add)

def _reduction(x, reducer):
  return lax.exp(x)

def put(x: Array):
  return api.device_put(x)

def members(x: Array):
  return tuple(x)

def several(*args: Array):
  return [lax.exp(part) for part in args]

def each(x: Array):
  return [lax.exp(part) for part in x]

def promoted(x: Array, y: Array):
  return tuple(util.alike(x, y))

def _fitted(name: str, *args):
  args = tuple(_checked(arg) for arg in args)
  return _alike_in_shape(name, *_alike_in_type(*args))

def _alike_in_type(*args):
  if len(args) < 2:
    return list(args)
  else:
    return [lax.exp(arg) for arg in args]

def _alike_in_shape(name, *args):
  return [lax.add(arg, arg) for arg in args] if len(args) > 1 else args

def one_fitted(x: Array):
  return _fitted("one", x)

def two_fitted(x: Array, y: Array):
  return _fitted("two", x, y)

def all_fitted(x: Array):
  return _fitted("all", *x)

class Way(enum.Enum):
  AUTO = "auto"
  SLOW = "slow"

def _by_way(x, way: Way = Way.AUTO):
  if way == Way.SLOW:
    return lax.add(x, x)
  if way == Way.AUTO:
    return lax.exp(x)
  return x

def by_itself(x: Array):
  return _by_way(x)

def slowly(x: Array):
  return _by_way(x, way=util.Way.SLOW)

def named_way(x: Array):
  return _by_way(x, "slow")

def _place(device, sharding, name):
  if device is not None and sharding is None:
    return device
  if device is None and sharding is not None:
    return found(sharding)
  return None

def _placed(x, device=None, sharding=None):
  place = _place(device, sharding, "placed")
  if place is None or not place.known:
    return lax.exp(x)
  else:
    return lax.add(x, x)

def nowhere(x: Array):
  return _placed(x)

def somewhere(x: Array, device=None):
  return _placed(x, device=device)

def _concrete(force, value):
  if force is None:
    force = lambda given: given
  if isinstance(value, Tracer):
    return force(value.known)
  else:
    return force(value)

def _stepped(x, step=None):
  step = _concrete(None, step)
  if symbolic(x):
    step = 1
    return x
  if step is not None:
    return lax.add(x, x)
  return lax.exp(x)

def unstepped(x: Array):
  return _stepped(x)

def stepping(x: Array):
  return _stepped(x, 2)

def without(x: Array):
  return _masked(x)

def given(x: Array, where=None):
  return _masked(x, where=where, keep=True)

def handed_on(x: Array):
  return _handing(x)

def _handing(x, where=None):
  return _masked(x, where)

def twice(x: Array, by: int):
  if by:
    return _masked(x, x)
  return _masked(x, x) if x.ndim else x

def at_last(x: Array, by: int):
  if by:
    _masked(x, x)
  return _masked(x, x)

def picked(x: Array):
  return _picked(x, x)

def unsure(x: Array, f):
  return _picked(x, f(x))

def asked(x: Array, where=None):
  return lax.exp(x) if where is None else lax.add(x, where)

def chosen(x: Array):
  return _choosing(x, "sum", lax.add)

def _choosing(x, name, op, bool_op=None):
  bool_op = bool_op or op
  op = op if x.dtype != bool else bool_op
  return _chosen(op)(x)

def chosen_at_once(x: Array, by):
  return _chosen(_pair if by else _place)(x)

def reduced_over(x: Array, by):
  return _over(x, by, parallel=doubled)

def doubled(x: Array):
  return total(x)

def _over(x, by, parallel=None):
  if by:
    return parallel(x)
  return x

def _chosen(kind):
  if kind is lax.add:
    return lax.exp
  elif kind is lax.cumsum:
    return lax.exp
  return None

def _masked(x, where=None, *, keep=False):
  if keep:
    x = lax.cumsum(x)
  if where is None:
    return lax.exp(x)
  return lax.add(x, where)

def both(x: Array, f):
  return _either(x, f()), _either(f(), x)

def negative(x: Array, f):
  return _either(f(), -np.inf)

def _either(x=None, y=None):
  if x is None and y is None:
    return lax.exp(x)
  return lax.add(x, y)

def _picked(x, y=None):
  if y is None and x is not None:
    return lax.exp(x)
  return lax.add(x, y)

def _pair(x) -> list[Array]:
  return [x, x]

def member(x: Array):
  both = _pair(x)
  return lax.exp(_pair(x)[0]), both[1]

def forced(x: Sequence[int] | None):
  def force(x):
    return tuple(lax.exp(i) for i in x)
  return force(x)

def zeroed(x: Array):
  zero = lambda x: x.lay()
  return vmap(zero)(x)

def forced_if(x):
  def force(x):
    return tuple(lax.exp(i) for i in x)
  return core.concrete(force, x)

def through(x: Array):
  return [lax.exp(each) for each in _made(x)]

def _made(x):
  parts = _pair(x)
  return [part for part in parts]

def permuted(x: Array, specs):
  def position(spec, pair):
    return spec[pair[0]]
  return lax.exp(x), map(position, specs, x)

def padded(x: Array):
  return lax.exp(x, _sizes(x.shape))

def _sizes(shape: Sequence[int] | np.ndarray):
  return shape + 1

def limits(x: Array, least):
  return lax.exp(x, np.array(least + 1))

def laid(x: Array):
  return x.lay()

def laid_down(x: Array, order="C"):
  return x.lay(2, order=order)

def laid_up(x: Array):
  return x.lay(order="F")

def concrete(x: ArrayLike, by):
  if isinstance(x, np.ndarray) and by:
    return x.lay() + 1
  return lax.exp(x)
"""
API = b"""\
from jax._src import core
from jax._src.lax import lax
device_put_p = core.Primitive('device_put')
def device_put(x):
  lax.exp(x)
  return device_put_p.bind(x)
"""
NAMES = (
    "listed",
    "later",
    "at_once",
    "sums",
    "halves",
    "cast_to",
    "either_sum",
    "raised",
    "is_less",
    "less_or_not",
    "standing_up",
    "some",
    "first",
    "moved",
    "total",
    "put",
    "members",
    "several",
    "nowhere",
    "somewhere",
    "unstepped",
    "stepping",
    "by_itself",
    "slowly",
    "named_way",
    "one_fitted",
    "two_fitted",
    "all_fitted",
    "each",
    "without",
    "given",
    "handed_on",
    "chosen",
    "picked",
    "unsure",
)
NAMES += ("both", "negative", "twice", "at_last", "promoted", "maker", "made_first")
NAMES += (
    "asked",
    "member",
    "forced",
    "forced_if",
    "reduced_over",
    "zeroed",
    "chosen_at_once",
    "limits",
    "through",
    "permuted",
    "padded",
    "laid",
    "laid_down",
    "laid_up",
    "concrete",
)
CONVERTING = b"""
def _array_copy(x):
  return lax.copy_p.bind(x)

def array(object, dtype=None, copy=True):
  if dtype is None and isinstance(object, core.Tracer):
    return _array_copy(object) if copy else object
  if copy:
    object = lax.add(object, dtype)
  return lax.cumsum(object, dtype)

def asarray(object):
  return array(object, copy=False)

def copied(x: Array):
  return lax.exp(array(x))

def cast_copy(x: Array):
  return lax.exp(array(x, "int32"))

def uncopied(x: Array):
  return lax.exp(asarray(x))

def only_copied(x: Array):
  return array(x)
"""
NAMES += ("copied", "cast_copy", "uncopied", "only_copied")
FILES = {
    "jax/_src/numpy/more.py": MORE + CONVERTING,
    "jax/_src/api.py": API,
    "jax/_src/numpy/util.py": b"""from jax._src.lax import lax
def alike(*args: Array) -> list[Array]:
  return [lax.exp(part) for part in args]
""",
    "jax/_src/core.py": b"class Primitive: pass\n",
    "jax/numpy/__init__.py": exported("more", NAMES),
    "jax/lax/__init__.py": b"from jax._src.lax.lax import add as add, expand_dims as expand_dims\n",
    "jax/_src/lax/lax.py": LAX
    + b"def _rewriting_take(x, i):\n  return cumsum(x)\ndef expand_dims(x):\n  return log1p_p.bind(x)\n",
    "jax/_src/numpy/array_methods.py": b"from jax._src.lax import lax\n"
    b'from jax._src.numpy import more\n_array_operators = {"getitem": lax._rewriting_take, "add": lax.add,'
    b' "lt": lax.add, "pow": more._power}\n'
    b"def _cast(self, to):\n  if to is None:\n    to = float\n  else:\n    to = np.dtype(to)\n"
    b"  if np.dtype(to) == bool:\n    return lax.add(self, self)\n  return lax.exp(self)\n"
    b'def _lay(self, *args, order="C"):\n  return lax.exp(self) if order == "C" else lax.add(self, self)\n'
    b'_array_methods = {"lay": _lay, "cast": _cast}\n',
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("first", {"exp": True}),  # a sequence has an index, too
        ("standing_up", {"exp": True, "log1p": True}),  # an index that takes all of an array only adds axes
        ("some", {"cumsum": True}),
        ("listed", {"exp": True}),  # parts of TensorFlow's sparse tensors are lists elsewhere
        ("later", {"exp": False, "add": False}),  # a primitive that a name stands for
        ("at_once", {"add": False}),
        ("moved", {"exp": True}),  # the sum of numbers
        ("total", {"exp": True, "add": False}),  # given as a value: what it is for, the callee knows
        ("put", {"device_put": True}),  # what JAX is made of is not followed
        ("members", {"cumsum": True}),
        ("several", {"exp": True}),  # a tuple of arrays is no array
        ("each", {"exp": True, "cumsum": True}),
        ("promoted", {"exp": True}),  # tuple() of a list that a function gives
        ("nowhere", {"exp": False}),  # what is not given is no place
        ("somewhere", {"exp": False, "add": False}),
        ("unstepped", {"exp": False}),  # None stays None
        ("stepping", {"exp": False, "add": False}),
        ("by_itself", {"exp": False}),  # members of an enumeration are told apart
        ("slowly", {"add": False}),
        ("named_way", {"exp": False, "add": False}),  # which may be made of a text
        ("one_fitted", {}),  # of one there is nothing to make alike
        ("two_fitted", {"exp": False, "add": False}),
        ("all_fitted", {"exp": False, "add": False}),
        ("without", {"exp": False}),  # a parameter that the call leaves out
        ("given", {"cumsum": False, "exp": False, "add": False}),  # the caller's caller decides
        ("handed_on", {"exp": False}),  # handed on, and left out before
        ("chosen", {"exp": False, "add": False}),  # which function it is decides, wherever it comes from
        ("chosen_at_once", {}),  # neither is asked for
        ("picked", {"add": False}),
        ("both", {"add": False}),  # each call by itself: neither gives nothing
        ("negative", {"add": False}),
        ("unsure", {"exp": False, "add": False}),  # what a call of who knows what gives may be None
        ("asked", {"exp": False, "add": False}),
        ("member", {"exp": True}),  # an index of a list
        ("forced", {"exp": True}),  # x of the function inside is another one
        ("forced_if", {"exp": True}),
        ("zeroed", {"exp": False}),
        ("through", {"exp": True}),  # the members of a list
        ("permuted", {"exp": True}),  # members of lists of Python
        ("padded", {"exp": True}),  # arrays of NumPy
        ("laid", {"exp": False}),  # the method's own default
        ("laid_down", {"exp": False, "add": False}),  # what users give decides
        ("laid_up", {"add": False}),
        ("concrete", {"exp": False}),  # methods of NumPy's arrays
        ("copied", {"exp": True, "copy": False}),  # of a conversion what it does with an array as it is
        ("cast_copy", {"exp": True}),
        ("uncopied", {"exp": True}),
        ("only_copied", {"add": False, "copy": False, "cumsum": False}),  # that is all it does
        ("limits", {"exp": True}),  # what NumPy is given is no array of a trace
    ],
)
def test_what_runs(word: str, runs: dict[str, bool]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op: use.certain for use in uses} == runs


def test_dtypes_decide() -> None:
    tracer = JaxTracer(small_jax(FILES), lambda _path: ())

    def told(word: str) -> dict[str, bool]:
        return {use.op: use.certain for use in tracer.explain(f"jnp.{word}").uses}

    assert told("sums") == told("either_sum") == {"cumsum": False, "exp": False}  # of which nobody knows
    assert told("halves") == {"exp": False}  # floats are no truth values
    assert told("raised") == {"exp": False}  # an operator with a number gives no truth value
    assert told("cast_to") == {"exp": False}  # the dtype that a method is given
    assert told("is_less") == {"add": True}  # a comparison gives nothing else
    assert told("less_or_not") == {"exp": False, "cumsum": True}


@pytest.mark.parametrize(("word", "told"), [("twice", (["if by"], 1)), ("at_last", ([], 0))])
def test_all_ways_through_a_function_count(word: str, told: tuple[list[str], int]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    use = next(use for use in uses if use.op == "add")
    asked = [each.text for each in use.conditions if each.function.endswith(word)]
    assert (asked, use.other_ways) == told


def test_a_function_that_is_handed_on_may_not_be_called() -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain("jnp.reduced_over").uses
    (use,) = (each for each in uses if each.op == "exp")
    assert [each.text for each in use.conditions] == ["if doubled is called"]


def test_what_a_function_gives_back_runs_when_it_is_called() -> None:
    tracer = JaxTracer(small_jax(FILES), lambda _path: ())
    (given,), (called,) = tracer.explain("jnp.maker").uses, tracer.explain("jnp.made_first").uses
    assert ([each.text for each in given.conditions], given.certain) == (["if make is called"], False)
    assert (called.conditions, called.certain) == ((), True)


def test_what_a_rule_binds_in_a_branch_is_told_apart() -> None:
    primitive = Primitive("exp", "exp_p", "a.py", 1)
    sure, may = (PrimitiveUse(primitive, "a.py", 1, certain, ()) for certain in (True, False))
    other = may._replace(primitive=Primitive("add", "add_p", "a.py", 2))
    assert names_of([may, other, sure]) == (("exp", "add"), ("add",))


@pytest.mark.parametrize("word", ["jax.Array.__add__", "jnp.ndarray.__add__"])
def test_a_method_of_arrays_is_a_public_name(word: str) -> None:
    assert [use.op for use in JaxTracer(small_jax(FILES), lambda _path: ()).explain(word).uses] == ["add"]


def test_a_name_asked_again_reads_no_syntax_tree(tmp_path: Path) -> None:
    """Half the time of an answer went into reading modules again for the names of their primitives."""

    def asked() -> tuple[list[str], int]:
        tracer = JaxTracer(small_jax(FILES), lambda _path: (), tmp_path)
        with patch.object(code, "parse_any", side_effect=code.parse_any) as parsed:
            return [use.op for use in tracer.explain("jnp.picked").uses], parsed.call_count

    first, again = asked(), asked()
    assert first[0] == again[0] == ["add"]
    assert first[1] > again[1] == 0
