"""What the values of a function of JAX decide of what it runs: objects of classes, loops, texts, comparisons."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

MORE = b"""\
import re
from jax._src import util
from jax._src.lax import lax
from jax._src.trees import unflattened
from jax._src.typing import Array

class Gatherer:
  def gathered(self, x):
    return lax.cumsum(x)
  def __call__(self, x):
    return lax.log1p(x)
  def shifted(self) -> "Gatherer":
    return self

class Other:
  def items(self, x: Array):
    return lax.add(x, x)

def taken(x: Array, tree):
  index = unflattened(tree)
  return index.gathered(lax.exp(x))

def taken_later(x: Array, index):
  index = index.shifted()
  return lax.exp(index.gathered(x))

def called(x: Array, index):
  return lax.exp(x), index(x)

def of_python(x: Array, table):
  return lax.exp(x), table.items(x)

def below(x: Array):
  return util.moved(lax.exp(x))

def right_of_a_number(x: Array):
  return lax.exp(0 <= x)

def size(x: Array):
  return lax.exp(abs(x) < 1)

def bound(x: Array):
  x, info = lax.exp_p.bind(x)
  return info < 0

def split(x: Array) -> Array:
  return lax.exp(x)

def halves(x: Array):
  return split(x)[0]

def words(x: Array, text: str):
  return lax.exp(x), [part.split(",", 1)[0] for part in text.split()]

class Table:
  def __init__(self, run):
    self.run = run

TABLE = Table(lax.softplus)

def kept(x: Array):
  return lax.cumsum(x), Table(lax.softplus), TABLE

def each(*xs: Array):
  for x in xs:
    lax.exp(x)

def others(x: Array, xs):
  for y in xs[1:]:
    x = lax.exp(x)
  return x

WORD = re.compile("[a-z]+")
KEYS = util.compile("[a-z]+")

def described(x: Array, text: str):
  text = WORD.sub(lambda match: match.groups()[0], text)
  return lax.exp(x)

def concrete(force, value):
  if force is None:
    force = lambda y: y
  return force(value)

def larger(x: Array, size):
  size = concrete(None, size)
  return lax.exp(x), size.turn()

def looked_up(x: Array, text: str):
  KEYS.sub(lambda y: y[0], text)
  return lax.exp(x)

def sized(x: Array, shape):
  for name, size in shape.named:
    x = lax.exp(x)
  return x
"""
METHODS = b"""\
from jax._src.lax import lax
def _turn(x):
  return lax.cumsum(x)
_array_operators = {"lt": lax.add, "ge": lax.cumsum, "le": lax.log1p, "abs": lax.exp, "getitem": lax.cumsum}
_array_methods = {"turn": _turn}
"""
NAMES = (
    "taken taken_later called of_python below right_of_a_number size bound halves words kept each others sized"
    " described looked_up larger".split()
)
FILES = {
    "jax/_src/numpy/more.py": MORE,
    "jax._src.trees.py": b"def unflattened(tree):\n  return tree\n",
    "jax/_src/numpy/array_methods.py": METHODS,
    "jax/_src/util.py": b"from jax._src.typing import Array\ndef moved(x: Array):\n  return x.turn()\n",
    "jax/_src/lax/lax.py": LAX,
    "jax/numpy/__init__.py": exported("more", NAMES),
}


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("taken", {"exp": True, "cumsum": False}),  # one class of the file has such a method
        ("taken_later", {"exp": True, "cumsum": False}),
        ("called", {"exp": True}),  # anything may be called
        ("of_python", {"exp": True}),  # as collections of Python have it
        ("below", {"exp": True, "cumsum": True}),  # a method of arrays, wherever it is used
        ("right_of_a_number", {"exp": True, "cumsum": True}),  # x >= 0
        ("size", {"exp": True, "add": True}),
        ("bound", {"exp": True, "add": True}),
        ("halves", {"exp": True, "cumsum": True}),  # it says that it gives one array
        ("words", {"exp": True}),
        ("kept", {"cumsum": True, "exp": False, "log1p": False, "add": False}),  # an object keeps a function
        ("each", {"exp": True}),
        ("others", {"exp": False}),  # there may be none
        ("sized", {"exp": False}),
        ("larger", {"exp": True}),  # a function that gives back what it is given makes no array
        ("described", {"exp": True}),  # a regular expression calls back with what it matched
        ("looked_up", {"exp": True, "cumsum": False}),
    ],
)
def test_values_decide(word: str, runs: dict[str, bool]) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    assert {use.op: use.certain for use in uses} == runs


@pytest.mark.parametrize(
    ("word", "asked"),
    [("taken", "if the object is a Gatherer"), ("others", "for any y in xs[1:]")],
)
def test_what_decides_is_told(word: str, asked: str) -> None:
    uses = JaxTracer(small_jax(FILES), lambda _path: ()).explain(f"jnp.{word}").uses
    (use,) = (each for each in uses if not each.certain)
    assert asked in [each.text for each in use.conditions]


def test_a_custom_call_may_be_named_by_bytes() -> None:
    by_type = b"""def getrf_hlo(ctx, x):
  if x.dtype == np.float32:
    fn = b"lapack_sgetrf_ffi"
  else:
    raise NotImplementedError(x.dtype)
  return custom_call(fn, x)
"""
    tracer = JaxTracer(small_jax({"jaxlib/lapack.py": by_type}), lambda _path: ())
    kernels = tracer.explain("jax.lax.linalg.lu").stories[0].kernels
    assert [each.kernel_class for each in kernels if each.device == "cpu"] == ["lapack_sgetrf_ffi"]


def test_what_only_lifts_values_into_a_trace_comes_last() -> None:
    lifting = b"""
stage_p = core.Primitive("stage")
def staged(x):
  y = stage_p.bind(x) if isinstance(x, int) else x
  return exp(log1p_p.bind(y))
def _staged(trace, args, avals, params):
  return trace.stage_value(args[0])
stage_p.def_bind_with_trace(_staged)
def _logged(trace, args, avals, params):
  return core.Primitive.bind_with_trace(log1p_p, trace, args, avals, params)
log1p_p.def_bind_with_trace(_logged)
"""
    public = b"from jax._src.lax.lax import staged as staged\n"
    tracer = JaxTracer(small_jax({"jax/_src/lax/lax.py": LAX + lifting, "jax/lax/__init__.py": public}), lambda _: ())
    assert [use.op for use in tracer.explain("jax.lax.staged").uses] == ["log1p", "exp", "stage"]
