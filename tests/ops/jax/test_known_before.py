"""What is known before a trace: an index that is written out, what reductions are handed, numbers and texts."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

INDEXING = b"""\
from jax._src.lax import lax

def rewriting_take(arr, idx):
  indexer = parsed(idx)
  try:
    static = indexer.to_static_slice()
  except TypeError:
    pass
  else:
    return _static_slice(arr, static)
  return _gather(arr)

def _gather(arr):
  return lax.cumsum(arr)

def _static_slice(arr: Array, indexer):
  result = arr if indexer.is_trivial_slice() else lax.exp(arr)
  if indexer.rev_axes:
    result = lax.rev(result, indexer.rev_axes)
  if indexer.squeeze_axes:
    result = lax.squeeze(result, indexer.squeeze_axes)
  if indexer.newaxis_dims:
    result = lax.log1p(result)
  return result

class NDIndexer:
  def to_gather(self):
    return lax.add(self, self)
"""
MORE = b"""\
from jax._src.lax import lax
from jax._src.numpy import reductions
from jax._src.typing import Array

def first(x: Array):
  return x[0]

def rest(x: Array, n: int):
  return x[1:n, ..., -1]

def tail(x: Array, n: int):
  return x[n:]

def standing(x: Array):
  return x[1:, None]

def backwards(x: Array):
  return x[::-1]

def both(x: Array):
  return x[1:] * x[0]

def cut(x: Array, sizes):
  return x[tuple(slice(n) for n in sizes)]

def picked(x: Array):
  return x[[0, 1]]

def total(x: Array, initial=None):
  return reductions._total(x, initial)

def whole(x: Array):
  return reductions._total(x, None)

def folded(x: Array, by):
  return lax.reduce(x, 0, by, (0,))

def _normed(x: Array, order=None):
  if order is None or order in ("f", "fro"):
    return lax.exp(x)
  return lax.add(x, x)

def first_order(x: Array):
  return _normed(x, 1)

def named_order(x: Array):
  return _normed(x, "fro")

def some(x: Array, i):
  return x[i, 0]

def looped(x: Array):
  return [x[i, 0] for i in range(3)], [x[i] for i in range(x.ndim)]

def turned(x: Array, swap=False):
  order = slice(None)
  if swap:
    order = slice(None, None, -1)
  return x[0, order]

def shortened(x: Array, axis):
  parts = [slice(None)] * x.ndim
  parts[axis] = slice(1, None)
  index = tuple(parts)
  return x[index]

def emptied(x: Array, axis):
  parts = [slice(None)] * x.ndim
  parts[axis] = axis.start
  return x[tuple(parts)]

@jit
def chosen(x: Array, i: Array):
  return x[i, 0]

def chosen_first(x: Array):
  return _chosen(x, 0), _chosen(x, 1)

def _chosen(x: Array, i):
  return x[i]

def looked_up(x: Array, order: Array):
  return x[order, :]

def sorted_by(x: Array, y: Array):
  order = _order(y)
  return x[order, :]

def _order(y) -> Array:
  return lax.exp(y)

def split(x: Array):
  order, rest = _split(x, 0)
  return x[order]

def backwards_at(x: Array):
  return x.at[::-1].set(0)

def rows_at(x: Array):
  return x.at[0, 1:].set(0)

def every_other_at(x: Array):
  return x.at[::2].set(0)

def first_at(x: Array):
  return x.at[0].set(0)

def _split(x, n) -> tuple[Array, ...]:
  return x
"""
REDUCTIONS = b"""\
from jax._src.lax import lax

def _total(x: Array, initial):
  return _reduction(x, lax.exp, 0, initial)

def _reduction(x: Array, op, init, initial=None):
  result = lax.reduce(x, init, op, (0,))
  if initial is not None:
    result = op(result)
  return result
"""
REDUCE = b"""
reduce_p = Primitive('reduce')
def reduce(x, init, computation, axes):
  monoid_reducer = _known(computation, init)
  if monoid_reducer:
    return squeeze(x, axes)
  else:
    return reduce_p.bind(x, jaxpr=traced(computation))
def _known(computation, init):
  return squeeze if computation is exp else None
"""
NAMES = (
    "first",
    "rest",
    "tail",
    "standing",
    "backwards",
    "both",
    "cut",
    "picked",
    "some",
    "total",
    "whole",
    "folded",
    "looped",
    "turned",
    "shortened",
    "emptied",
    "chosen",
    "chosen_first",
    "first_order",
    "named_order",
    "looked_up",
    "sorted_by",
    "split",
    "backwards_at",
    "rows_at",
    "every_other_at",
    "first_at",
)
FILES = {
    "jax/_src/numpy/more.py": MORE,
    "jax/_src/numpy/indexing.py": INDEXING,
    "jax/numpy/__init__.py": exported("more", NAMES),
    "jax/_src/lax/lax.py": LAX
    + b"rev_p = Primitive('rev')\nsqueeze_p = Primitive('squeeze')\n"
    + b"def rev(x, axes):\n  return rev_p.bind(x)\ndef squeeze(x, axes):\n  return squeeze_p.bind(x)\n"
    + REDUCE,
    "jax/_src/numpy/reductions.py": REDUCTIONS,
    "jax/_src/numpy/array_methods.py": b"from jax._src.numpy import indexing\n"
    b"def _getitem(self, item):\n  return indexing.rewriting_take(self, item)\n"
    b'_array_operators = {"getitem": _getitem}\n_array_properties = {"at": _AtProperty}\n'
    b"class _AtProperty:\n  def __getitem__(self, index):\n    return _Ref(self.array, index)\n"
    b"class _Ref:\n  def set(self, values):\n    return scatter._update(self.array, self.index, values)\n"
    b"from jax._src.ops import scatter\n",
    "jax/_src/ops/scatter.py": b"from jax._src.lax import lax\nfrom jax._src.numpy import indexing\n"
    b"def _update(x, index, y):\n"
    b"  indexer = parsed(index).to_gather()\n"
    b"  if core.definitely_equal(step, 1):\n    y = lax.exp(y)\n  else:\n    y = lax.cumsum(y)\n"
    b"  if indexer.reversed_y_dims:\n    y = lax.rev(y, (0,))\n  return y\n",
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("total", "exp squeeze"),  # with what was given at first
        ("whole", "squeeze"),
        ("folded", "reduce squeeze"),
        ("first_order", "add"),  # neither of the ways into the branch is open
        ("named_order", "exp"),
        ("first", "exp squeeze"),
        ("rest", "exp squeeze"),
        ("tail", "exp"),  # the ends of a slice are known, whatever they are
        ("standing", "exp log1p"),
        ("backwards", "exp rev"),
        ("both", "exp squeeze"),  # each index by itself, and all of them
        ("cut", "exp"),
        ("picked", "cumsum"),  # a list is an array
        ("looped", "exp squeeze"),
        ("turned", "exp rev squeeze"),
        ("shortened", "exp"),
        ("emptied", "cumsum exp log1p rev squeeze"),
        ("chosen", "cumsum"),
        ("chosen_first", "exp squeeze"),
        ("looked_up", "cumsum exp squeeze"),  # a number may stand for an array
        ("sorted_by", "cumsum exp"),
        ("split", "cumsum"),
        ("backwards_at", "add cumsum exp rev"),
        ("rows_at", "add exp"),
        ("every_other_at", "add cumsum exp"),
        ("first_at", "add exp"),  # one class alone of an imported module has the method
        ("some", "cumsum exp log1p rev squeeze"),  # nobody knows what i is
    ],
)
def test_what_runs(word: str, runs: str) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert sorted(use.op for use in uses) == runs.split()


def test_a_tree_without_such_a_function_decides_by_what_others_ask() -> None:
    files = {**FILES, "jax/_src/numpy/indexing.py": INDEXING.replace(b"_static_slice", b"_sliced")}
    uses = JaxTracer(small_jax(files), lambda _path: ()).explain("jnp.first").uses
    assert sorted(use.op for use in uses) == ["cumsum", "exp", "squeeze"]
