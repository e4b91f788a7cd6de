"""What a test leaves of two values, of two dtypes and of two functions decides, as what is asked of it is given."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
import operator
from jax._src import core, dtypes, prng
from jax._src.lax import lax
from jax._src.typing import Array, DType

def _reduction(x: Array, op, bool_op, dtype=None, widen=False, before=None, initial=None):
  x = ensure_arraylike("total", x)
  x = before(x) if before else x
  if dtype is None:
    made = x.dtype
    if widen:
      made = _promote_integer_dtype(made)
  else:
    made = dtype
  op = op if made != bool else bool_op
  if initial is not None:
    return op(x), bool_op(x)
  return _folded(op, x)

def _folded(op, x):
  if op is lax.exp:
    return lax.exp(x)
  return lax.cumsum(x)

def masked(x: Array, where=None):
  where = check_where("masked", where)
  return lax.cumsum(x) if where is None else lax.exp(x)

def check_where(name, where):
  if where is None:
    return where
  return lax.add(where, where)

def unmasked(x: Array):
  return masked(x)

def stepped(x: Array, by: DimSize):
  return filled(by)

def mapped(sizes):
  return joined(tuple(map(operator.index, sizes)))

def limited(x: Array):
  limits = jnp.finfo(x.dtype)
  return filled(limits.bits)

def raised(x: Array, n: ArrayLike):
  m = getattr(n, "__jax_array__", None)
  n = m() if m is not None else n
  if core.is_concrete(n):
    try:
      n = operator.index(n)
    except TypeError:
      pass
    else:
      return lax.exp(x)
  return lax.cumsum(x)

def raised_of(x, n):
  m = getattr(n, "__jax_array__", None)
  if m is not None:
    n = m()
  return raised(x, cast(ArrayLike, n))

def older(x: Array, n: ArrayLike):
  n = n.__jax_array__() if hasattr(n, "__jax_array__") else n
  return raised(x, n)

def cubed(x: Array):
  return older(x, 3)

def squared(x: Array):
  return raised_of(x, 2)

def rooted(x: Array):
  return raised_of(x, 0.5)

def raised_to(x: Array, y: Array):
  return raised_of(x, y)

def defaulted(x: Array, dtype=None):
  return _reduction(x, lax.exp, lax.cumsum, dtype or default_int_dtype())

def default_int_dtype() -> DType:
  return np.dtype("int32")

def untold(x: Array):
  return defaulted(x)

def no_truths(xs):
  ys = [lax.exp(x) if dtypes.dtype(x) == np.bool_ else x for x in xs]
  return [_reduction(y, lax.exp, lax.cumsum) for y in ys]

def total(x: Array, dtype=None):
  return _reduction(x, lax.exp, lax.cumsum, dtype, True)

def widened(x: Array):
  return total(x)

def asked(x: Array):
  return _reduction(x > 0, lax.exp, lax.cumsum)

def plain(x: Array):
  return _reduction(x / 2, lax.exp, lax.cumsum)

def before(x: Array):
  return _reduction(x / 2, lax.exp, lax.cumsum, before=lax.log1p)

def filled(value):
  if np.ndim(value) == 0:
    return lax.exp(value)
  return lax.add(value, value)

def with_number():
  return filled(0.5)

def with_array(x: Array):
  return filled(x)

def rounded(x: Array, decimals=0):
  decimals = core.concrete_or_error(operator.index, decimals, "decimals")
  if decimals == 0:
    return lax.exp(x)
  return lax.add(x, x)

def to_whole(x: Array):
  return rounded(x)

def to_tens(x: Array):
  return rounded(x, -1)

def array(x, dtype=None):
  if dtype is None:
    return lax.exp(x)
  return lax.add(x, x)

def joined(arrays):
  if isinstance(arrays, (np.ndarray, Array)):
    return lax.cumsum(arrays)
  return lax.exp(arrays)

def written(x: Array):
  return joined([x, x])

def each_of(*xs: Array):
  return joined([x for x in xs])

def parts(x: Array):
  return joined(_both(x))

def one_of(x: Array):
  return joined(_one(x))

def _both(x) -> list[Array]:
  return [x, x]

def _one(x) -> Array:
  return x

def _named(x, name):
  return lax.exp(x) if name.startswith("i") else lax.add(x, x)

def forth(x: Array):
  return _named(x, "fft")

def back(x: Array):
  return _named(x, "ifft")

def some_way(x: Array, name):
  return _named(x, name)

def limit(dtype):
  return filled(np.iinfo(dtype).max)

def listed(x: Array):
  return [lax.exp(x) for each in prng.kinds.keys()]

def like(x: Array):
  return array_of(x, _dtype(x)), array_of(x, dtypes.known(x))

def exactly(x: Array):
  return array_of(x, _dtype(x))

def array_of(x, dtype=None):
  if dtype is None:
    return lax.exp(x)
  return lax.add(x, x)

def _dtype(x) -> DType:
  return x.dtype
"""
NAMES = (
    "total widened asked plain before with_number with_array rounded to_whole to_tens like exactly limit listed"
    " joined written each_of parts one_of forth back some_way masked unmasked stepped mapped limited defaulted untold"
    " no_truths squared cubed rooted raised_to"
)
FILES = {
    "jax/_src/numpy/reductions.py": MORE,
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("reductions", NAMES.split()),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("total", {"exp", "cumsum"}),  # users may ask for truth values
        ("stepped", {"exp"}),
        ("mapped", {"exp"}),
        ("limited", {"exp"}),
        ("defaulted", {"exp", "cumsum"}),
        ("squared", {"exp"}),
        ("cubed", {"exp"}),
        ("rooted", {"exp", "cumsum"}),  # that the way for whole numbers fails for others is not known
        ("raised_to", {"exp", "cumsum"}),
        ("untold", {"exp"}),
        ("no_truths", {"exp"}),
        ("masked", {"cumsum", "exp"}),
        ("unmasked", {"cumsum"}),
        ("widened", {"exp"}),
        ("asked", {"cumsum"}),
        ("plain", {"exp"}),
        ("before", {"exp", "cumsum", "log1p"}),  # nobody knows what it makes, of what is not None
        ("with_number", {"exp"}),
        ("with_array", {"exp", "add"}),
        ("rounded", {"exp", "add"}),
        ("to_whole", {"exp"}),
        ("to_tens", {"add"}),
        ("joined", {"exp", "cumsum"}),
        ("written", {"exp"}),  # which is a list
        ("each_of", {"exp"}),
        ("parts", {"exp"}),
        ("one_of", {"exp", "cumsum"}),
        ("forth", {"add"}),
        ("back", {"exp"}),
        ("some_way", {"add", "exp"}),
        ("limit", {"exp"}),
        ("listed", {"exp"}),  # a dict is no array whose members are taken out
        ("like", {"exp", "add"}),
        ("exactly", {"add"}),  # what says that it gives a dtype gives no None
    ],
)
def test_ways_decide(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs
