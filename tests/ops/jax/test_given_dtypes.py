"""What checks leave of the dtypes of arrays, and what functions make of the dtypes that they are given."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
from jax._src import dtypes
from jax._src.lax import lax
from jax._src.typing import Array

def check_mask(name, mask):
  if mask is None:
    return mask
  mask = ensure_arraylike(name, mask)
  if mask.dtype != bool:
    raise ValueError("it is no mask")
  return mask

def _chosen(mask, x):
  if not np.issubdtype(_dtype(mask), np.bool_):
    mask = lax.exp(mask)
  return lax.cumsum(x)

def checked(x: Array, mask=None):
  mask = check_mask("checked", mask)
  return _chosen(mask, x)

def unchecked(x: Array, mask=None):
  return _chosen(mask, x)

def no_masks(x: Array):
  if x.dtype == bool:
    raise TypeError("it is a mask")
  return of_masks(x)

def of_masks(x):
  if x.dtype == bool:
    return lax.exp(x)
  return lax.cumsum(x)

def _counted(x, weights=None):
  if weights is None:
    weights = np.array(1, dtype="int32")
  return jnp.zeros(9, _dtype(weights)).at[x].add(weights)

def _halved(x):
  if np.issubdtype(x.dtype, np.integer):
    return lax.exp(x)
  return lax.add(x, x)

def counts(x: Array):
  return _halved(_counted(x))

def weighs(x: Array):
  return _halved(_counted(x, x / 2))

def weighs_by_name(x: Array):
  return _halved(_counted(x, weights=x / 2))

def weighs_more(x: Array, **more):
  return _halved(_counted(x, **more))

def weighs_all(x: Array, weights=None):
  return _halved(_counted(x, weights))

def real_only(x: Array):
  if dtypes.issubdtype(x.dtype, np.complexfloating):
    raise TypeError("it is complex")
  return of_complex(x)

def of_complex(x):
  if np.iscomplexobj(x):
    return lax.exp(x)
  return lax.cumsum(x)

def of_real(x: Array):
  return of_complex(x.real)

def prepared(x: Array):
  return _reduced(x > 0, of_complex)

def prepared_any(x: Array):
  return _reduced(x, of_complex)

def _reduced(x, before=None):
  x = before(x) if before else x
  return lax.add(x, x)

def prepared_deep(x: Array):
  return _deeper(x > 0, of_complex)

def _deeper(x, before):
  return _reduced(x, before)

def through(x: Array):
  x = x > 0
  n = [x for x in range(3)]
  return of_complex(x)

def transformed(x: Array):
  return _halved(fft(x) * 2)

def fft(x):
  return known.of(x)

def mapped(x: Array):
  return _halved(vmap(_counted)(x))

def _powered(x, order):
  if order is None or order == 2:
    return lax.exp(x)
  return lax.cumsum(x)

def powered(x: Array, order: int | str | None = None):
  return _powered(x, 2 if order is None else order)

def squared(x: Array):
  return powered(x)

def first(x: Array):
  return along(x, 0)

def along(x: Array, axis: int | None = None):
  return _along(x, None if axis is None else operator.index(axis))

def _along(x, axis):
  if axis is None:
    return lax.exp(x)
  return lax.cumsum(x)

def _dtype(x):
  return x.dtype
"""
NAMES = (
    "checked unchecked no_masks counts weighs weighs_by_name weighs_more weighs_all real_only of_real prepared"
    " prepared_any prepared_deep through transformed mapped squared first along"
)
FILES = {
    "jax/_src/numpy/reductions.py": MORE,
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("reductions", NAMES.split()),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("checked", {"cumsum"}),
        ("unchecked", {"exp", "cumsum"}),
        ("no_masks", {"cumsum"}),
        ("counts", {"exp"}),
        ("weighs", {"add"}),
        ("weighs_by_name", {"add"}),
        ("weighs_more", {"exp", "add"}),
        ("weighs_all", {"exp", "add"}),
        ("real_only", {"cumsum"}),
        ("of_real", {"cumsum"}),
        ("prepared", {"cumsum", "add"}),
        ("prepared_any", {"exp", "cumsum", "add"}),
        ("through", {"cumsum"}),
        ("transformed", {"add"}),
        ("mapped", {"exp"}),
        ("first", {"cumsum"}),
        ("along", {"exp", "cumsum"}),
        ("squared", {"exp"}),  # neither of the two numbers leads on
        ("prepared_deep", {"exp", "cumsum", "add"}),  # it is handed on
    ],
)
def test_dtypes_decide(word: str, runs: set[str]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op for use in uses} == runs
