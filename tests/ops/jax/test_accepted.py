"""What a function surely gives a primitive is of a dtype that this accepts: with others no call succeeds."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE_LAX = (
    LAX
    + b"""
_float = {np.floating}
_complex = {np.complexfloating}
_int = {np.integer}
_num = _int | _float | _complex

lgamma_p = standard_unop(_float, 'lgamma')
rem_p = standard_naryop([_int | _float, _int | _float], 'rem')
clz_p = unop(_fixed, {np.integer}, 'clz')
neg_p = standard_unop(_num, 'neg')

def lgamma(x):
  return lgamma_p.bind(x)

def rem(x, y):
  x, y = core.standard_insert_pvary(x, y)
  return rem_p.bind(x, y)

def clz(x):
  return clz_p.bind(x)

def neg(x):
  return neg_p.bind(x)
"""
)
MORE = b"""\
import numpy as np
from jax._src.lax import lax
from jax._src.typing import Array, ArrayLike

def _either(x, y):
  x, y = promote_args("either", x, y)
  if np.iscomplexobj(x):
    return lax.exp(x)
  if x.dtype == np.bool_:
    return lax.cumsum(x)
  return lax.add(x, y)

def gammaln(x: ArrayLike):
  x, = promote_args_inexact("gammaln", x)
  return lax.lgamma(x)

def plain(x: Array, y: Array):
  return _either(x, y)

def before(x: Array, y: Array):
  found = _either(x, x)
  return found + gammaln(x)

def promoted(x: Array, y: Array):
  x, y = promote_args_inexact("promoted", x, y)
  return _either(x, y), lax.lgamma(y)

def rest(x: Array, y: Array):
  return _either(x, x), lax.rem(x, y)

def bits(x: Array):
  return _either(x, x), lax.clz(x)

def negative(x: Array):
  return _either(x, x), lax.neg(x)

def real_part(x: Array):
  return _either(x, x), lax.lgamma(x.real)

def perhaps(x: Array, log=False):
  if log:
    return lax.lgamma(x)
  return _either(x, x)

def repeated(x: Array, times):
  for each in times:
    lax.lgamma(x)
  return _either(x, x)
"""
NAMES = "plain before promoted rest bits negative real_part perhaps repeated".split()
FILES = {
    "jax/_src/numpy/more.py": MORE,
    "jax/_src/lax/lax.py": MORE_LAX,
    "jax/numpy/__init__.py": exported("more", NAMES),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("plain", {"exp", "cumsum", "add"}),
        ("before", {"cumsum", "add", "lgamma"}),  # truth values become floats
        ("promoted", {"add", "lgamma"}),
        ("rest", {"add", "rem"}),
        ("bits", {"add", "clz"}),
        ("negative", {"exp", "add", "neg"}),
        ("real_part", {"exp", "cumsum", "add", "lgamma"}),
        ("perhaps", {"exp", "cumsum", "add", "lgamma"}),
        ("repeated", {"exp", "cumsum", "add", "lgamma"}),
    ],
)
def test_what_surely_runs_says_which_dtypes_there_are(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs
