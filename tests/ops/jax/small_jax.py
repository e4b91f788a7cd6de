"""A tree in the shape of JAX: each way of making a primitive, of lowering it, and of registering a custom call."""

from __future__ import annotations

from collections.abc import Iterable

from bzlgraph.workspace.sources.source import MemorySource

LAX = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib.mlir.dialects import chlo
from jax._src.lib.mlir.dialects import hlo

def exp(x):
  return exp_p.bind(x)

def add(x, y):
  return add_p.bind(x, y)

def cumsum(x):
  return cumsum_p.bind(x)

def softplus(x):
  return log1p(exp(x))

def log1p(x):
  if x is None:
    return add(x, x)
  return log1p_p.bind(x)

def _nary_lower_hlo(op, ctx, *args):
  args = mlir.multi_broadcast_in_dim(ctx, args)
  return [op(*args)]

exp_p = standard_unop(_float, 'exp')
mlir.register_lowering(exp_p, partial(_nary_lower_hlo, hlo.exponential))

add_p: core.Primitive = core.Primitive('add')
mlir.register_lowering(add_p, partial(_nary_lower_hlo, hlo.add))

log1p_p = core.Primitive("log1p")
mlir.register_lowering(log1p_p, mlir.lower_fun(softplus, multiple_results=False))

copy_p = core.Primitive('copy')
mlir.register_lowering(copy_p, lambda ctx, x: [x])

def _no_lowering(*args):
  raise NotImplementedError("only on CPUs")

odd_p = core.Primitive('odd')
mlir.register_lowering(odd_p, _no_lowering)

lonely_p = core.Primitive('lonely')

def _reduction(name, reduce_fn):
  reducer_p = core.Primitive(name)
  def register_lowering(fn, platform=None):
    mlir.register_lowering(reducer_p, mlir.lower_fun(fn), platform=platform)
  register_lowering(partial(scan, reduce_fn), 'METAL')
  return reducer_p

def scan(f, x):
  return f(x, x)

cumsum_p = _reduction('cumsum', add)

def _iter(x):
  return cumsum(x)
"""
MLIR = b"""\
from jax._src.lib.mlir.dialects import hlo
def multi_broadcast_in_dim(ctx, args):
  return hlo.broadcast_in_dim(args)
"""
LINALG = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib import lapack
from jax._src.lib.mlir.dialects import hlo
import jaxlib.lapack

_NAME = "SpecialEigh"

def lu(x):
  return lu_p.bind(x)

def _lu_lowering(getrf, ctx, x, platform=""):
  if x is None:
    return getrf(ctx, x)
  return ffi_lowering(f"{platform}solver_getrf_ffi")(ctx, x)

lu_p = core.Primitive('lu')
mlir.register_lowering(lu_p, partial(_lu_lowering, jaxlib.lapack.getrf_hlo, platform="cpu"), platform='cpu')
mlir.register_lowering(lu_p, partial(_lu_lowering, None, platform="cu"), platform='cuda')
mlir.register_lowering(lu_p, partial(_lu_lowering, None, platform="hip"), platform='rocm')
mlir.register_lowering(lu_p, lambda ctx, x: mlir.custom_call("LuDecomposition", x), platform="tpu")

eigh_p = core.Primitive('eigh')
for p in ("cuda", "tpu"):
  mlir.register_lowering(eigh_p, lambda ctx, x: hlo.CustomCallOp([x], call_target_name=ir.StringAttr.get(_NAME)),
                         platform=p)
"""
LAPACK = b"""\
def prepare(name, dtype):
  prefix = find(dtype)
  return f"lapack_{prefix}{name}"

def getrf_hlo(ctx, x):
  fn = prepare("getrf_ffi", x.dtype)
  return custom_call(fn, x)
"""
PALLAS = b"""\
from jax._src.lax import lax
lowering_rules = {}
def _add_rule(ctx, x, y):
  return x
lowering_rules[lax.add_p] = _add_rule
"""
LAX_INIT = b"from jax._src.lax.lax import (add as add, cumsum as cumsum, exp as exp, log1p as log1p)\n"
LINALG_INIT = b"from jax._src.lax.linalg import lu as lu\n"
NUMPY = b"""\
from jax._src.lax import lax
def _add(x, y):
  return lax.add(x, y)
add = ufunc(_add, reduce=lax.cumsum)
def broken_on_purpose(x):
  return lax.missing(x)
"""
KERNELS = b"""\
#define DEFINE_GETRF(name, type) XLA_FFI_DEFINE_HANDLER_SYMBOL(name, Lu<type, 2>::Kernel, Bind())
namespace jax {
template <typename T, int n>
Error Lu<T, n>::Kernel(Buffer x) {
  return Run(x);
}
}
DEFINE_GETRF(lapack_sgetrf_ffi, F32);
DEFINE_GETRF(lapack_dgetrf_ffi, F64);
"""
MODULE = b"""\
nb::dict Registrations() {
  nb::dict dict;
  dict["lapack_sgetrf_ffi"] = EncapsulateFunction(lapack_sgetrf_ffi);
  dict["lapack_dgetrf_ffi"] = EncapsulateFunction(lapack_dgetrf_ffi);
  // dict["lapack_cgetrf_ffi"] = EncapsulateFunction(nothing);
  return dict;
}
"""
VENDOR = b"""\
#if defined(JAX_GPU_CUDA)
#define JAX_GPU_PREFIX "cu"
#elif defined(JAX_GPU_HIP)
#define JAX_GPU_PREFIX "hip"
#endif
"""
SOLVER = b"""\
static Error GetrfImpl(Stream s) { return Ok(); }
XLA_FFI_DEFINE_HANDLER_SYMBOL(GetrfFfi, GetrfImpl, Bind());
nb::dict Registrations() {
#ifdef JAX_GPU_CUDA
  dict[JAX_GPU_PREFIX "solver_getrf_ffi"] = EncapsulateFfiHandler(GetrfFfi);
#endif
  dict[JAX_GPU_PREFIX "solver_other"] = EncapsulateFunction(GetrfImpl);
}
"""
FILES = {
    "jax/__init__.py": b"",
    "jax/lax/__init__.py": LAX_INIT,
    "jax/lax/linalg.py": LINALG_INIT,
    "jax/numpy/__init__.py": b"from jax._src.numpy.ufuncs import add as add, broken_on_purpose as broken_on_purpose\n",
    "jax/_src/__init__.py": b"",
    "jax/_src/numpy/__init__.py": b"",
    "jax/_src/numpy/ufuncs.py": NUMPY,
    "jax/_src/lax/__init__.py": b"",
    "jax/_src/lax/lax.py": LAX,
    "jax/_src/lax/linalg.py": LINALG,
    "jax/_src/interpreters/__init__.py": b"",
    "jax/_src/interpreters/mlir.py": MLIR,
    "jax/_src/pallas/__init__.py": b"",
    "jax/_src/pallas/mosaic/__init__.py": b"",
    "jax/_src/pallas/mosaic/lowering.py": PALLAS,
    "jaxlib/__init__.py": b"",
    "jaxlib/lapack.py": LAPACK,
    "jaxlib/cpu/lapack.cc": MODULE,
    "jaxlib/cpu/lapack_kernels.cc": KERNELS,
    "jaxlib/gpu/vendor.h": VENDOR,
    "jaxlib/gpu/solver.cc": SOLVER,
}


def exported(module: str, names: Iterable[str]) -> bytes:
    """What makes names of a module of ``jax._src.numpy`` public as ``jnp.NAME``."""
    return "".join(f"from jax._src.numpy.{module} import {each} as {each}\n" for each in names).encode()


def small_jax(changed: dict[str, bytes] | None = None) -> MemorySource:
    """The tree; ``changed`` are other contents of files."""
    return MemorySource({**FILES, **(changed or {})})
