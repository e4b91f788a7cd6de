"""What ``jit`` traces a function with is arrays: values of Python never get there, and ``*args`` are told apart."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
from functools import partial
from jax._src import api
from jax._src.api import jit
from jax._src.lax import lax
from jax._src.typing import Array, ArrayLike

def plain(x: ArrayLike):
  return _converted(x)

@jit
def traced(x: ArrayLike):
  return _converted(x)

@partial(api.jit, static_argnames=("n",))
def sized(x: ArrayLike, n):
  return _converted(n)

@jit(inline=True)
def perhaps(x: ArrayLike, more=None):
  if more is None:
    return lax.exp(x)
  return _converted(more)

def ufunc(unit):
  def decorate(f):
    return Ufunc(api.jit(f, inline=True), unit)
  return decorate

@ufunc(0)
def element(x: ArrayLike):
  return _converted(x)

def through(x: ArrayLike):
  return traced(x)

def _converted(x):
  if isinstance(x, (int, float)):
    return lax.cumsum(x)
  return lax.exp(x)

def together(x: ArrayLike, y: ArrayLike):
  return _together("together", x, y)

@jit
def together_traced(x: ArrayLike, y: ArrayLike):
  return _together("together", x, y)

def _together(name, *args):
  args = tuple(_protocol(arg) for arg in args)
  return _promoted(*args)

def _promoted(*args):
  return [_converted(x) for x in args]

def _protocol(x):
  m = getattr(x, "__jax_array__", None)
  return m() if m is not None else x

def typed(x: ArrayLike):
  return _typed(x)

@jit
def typed_traced(x: ArrayLike):
  return _typed(x)

def _typed(x):
  if type(x) is int:
    x = TypedArray(x)
  if isinstance(x, (int, float)):
    return lax.cumsum(x)
  return lax.exp(x)

def like(x: Array):
  return x.conj()

def duck(x: Array):
  return _duck(x)

def _duck(a: ArrayLike | Duck):
  if not hasattr(a, "dtype"):
    m = getattr(a, "__jax_array__", None)
    if m is not None:
      a = m()
  return _like(a)

def _conj(x):
  return _like(x)

def _like(x):
  if isinstance(x, Ref):
    return lax.cumsum(x)
  return lax.exp(x)

_array_operators = {}
_array_methods = {"conj": _conj}
"""
NAMES = "plain traced sized perhaps element through together together_traced typed typed_traced like duck"
FILES = {
    "jax/_src/numpy/array_methods.py": MORE,
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("array_methods", NAMES.split()),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("plain", {"exp", "cumsum"}),  # users give numbers for arrays
        ("traced", {"exp"}),
        ("sized", {"exp", "cumsum"}),  # which is left as it is
        ("perhaps", {"exp"}),
        ("element", {"exp"}),
        ("through", {"exp"}),
        ("together", {"exp", "cumsum"}),
        ("together_traced", {"exp"}),
        ("typed", {"exp", "cumsum"}),
        ("typed_traced", {"exp"}),
        ("like", {"exp"}),  # what has the method is an array
        ("duck", {"exp"}),
    ],
)
def test_traced_values_decide(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs
