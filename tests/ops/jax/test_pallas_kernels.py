"""Kernels of Pallas: the functions that ``pallas_call`` compiles, told apart from what their callers bind."""

from __future__ import annotations

import pytest

from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import LAX, exported, small_jax

CALL = b"""\
from jax._src import core
from jax._src.interpreters import mlir
pallas_call_p = core.Primitive('pallas_call')
def pallas_call(kernel, out_shape, compiler_params=None):
  return lambda *args: pallas_call_p.bind(*args)
def _lowering(ctx, x, is_rocm):
  mlir.custom_call("for_cuda", x)
  return mlir.custom_call("for_both", x)
mlir.register_lowering(pallas_call_p, _lowering, platform='cuda')
mlir.register_lowering(pallas_call_p, _lowering, platform='rocm')
"""
MORE = b"""\
from functools import partial
from jax._src.lax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plt

def _double(x_ref, o_ref, *, by):
  o_ref[...] = lax.add(x_ref[...], by)

def given(x):
  kernel = partial(_double, by=2)
  return pl.pallas_call(kernel, x, compiler_params=plt.CompilerParams(num_warps=4))(lax.exp(x))

def nested(x):
  def body(x_ref, o_ref):
    o_ref[...] = lax.cumsum(x_ref[...])
  return pl.pallas_call(kernel=body, out_shape=x)(x)

def written(x):
  return pl.pallas_call(lambda x_ref, o_ref: lax.exp(x_ref), x)(x)

def passed(x, kernel):
  return pl.pallas_call(kernel, x)(x)
"""
NAMES = ("given", "nested", "written", "passed")
FILES = {
    "jax/_src/core.py": b"class Primitive: pass\n",
    "jax/_src/lax/lax.py": LAX,
    "jax/_src/pallas/pallas_call.py": CALL,
    "jax/_src/pallas/triton/__init__.py": b"",
    "jax/_src/pallas/triton/core.py": b"class CompilerParams: pass\n",
    "jax/experimental/__init__.py": b"",
    "jax/experimental/pallas/__init__.py": b"from jax._src.pallas.pallas_call import pallas_call as pallas_call\n",
    "jax/experimental/pallas/triton.py": b"from jax._src.pallas.triton.core import CompilerParams as CompilerParams\n",
    "jax/_src/numpy/more.py": MORE,
    "jax/numpy/__init__.py": exported("more", NAMES),
    "jaxlib/gpu/pallas.cc": b"static Error Impl(Stream s) { return Ok(); }\n"
    b'XLA_FFI_DEFINE_HANDLER_SYMBOL(Ffi, Impl, Bind());\nXLA_FFI_REGISTER_HANDLER(Api(), "for_cuda", "CUDA", Ffi);\n',
}


@pytest.fixture(scope="module")
def tracer() -> JaxTracer:
    return JaxTracer(small_jax(FILES), lambda _path: ())


@pytest.mark.parametrize(
    ("word", "kernel", "bound"),
    [
        ("given", ("Pallas kernel on gpu (Triton)", "_double", 6, ("add",)), ["pallas_call", "exp"]),
        ("nested", ("Pallas kernel", "body", 14, ("cumsum",)), ["pallas_call"]),
        ("written", ("Pallas kernel", "lambda", 19, ("exp",)), ["pallas_call"]),
        ("passed", ("Pallas kernel", "kernel", 22, ()), ["pallas_call"]),  # the caller's caller decides
    ],
)
def test_what_a_kernel_binds_is_told_of_the_kernel(
    tracer: JaxTracer, word: str, kernel: tuple[str, str, int, tuple[str, ...]], bound: list[str]
) -> None:
    answer = tracer.explain(f"jnp.{word}")
    (rule,) = [each for each in answer.python_rules if each.kind.startswith("Pallas")]
    assert (rule.kind, rule.function, rule.location.line, rule.ops) == kernel
    assert rule.op == word
    assert sorted(use.op for use in answer.uses) == sorted(bound)


def test_a_custom_call_of_another_platform_is_none_of_this_one(tracer: JaxTracer) -> None:
    (story,) = tracer.explain("pl.pallas_call").stories
    assert [(each.device, each.kernel_class) for each in story.kernels] == [("cuda", "for_cuda")]
    rocm = next(each for each in story.remarks if each.startswith("rocm"))
    assert rocm.startswith("rocm: custom call for_both, not registered in this tree for rocm")
