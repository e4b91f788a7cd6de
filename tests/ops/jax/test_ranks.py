"""How many of the operands of a function have a rank: no number of Python has one, not even where it is traced."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
from jax._src.lax import lax
from jax._src.typing import Array

def _promote(name, *args):
  return _alike(name, *_of_one_type(*args))

def _of_one_type(*args):
  return [_typed(each) for each in args]

def _alike(name, *args):
  if len(args) < 2:
    return args
  shapes = [np.shape(each) for each in args]
  ranks = {len(shape) for shape in shapes if shape}
  if len(ranks) < 2:
    return args
  return [lax.exp(each) for each in args]

@jit
def _compared(x: Array, y: Array):
  return lax.add(*_promote("compared", x, y))

def with_zero(x: Array):
  return _compared(x, 0)

def _of(x, other):
  return _compared(x, other)

def with_number(x: Array, n: int):
  return _of(x, n)

def with_other(x: Array, y: Array):
  return _of(x, y)

def with_some(*xs: Array):
  return lax.add(*_promote("some", *xs))

def three(x: Array, y: Array):
  return lax.add(*_promote("three", x, y, 1))
"""
NAMES = "with_zero with_number with_other with_some three"
FILES = {
    "jax/_src/numpy/more.py": MORE,
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("more", NAMES.split()),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("with_zero", {"add"}),
        ("with_number", {"add"}),
        ("with_other", {"add", "exp"}),
        ("with_some", {"add", "exp"}),
        ("three", {"add", "exp"}),
    ],
)
def test_ranks_decide(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs
