"""What dtypes of values decide of what a function of JAX runs: indices are no complex numbers, members are as all."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
import numpy as np
from jax._src import util
from jax._src.lax import lax
from jax._src.typing import Array

def less(x: Array, y: Array):
  return _ordered(lax.exp, *util.promote_args("less", x, y))

def _ordered(op, x: Array, y: Array, key=None):
  if np.issubdtype(x.dtype, np.complexfloating):
    return lax.add(x, y)
  return op(x)

def of_numbers(x: Array):
  return less(x.ndim, 1)

def taken(x: Array, start_indices):
  return [less(i, 0) for i in start_indices]

def each(x: Array, start_indices):
  for i, size in zip(list(start_indices), x.shape):
    x = less(i, size)
  return x

def others(x: Array, values):
  i = 1
  for i in values:
    x = less(i, 0)
  return x

def inside(x: Array):
  size = x.ndim
  return lax.scan(lambda y, z: less(size, 1), x)

def typed(x: Array):
  return made(x, dtype=x.dtype)

def made(x, dtype=None, place=None):
  place = util.chosen(place)
  if dtype is None:
    return lax.add(x, x)
  if place is not None:
    return lax.add(x, x)
  return placed(x, place)

def placed(x, place):
  if place is not None:
    return lax.add(x, x)
  return lax.exp(x)

def given(x: Array, y: Array):
  return less(x, y)
"""
NAMES = "of_numbers taken each others inside typed given".split()
FILES = {
    "jax/_src/numpy/more.py": MORE,
    "jax/_src/lax/lax.py": LAX,
    "jax/_src/util.py": b"def chosen(place):\n  if place is None:\n    return None\n  return place.here()\n",
    "jax/numpy/__init__.py": exported("more", NAMES),
}


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("of_numbers", {"exp"}),
        ("taken", {"exp"}),
        ("each", {"exp"}),
        ("others", {"exp", "add"}),
        ("inside", {"exp"}),  # what is bound once is the same in functions inside
        ("typed", {"exp"}),  # an array has a dtype, and what is chosen of no place is none
        ("given", {"exp", "add"}),
    ],
)
def test_dtypes_decide(word: str, named: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == named
