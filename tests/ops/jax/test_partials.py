"""A function with some of its arguments is that function, and of numbers no conversion makes a copy."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
from functools import partial
from jax._src.lax import lax
from jax._src.typing import Array

def full_like(x, fill_value, shape=None):
  if isinstance(x, Ref):
    return lax.cumsum(x)
  if shape is None:
    return lax.add(x, fill_value)
  return lax.exp(x)

_ones = partial(full_like, fill_value=1)
_one = partial(full_like, shape=(), fill_value=1)
_counted = partial(tree_map, lax.exp)

def ones(x: Array):
  return _ones(x)

def one(x: Array):
  return _one(x)

def counted(x: Array):
  return _counted(x)

def local(x: Array, n):
  made = partial(full_like, shape=(n,))
  return made(x, 0)

def handed(x: Array, n, split=False):
  made = partial(full_like, shape=(n,))
  if split:
    return tree_map(made, x)
  return made(x, 0)

def unsplit(x: Array):
  return handed(x, 2)

def at_once(x: Array, n):
  return partial(full_like, fill_value=0)(x, shape=(n,))

def mapped(x: Array):
  return vmap(full_like, in_axes=0)(x, 1)

def by_axes(x: Array, out_sharding, n):
  return maybe_auto_axes(full_like, out_sharding, shape=(n,))(x, 1)

def _by_mode(x, mode):
  return lax.exp(x) if mode == "high" else lax.cumsum(x) if mode == "low" else lax.add(x, x)

def by_mode(x: Array, mode=None):
  if mode is None:
    mode = "high" if flags.many.value else "low"
  if mode not in ("highest", "high", "low"):
    raise ValueError(mode)
  return _by_mode(x, mode=mode)

def tree_map(f, x):
  return f(x)

def array(x, dtype=None, copy=True):
  if isinstance(x, float):
    return lax.cumsum(x)
  y = x.known
  if isinstance(y, Array):
    return lax.exp(y) if copy else y
  return y

def of_number(x: Array):
  return lax.add(array(0.5), x)

def of_array(x: Array):
  return lax.add(array(x), x)

def of_both(x: Array):
  return array(1.0), array(x)
"""
NAMES = "ones one counted local handed unsplit at_once mapped by_axes by_mode of_number of_array of_both"
FILES = {
    "jax/_src/numpy/more.py": MORE,
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("more", NAMES.split()),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("ones", {"add"}),
        ("one", {"exp"}),
        ("counted", {"exp"}),
        ("local", {"exp"}),
        ("handed", {"exp", "add", "cumsum"}),  # what is handed on may be called with anything
        ("unsplit", {"exp"}),
        ("at_once", {"exp"}),
        ("mapped", {"add"}),
        ("by_axes", {"exp"}),
        ("by_mode", {"exp", "cumsum", "add"}),
        ("of_number", {"add", "cumsum"}),
        ("of_array", {"add", "exp", "cumsum"}),
        ("of_both", {"cumsum", "exp"}),
    ],
)
def test_partials_and_conversions(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs
