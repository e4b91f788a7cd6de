"""What classes of values decide of what a function of JAX runs: arrays are no references, numbers name no axis."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
from jax._src import core
from jax._src.lax import lax
from jax._src.typing import Array

def total(x: Array, axis=None):
  return _reduce(x, axis=_known(axis), parallel=lax.add)

def _known(axis):
  def force(axis):
    if axis is None:
      return None
    return tuple(i if isinstance(i, str) else int(i) for i in axis)
  return core.concrete(force, axis, "the axis must be known")

def _reduce(x, axis=None, parallel=None):
  axis = core.concrete(None, axis, f"axis of {x} is not known")
  some, every = _dims(x, axis)
  if some is not every:
    return parallel(x, every)
  return lax.exp(x)

def _dims(x, axis):
  if axis is None:
    return (tuple(range(x.ndim)),) * 2
  axes = axis if isinstance(axis, tuple) else (axis,)
  every = tuple(_one(each, x.ndim) for each in axes)
  some = tuple(each for each in every if isinstance(each, int))
  if len(some) != len(every):
    return some, every
  return every, every

def _one(axis, rank):
  return axis if isinstance(axis, str) else axis + rank

def taken_out(x: Array):
  if any(isinstance(d, core.Tracer) for d in x.shape):
    return lax.cumsum(x)
  return lax.exp(x)

def of_any(x: Array, *others):
  if any(isinstance(each, core.Tracer) for each in others):
    return lax.cumsum(x)
  return lax.exp(x)

def everywhere(x: Array):
  return total(x)

def last(x: Array):
  return total(x, -1)

def two(x: Array):
  return total(x, axis=(0, 1))

def along(x: Array, axis=None):
  return total(x, axis)

def named(x: Array):
  return total(x, "rows")

def normed(x: Array, axis=None, keeping=False):
  if axis is None:
    axis = tuple(range(x.ndim))
  elif isinstance(axis, tuple):
    axis = tuple(_index(each, x.ndim) for each in axis)
  else:
    axis = (_index(axis, x.ndim),)
  match axis:
    case [_]:
      return total(x, axis)
    case [row, column]:
      if not keeping and column > row:
        column -= 1
      return total(x, column)

def _index(axis, rank) -> int:
  return axis + rank

def handing(x: Array):
  return _handing(x, lax.add)

def _handing(x, parallel):
  if x is None:
    return parallel(x)
  return core.call(parallel, x)

def filled(x: Array):
  return _like(x)

def filled_alike(x: Array | Duck):
  return _like(x)

def _like(x):
  if isinstance(x, Ref):
    return lax.add(x, x)
  return lax.exp(x)

def staged(x: Array):
  return _converted(_halved(x))

def staged_twice(x: Array, by):
  y = _halved(x) if by else x
  return _converted(y)

def unpacked(x: Array):
  y, z = _both(x)
  return _converted(z)

def converted(x: Array):
  return _converted(x)

def _converted(x):
  if isinstance(x, (int, float)):
    return lax.cumsum(x)
  return lax.exp(x)

def inside(x: Array):
  return _is_inside(x), _is_known(x)

def _is_inside(x) -> Array:
  return lax.exp(x)

def _is_known(x):
  return lax.add(x, x)

def _halved(x) -> Array:
  return x

def _both(x) -> tuple[Array, ...]:
  return x
"""
CORE = b"""\
from jax._src import config
class Primitive: pass
def concrete(force, value, context=""):
  if force is None:
    force = lambda x: x
  if isinstance(value, Tracer):
    known = value.known()
    return force(known)
  return force(value)
def call(f, x):
  return f(x)
"""
NAMES = (
    "everywhere last two along named total handing filled filled_alike staged staged_twice unpacked converted inside"
    " normed taken_out of_any"
)
FILES = {
    "jax/_src/numpy/more.py": MORE,
    "jax/_src/core.py": CORE,
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("more", NAMES.split()),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("total", {"exp", "add"}),  # users may give a name
        ("everywhere", {"exp"}),
        ("last", {"exp"}),
        ("two", {"exp"}),
        ("along", {"exp", "add"}),
        ("named", {"exp", "add"}),
        ("normed", {"exp"}),
        ("taken_out", {"exp"}),  # the sizes of an array are numbers
        ("of_any", {"exp", "cumsum"}),
        ("handing", {"add"}),  # what is handed on may be called
        ("filled", {"exp"}),
        ("filled_alike", {"exp", "add"}),  # which may be anything
        ("staged", {"exp"}),
        ("staged_twice", {"exp", "cumsum"}),
        ("unpacked", {"exp"}),
        ("inside", {"exp"}),  # what gives an array does more than ask
        ("converted", {"exp", "cumsum"}),  # users give numbers for arrays
    ],
)
def test_classes_decide(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs
