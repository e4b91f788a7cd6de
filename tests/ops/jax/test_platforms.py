"""Rules and custom calls by platform: rules that choose, callbacks, handlers that no rule calls, vendors."""

import re

import pytest

from bzlgraph.ops.jax.tracer import UNCALLED, JaxTracer
from bzlgraph.ops.jax.words import NO_RULE
from bzlgraph.ops.tracer import OpTrace
from tests.ops.jax.small_jax import small_jax


@pytest.fixture
def tracer() -> JaxTracer:
    return JaxTracer(small_jax(), lambda _path: ())


def story(tracer: JaxTracer, word: str) -> OpTrace:
    """The one story of a word."""
    (found,) = tracer.explain(word).stories
    return found


PER_PLATFORM = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib.mlir.dialects import hlo
from jax._src.lax import lax
from jax._src.lax import more as first
from jax._src.lax import another as second

def _kernel_lowering(ctx, x, interpret):
  if interpret:
    return mlir.lower_fun(lax.exp)(ctx, x)

  def cpu_lowering(ctx, x):
    raise ValueError("no")

  def gpu_lowering(ctx, x, old):
    backend = first
    if old:
      backend = second
    return backend.lower(ctx, x)

  return mlir.lower_per_platform(
      ctx, "kernel", dict(cpu=cpu_lowering, cuda=partial(gpu_lowering, old=False), tpu=_on_tpu), None, x)

def _on_tpu(ctx, x):
  return hlo.exponential(x)

kernel_p = core.Primitive("kernel")
mlir.register_lowering(kernel_p, _kernel_lowering)
"""
CALLS = b"""\
def lower(ctx, x):
  return mlir.custom_call("%s", x)
"""


def test_a_rule_that_chooses_by_platform_is_one_rule_for_each() -> None:
    changed = {
        "jax/_src/lax/kernel.py": PER_PLATFORM,
        "jax/_src/lax/more.py": CALLS % b"one_call",
        "jax/_src/lax/another.py": CALLS % b"other_call",
    }
    elsewhere, lowered = "is handled inside XLA, which is not in this tree", "lowered to other primitives, among them"
    assert story(JaxTracer(small_jax(changed), lambda _path: ()), "kernel").remarks == (
        f"any platform, in a branch: {lowered} exp  (_kernel_lowering jax/_src/lax/kernel.py:29)",
        "cpu: not supported: its rule raises an error  (cpu_lowering jax/_src/lax/kernel.py:13)",
        f"cuda: custom call one_call, other_call {elsewhere}  (gpu_lowering jax/_src/lax/kernel.py:16)",
        "tpu: lowered to HLO (hlo.exponential), no kernel of its own  (_on_tpu jax/_src/lax/kernel.py:23)",
    )


CALLBACK = b"""\
from jax._src import core
from jax._src.interpreters import mlir

def emit_python_callback(ctx, f):
  device = "gpu" if ctx.platform in {"cuda", "rocm"} else "cpu"
  name = f"python_{device}_callback"
  return mlir.custom_call(name, f)

def _callback_lowering(ctx, f):
  return emit_python_callback(ctx, f)

callback_p = core.Primitive("callback")
mlir.register_lowering(callback_p, _callback_lowering)
"""
CALLBACK_CPU = b"""\
Error OnHost(Buffer x) { return Run(x); }
XLA_FFI_DEFINE_HANDLER(kOnHost, OnHost, Bind());
XLA_FFI_REGISTER_HANDLER(Api(), "python_cpu_callback", "HOST", {kPlan, nullptr, nullptr, kOnHost});
"""
CALLBACK_GPU = b"""\
Error OnGpu(Buffer x) { return Run(x); }
XLA_FFI_DEFINE_HANDLER(kOnGpu, OnGpu, Bind());
nb::dict Registrations() {
  nb::dict dict;
  nb::dict bundle;
  bundle["instantiate"] = EncapsulateFfiHandler(kPlan);
  bundle["execute"] = EncapsulateFfiHandler(kOnGpu);
  dict["python_gpu_callback"] = bundle;
  return dict;
}
"""


def test_callbacks_lead_to_the_custom_calls_that_call_python() -> None:
    changed = {
        "jax/_src/callback.py": CALLBACK,
        "jaxlib/client.cc": CALLBACK_CPU,
        "jaxlib/cuda/plugin.cc": CALLBACK_GPU,
    }
    found = story(JaxTracer(small_jax(changed), lambda _path: ()), "callback")
    assert [(each.device, each.kernel_class, each.compute_class, each.location.path) for each in found.kernels] == [
        ("cuda", "python_gpu_callback", "OnGpu", "jaxlib/cuda/plugin.cc"),
        ("cpu", "python_cpu_callback", "OnHost", "jaxlib/client.cc"),
    ]
    assert "calls back into Python" in found.remarks[0]


def test_a_custom_call_that_no_rule_makes_is_told_with_its_function(tracer: JaxTracer) -> None:
    found = story(tracer, "cusolver_other")
    assert [(each.device, each.compute_class) for each in found.kernels] == [("cuda", "GetrfImpl")]
    assert found.remarks == (UNCALLED,)


def test_names_of_other_vendors_are_not_of_cuda() -> None:
    vendor = b'#ifdef JAX_GPU_ONEAPI\n#define JAX_GPU_PREFIX "oneapi"\n#endif\n'
    unprefixed = b'void R() { d["all_ffi"] = EncapsulateFunction(GetrfImpl); }\n'
    changed = {"jaxlib/gpu/other_vendor.h": vendor, "jaxlib/gpu/all.cc": unprefixed}
    tracer = JaxTracer(small_jax(changed), lambda _path: ())
    assert [each.device for each in story(tracer, "oneapisolver_other").kernels] == ["oneapi"]
    assert tracer.explain("oneapisolver_getrf_ffi").stories == ()  # below #ifdef JAX_GPU_CUDA
    assert [each.device for each in story(tracer, "all_ffi").kernels] == ["gpu"]


WORKS = b"""\
Error GetrfWork(Stream s) { return Ok(); }
XLA_FFI_DEFINE_HANDLER_SYMBOL(GetrfFfi, GetrfWork, Bind());
"""
GIVES = b"""\
#include "jaxlib/%b.h"
nb::dict Registrations() {
  dict["%bsolver_getrf_ffi"] = EncapsulateFfiHandler(GetrfFfi);
}
"""


@pytest.mark.parametrize(
    ("path", "include", "name", "where"),
    [
        ("jaxlib/gpu/solver.cc", b"gpu/works", b"oneapi", "jaxlib/oneapi/works.cc"),
        ("jaxlib/gpu/solver.cc", b"gpu/works", b"cu", "jaxlib/gpu/works.cc"),  # never what is for another platform
        ("jaxlib/gpu/solver.cc", b"gpu/works", b"", ""),  # each of the platforms has its own
        ("jaxlib/cpu/solver.cc", b"cpu/works", b"", "jaxlib/cpu/works.cc"),
        ("jaxlib/solver.cc", b"any/works", b"", "jaxlib/any/works.cc"),
        ("jaxlib/solver.cc", b"works", b"", ""),
    ],
)
def test_a_handler_that_files_of_several_platforms_define(path: str, include: bytes, name: bytes, where: str) -> None:
    files = dict.fromkeys((f"jaxlib/{each}/works.cc" for each in ("any", "cpu", "gpu", "oneapi")), WORKS)
    changed = {**files, "jaxlib/gpu/solver.cc": b"", path: GIVES % (include, name)}
    tracer = JaxTracer(small_jax(changed), lambda _path: ())
    (kernel,) = story(tracer, f"{name.decode()}solver_getrf_ffi").kernels
    assert (kernel.compute.path if kernel.compute else "", kernel.compute_class) == (where, "GetrfWork")


def test_operators_of_a_traced_function_make_primitives() -> None:
    more = b"""from jax._src.lax import lax
def two_impl(x):
  x = lax.exp(x)
  return x + x

two_p = core.Primitive("two")
mlir.register_lowering(two_p, mlir.lower_fun(two_impl))
"""
    made = JaxTracer(small_jax({"jax/_src/lax/two.py": more}), lambda _path: ())
    (remark,) = story(made, "two").remarks
    assert remark.startswith("every platform: lowered to other primitives, among them exp, add")


SCANS = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lax import lax

def _scan(name, f, small=None):
  scan_p = core.Primitive(name)
  def register_lowering(fn, platform=None):
    mlir.register_lowering(scan_p, mlir.lower_fun(fn), platform=platform)
  if version >= 266:
    register_lowering(f)
  else:
    register_lowering(lax.log1p)
    for each in ['cuda', 'rocm']:
      register_lowering(lax.exp, each)
  if small is not None:
    register_lowering(lax.exp, platform='tpu')
  return scan_p

cumsum_p = _scan("scansum", lax.add)
other_p = core.Primitive("other")
if version >= 300:
  mlir.register_lowering(other_p, mlir.lower_fun(lax.exp), platform="gpu")
"""


def test_rules_that_are_registered_under_a_test_say_so() -> None:
    tracer = JaxTracer(small_jax({"jax/_src/lax/scans.py": SCANS}), lambda _path: ())
    lowered, where = "lowered to other primitives, among them", "jax/_src/lax/scans.py"
    assert story(tracer, "scansum").remarks == (
        f"other platforms, if version >= 266: {lowered} add  (lax.add {where}:11)",
        f"other platforms, if not (version >= 266): {lowered} log1p, add  (lax.log1p {where}:13)",
        f"cuda, if not (version >= 266): {lowered} exp  (lax.exp {where}:15)",
        f"rocm, if not (version >= 266): {lowered} exp  (lax.exp {where}:15)",
        f"tpu: {lowered} exp  (lax.exp {where}:17)",
    )
    assert story(tracer, "other").remarks == (
        f"cuda, if version >= 300: {lowered} exp  (lax.exp {where}:23)",
        f"rocm, if version >= 300: {lowered} exp  (lax.exp {where}:23)",
    )


LOOPS = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib.mlir.dialects import hlo
from jax._src.lax import lax

def _lower(ctx, x, expand=False):
  if expand and x:
    return mlir.lower_fun(lax.exp)(ctx, x)
  return hlo.dot_general(x)

def _other(ctx, x, interpret=False):
  if interpret:
    return mlir.lower_fun(lax.exp)(ctx, x)
  return hlo.dot_general(x)

dot_p = core.Primitive("dot")
mlir.register_lowering(dot_p, _lower)
for platform in ["cpu", "tpu"]:
  mlir.register_lowering(dot_p, partial(_lower, expand=True), platform=platform)
other_p = core.Primitive("other")
for platform in ["tpu", "gpu"]:
  mlir.register_lowering(other_p, _other, platform=platform)
"""


def test_a_loop_over_platforms_is_for_what_stands_in_it() -> None:
    tracer = JaxTracer(small_jax({"jax/_src/lax/dot.py": LOOPS}), lambda _path: ())
    hlo, traced = (
        "lowered to HLO (hlo.dot_general), no kernel of its own",
        "lowered to other primitives, among them exp",
    )
    dot, other = story(tracer, "dot").remarks, story(tracer, "other").remarks
    # what a partial gives is for who registers, and False where none gives it; other flags may be the primitive's own
    assert dot == (
        f"other platforms: {hlo}  (_lower jax/_src/lax/dot.py:18)",
        *(
            f"{platform}: {what}  (_lower jax/_src/lax/dot.py:20)"
            for platform in ("cpu", "tpu")
            for what in (hlo, traced)
        ),
    )
    assert [each.partition(":")[0] for each in other] == ["tpu", "tpu", "cuda", "cuda", "rocm", "rocm"]


def test_a_function_that_is_given_the_platform_registers_what_its_callers_say() -> None:
    module = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib.mlir.dialects import hlo

def _lower(ctx, x, platform):
  return hlo.exponential(x)

call_p = core.Primitive("call")

def _register(platform):
  mlir.register_lowering(call_p, partial(_lower, platform=platform), platform=platform)

for each in ("cpu", "tpu"):
  _register(each)
"""
    tracer = JaxTracer(small_jax({"jax/_src/lax/call.py": module}), lambda _path: ())
    assert [each.partition(":")[0] for each in story(tracer, "call").remarks] == ["cpu", "tpu"]


def test_a_rule_that_places_its_operand_may_give_it_back() -> None:
    """Sharding is the custom call of ``copy`` for arrays with explicit shardings only."""
    module = b"""\
from jax._src import core
from jax._src.interpreters import mlir

def _copy(ctx, x):
  aval, = ctx.avals_out
  return [mlir.lower_with_sharding_in_types(ctx, x, aval)]
def _layout(ctx, x):
  out = mlir.wrap_with_layout_op(ctx, x)
  return [mlir.lower_with_sharding_in_types(ctx, out, None)]
copied_p = core.Primitive("copied")
mlir.register_lowering(copied_p, _copy)
laid_p = core.Primitive("laid")
mlir.register_lowering(laid_p, _layout)
"""
    around = b"""\
def lower_with_sharding_in_types(ctx, op, aval):
  if aval.empty:
    return op
  return custom_call("Sharding", op)
def wrap_with_layout_op(ctx, op):
  return custom_call("Layout", op)
"""
    files = {"jax/_src/lax/call.py": module, "jax/_src/interpreters/mlir.py": around}
    tracer = JaxTracer(small_jax(files), lambda _path: ())
    given, called = story(tracer, "copied").remarks
    assert "returns its operands" in given
    assert "if lower_with_sharding_in_types computes something from its operand: custom call Sharding" in called
    (laid,) = story(tracer, "laid").remarks
    assert "custom call Layout, Sharding" in laid


def test_what_a_part_of_a_table_takes_in_are_rules() -> None:
    """As Mosaic for GPUs has a table for each kind of threads."""
    rules = b"""\
from jax._src.lax import lax
mosaic_lowering_rules = {kind: {} for kind in KINDS}
mosaic_lowering_rules[WARP].update({lax.exp_p: lambda ctx, x: x})
counts.update({lax.cumsum_p: 1})
"""
    asked = JaxTracer(small_jax({"jax/_src/pallas/mosaic_gpu/lowering.py": rules}), lambda _path: ())
    told = [text for text in story(asked, "exp").remarks if "Pallas" in text]
    assert ["on gpu (Mosaic) jax/_src/pallas/mosaic_gpu/lowering.py:3" in text for text in told] == [True]
    assert not any("mosaic_gpu" in text for text in story(asked, "cumsum").remarks)


def test_only_a_dict_that_fills_a_table_holds_rules_of_pallas() -> None:
    rules = b"""\
from jax._src.lax import lax
predicates = {lax.exp_p: arith.Predicate.oge}
functions = {lax.cumsum_p: _scan}
for prim, function in functions.items():
  lowering_rules[prim] = lower_fun(function)
"""
    asked = JaxTracer(small_jax({"jax/_src/pallas/triton/lowering.py": rules}), lambda _path: ())
    told = [text for name in ("exp", "cumsum") for text in story(asked, name).remarks if "triton" in text]
    assert ["triton/lowering.py:3" in text for text in told] == [True]


TRANSLATIONS = b"""\
from functools import partial
from jax.core import Primitive
from jax.interpreters import xla
from jax.lib import xla_client
xops = xla_client.ops

def standard_primitive(shape_rule, name, translation_rule=None):
  counter = Primitive("counter")
  prim = Primitive(name)
  xla.translations[counter] = _count
  xla.translations[prim] = translation_rule or partial(standard_translate, name)
  return prim

def unop(accepted, name, translation_rule=None):
  prim = standard_primitive(None, name, translation_rule=translation_rule)
  return prim
float_unop = partial(unop, float)

def standard_translate(name, c, *args):
  return getattr(xops, name.capitalize())(*args)

def _sign(c, x):
  return xops.Sign(x)

def reduction(name, function):
  prim = standard_primitive(None, name)
  xla.register_translation(prim, xla.lower_fun(function), platform='tpu')
  return prim

plain_p = float_unop("plain")
sign_p = float_unop("sign", translation_rule=_sign)
given_p = Primitive("given")
xla.translations[given_p] = lambda c, x: xops.Conj(x)
xla.backend_specific_translations['gpu'][given_p] = partial(_sign)
reduced_p = reduction("reduced", lambda x: sign_p.bind(x))
alone_p = Primitive("alone")
"""


def test_tables_of_translations_hold_the_rules_of_jax_before_mlir() -> None:
    path = "jax/_src/lax/old.py"
    asked = JaxTracer(small_jax({path: TRANSLATIONS}), lambda _path: ())
    told = {name: story(asked, name).remarks for name in ("plain", "sign", "given", "reduced", "alone")}
    assert told["plain"] == (f"every platform: the result of its rule was not found  (standard_translate {path}:11)",)
    assert told["sign"] == (f"every platform: lowered to HLO (xops.Sign), no kernel of its own  (_sign {path}:31)",)
    assert told["given"] == (
        f"other platforms: lowered to HLO (xops.Conj), no kernel of its own  (lambda {path}:33)",
        f"cuda: lowered to HLO (xops.Sign), no kernel of its own  (_sign {path}:34)",
        f"rocm: lowered to HLO (xops.Sign), no kernel of its own  (_sign {path}:34)",
    )
    assert told["reduced"] == (
        f"other platforms: the result of its rule was not found  (standard_translate {path}:11)",
        f"tpu: lowered as the function lambda x: sign_p.bind(x) of JAX, chosen by its arguments  (lambda {path}:27)",
    )
    assert told["alone"][0].startswith("no lowering rule in this tree")


TURNS = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib.mlir.dialects import hlo
from jax._src.lax import lax

def _lower(ctx, x):
  return hlo.tan(x)

def _other(ctx, x, platform=None):
  return hlo.cosine(x)

begin_p = core.Primitive("begin")
middle_p = core.Primitive("middle")
end_p = core.Primitive("end")
for p, rule in zip([begin_p, middle_p], [_lower, _other]):
  mlir.register_lowering(p, partial(rule))
  for each in ("cuda", "tpu"):
    mlir.register_lowering(p, partial(_other, platform=each), platform=each)
for number, (p, f) in enumerate([(end_p, lax.exp)]):
  p.def_impl(f)
  mlir.register_lowering(p, mlir.lower_fun(f))

class Params: ...
other.register_lowering(Params, _lower)
"""


def test_a_loop_over_primitives_registers_for_each() -> None:
    where = "jax/_src/lax/turns.py"
    tracer = JaxTracer(small_jax({where: TURNS}), lambda _path: ())
    begin, middle, end = (story(tracer, each).remarks for each in ("begin", "middle", "end"))
    tan, cosine = (f"lowered to HLO (hlo.{each}), no kernel of its own" for each in ("tan", "cosine"))
    own = tuple(f"{each}: {cosine}  (_other {where}:19)" for each in ("cuda", "tpu"))
    assert begin == (f"other platforms: {tan}  (_lower {where}:17)", *own)
    assert middle == (f"other platforms: {cosine}  (_other {where}:17)", *own)
    assert end == (f"every platform: lowered to other primitives, among them exp  (lax.exp {where}:22)",)
    assert story(tracer, "lonely").remarks == (NO_RULE,)


@pytest.mark.parametrize(
    "registering",
    [
        b"for p in found():\n  mlir.register_lowering(p, _lower)\n",
        b"class Maker:\n  def add(self):\n    mlir.register_lowering(self.primitive, _lower)\n",
        b"for p, rule in zip(PRIMITIVES, [_lower]):\n  mlir.lowering_rules[p] = rule\n",
    ],
)
def test_a_rule_of_an_unknown_primitive_may_be_for_any(registering: bytes) -> None:
    tracer = JaxTracer(small_jax({"jax/_src/lax/any.py": registering}), lambda _path: ())
    (told,) = story(tracer, "lonely").remarks
    assert told.startswith("not known whether it has a lowering rule: one rule is registered for a primitive")
    table = tracer.table()
    assert [row for row in table.rows if row[0] == "lonely" and told in row]


GIVEN = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lib.mlir.dialects import hlo

def _lower(op, ctx, x, *, narrow=False, **params):
  wide = params.pop("wide", None)
  if wide is not None:
    x = hlo.convert(x)
  if narrow:
    x = hlo.slice(x)
  return op(x)

plain_p = core.Primitive("plain")
widened_p = core.Primitive("widened")
any_p = core.Primitive("any")
never_p = core.Primitive("never")
mlir.register_lowering(plain_p, partial(_lower, hlo.floor))
mlir.register_lowering(widened_p, partial(_lower, hlo.ceil))
mlir.register_lowering(any_p, partial(_lower, hlo.abs))
mlir.register_lowering(never_p, partial(_lower, hlo.sign))

def plain(x, **params):
  return plain_p.bind(x, **params)

def widened(x, wide):
  return widened_p.bind(x, wide=wide)

def anything(x, params):
  return any_p.bind(x, **params)
%s"""


@pytest.mark.parametrize(
    ("more", "plain"),
    [
        (b"", "floor"),
        (b"def again(prim, x):\n  return prim.bind(x, narrow=x)\n", "floor slice"),
        (b"given = partial(plain_p.bind, 1)\n", "convert floor slice"),
    ],
)
def test_a_rule_is_read_with_what_its_primitive_is_bound_with(more: bytes, plain: str) -> None:
    tracer = JaxTracer(small_jax({"jax/_src/lax/given.py": GIVEN % more}), lambda _path: ())

    def made(name: str) -> str:
        return " ".join(sorted(re.findall(r"hlo\.(\w+)", story(tracer, name).remarks[0])))

    assert made("plain") == plain
    assert made("widened") == ("ceil convert slice" if b"narrow" in more else "ceil convert")
    assert made("any") == "abs convert slice"
    assert made("never") == "convert sign slice"  # nobody is known to bind it
