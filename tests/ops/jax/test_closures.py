"""What a function gives back that is inside of it, ``add = maker(lax.add)``, is called with what the maker got."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MAKERS = b"""\
from functools import partial
import numpy as np
from jax._src.lax import lax
from jax._src.typing import Array
from jax._src.util import jit, described

def _either(name, lax_fn, bool_fn):
  def fn(x, y, /):
    x, y = promote_args(name, x, y)
    return lax_fn(x, y) if x.dtype != np.bool_ else bool_fn(x, y)
  fn.__name__ = name
  fn = jit(fn, inline=True)
  return described(name)(fn)

def _one(lax_fn, inexact=False, documented=True):
  if inexact:
    fn = lambda x, /: lax_fn(lax.exp(x))
  else:
    fn = lambda x, /: lax_fn(x)
  fn = jit(fn, inline=True)
  if documented:
    return described(name)(fn)
  return fn

def _compared(lax_fn):
  def fn(x, y, /):
    if np.iscomplexobj(x):
      return lax.exp(lax_fn(x, y))
    return lax_fn(x, y)
  return fn

add = _either("add", lax.add, lax.cumsum)
sums = _one(lax.cumsum)
log_sums = _one(lax.cumsum, True)
less = _compared(lax.add)

def negative(x: Array):
  return less(x.astype(int), 0)

def total(x: Array):
  return add(x / 2, x)

def mask(x: Array):
  return add(x == 0, x == 1)

def twice(x: Array):
  return add(x, x)
"""
NAMES = "add sums log_sums less negative total mask twice"
FILES = {
    "jax/_src/numpy/makers.py": MAKERS,
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("makers", NAMES.split()),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("add", {"add", "cumsum"}),
        ("sums", {"cumsum"}),
        ("log_sums", {"cumsum", "exp"}),
        ("less", {"add", "exp"}),
        ("negative", {"add"}),  # of whole numbers
        ("total", {"add"}),
        ("mask", {"cumsum"}),
        ("twice", {"add", "cumsum"}),
    ],
)
def test_what_the_maker_was_given_runs(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs


def test_a_function_is_told_by_the_name_that_it_has() -> None:
    use = next(iter(JaxTracer(small_jax(FILES), lambda _path: ()).explain("jnp.total").uses))
    assert [each.name for each in use.steps] == ["total", "add", "add"]
