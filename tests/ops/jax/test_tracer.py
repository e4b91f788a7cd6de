"""A small JAX tree in memory: from names to primitives, what they are lowered to, custom calls and targets."""

from pathlib import Path

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.jax.tracer import COLUMNS, JaxTracer
from bzlgraph.ops.jax.words import NO_RULE
from bzlgraph.ops.tracer import OpTrace
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.jax.small_jax import LAX, exported, small_jax

TARGETS = {
    "jaxlib/cpu/lapack_kernels.cc": ("//jaxlib/cpu:lapack_kernels",),
    "jaxlib/gpu/solver.cc": ("//jaxlib/cuda:solver", "//jaxlib/rocm:solver"),
}


@pytest.fixture
def tracer() -> JaxTracer:
    return JaxTracer(small_jax(), lambda path: TARGETS.get(path, ()))


def story(tracer: JaxTracer, word: str) -> OpTrace:
    """The one story of a word."""
    (found,) = tracer.explain(word).stories
    return found


def remarks(tracer: JaxTracer, word: str) -> str:
    """What is said of a primitive, as one text."""
    return "\n".join(story(tracer, word).remarks)


def test_a_public_name_leads_to_the_primitive_that_it_binds(tracer: JaxTracer) -> None:
    answer = tracer.explain("jax.lax.linalg.lu")
    assert answer.symbol is not None
    assert (answer.symbol.location.path, answer.symbol.location.line) == ("jax/_src/lax/linalg.py", 10)
    assert [(use.op, use.generated, use.location.line) for use in answer.uses] == [("lu", "lu_p.bind", 11)]
    assert answer.stories[0].api_names[0].name == "jax.lax.linalg.lu"


def test_a_primitive_is_asked_for_by_its_public_name() -> None:
    changed = {
        "jax/lax/__init__.py": b"from jax._src.lax.lax import add_p as add_p, exp as exp, nothing as nothing\n",
        "jax/_src/lax/lax.py": LAX + b"def nothing(x):\n  return x\n",
    }
    tracer = JaxTracer(small_jax(changed), lambda _path: ())
    answer = tracer.explain("lax.add_p")
    assert ([each.op for each in answer.stories], answer.uses, answer.not_followed) == (["add"], (), ())
    assert tracer.explain("lax.nothing").not_followed


@pytest.mark.parametrize("word", ["jnp.add", "jax.numpy.add"])
def test_a_ufunc_is_its_first_function(tracer: JaxTracer, word: str) -> None:
    (use,) = tracer.explain(word).uses
    assert use.op == "add"
    assert [step.name for step in use.steps] == ["add", "_add", "add"]


def test_operators_between_arrays_are_followed_to_primitives() -> None:
    changed = {
        "jax/numpy/__init__.py": b"from jax._src.numpy.more import twice as twice\n",
        "jax/lax/__init__.py": b"from jax._src.lax.lax import add as add\n",
        "jax/_src/numpy/more.py": b"from jax._src.numpy import util\ndef twice(x):\n util.promote(x)\n return x + x\n",
        "jax/_src/numpy/util.py": b"from jax._src.lax import lax\ndef promote(x):\n  return lax.exp(x)\n",
    }
    found = JaxTracer(small_jax(changed), lambda _path: ()).explain("jnp.twice").uses
    assert {(use.op, use.certain) for use in found} == {("exp", True), ("add", False)}


def test_a_call_below_an_if_is_uncertain(tracer: JaxTracer) -> None:
    assert [(use.op, use.certain) for use in tracer.explain("lax.log1p").uses] == [("log1p", False), ("add", False)]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("exp", "every platform: lowered to HLO (hlo.exponential), no kernel of its own"),
        ("exp_p", "every platform: lowered to HLO (hlo.exponential), no kernel of its own"),
        ("log1p", "lowered to other primitives, among them log1p, exp, add"),
        ("copy", "lowered to nothing: returns its operands"),
        ("odd", "not supported: its rule raises an error"),
        ("lonely", NO_RULE),
        ("cumsum", "metal: lowered to other primitives, among them add"),
        ("lu", "tpu: custom call LuDecomposition is handled inside XLA, which is not in this tree"),
        ("lu", "rocm: custom call hipsolver_getrf_ffi, not registered in this tree"),
        ("eigh", "cuda: custom call SpecialEigh is handled inside XLA"),
        ("add", "in kernels of Pallas: compiled as part of the enclosing kernel  (on tpu (Mosaic)"),
    ],
)
def test_what_becomes_of_a_primitive(tracer: JaxTracer, word: str, said: str) -> None:
    assert said in remarks(tracer, word)


def test_shapes_around_an_operation_are_not_told_of(tracer: JaxTracer) -> None:
    assert "broadcast_in_dim" not in remarks(tracer, "exp")


def test_custom_calls_lead_to_their_functions_and_targets(tracer: JaxTracer) -> None:
    kernels = {each.kernel_class: each for each in story(tracer, "lu").kernels}
    assert set(kernels) == {"lapack_sgetrf_ffi", "lapack_dgetrf_ffi", "cusolver_getrf_ffi"}
    single = kernels["lapack_sgetrf_ffi"]
    assert (single.device, single.location.path, single.location.line) == ("cpu", "jaxlib/cpu/lapack.cc", 3)
    assert single.compute is not None
    assert (single.compute.path, single.compute.line) == ("jaxlib/cpu/lapack_kernels.cc", 4)
    assert single.compute_class == "Lu<F32, 2>::Kernel"
    assert single.targets == ("//jaxlib/cpu:lapack_kernels",)
    assert single.through == ("_lu_lowering jax/_src/lax/linalg.py:19",)


def test_files_built_twice_have_the_target_of_the_platform(tracer: JaxTracer) -> None:
    (kernel,) = [each for each in story(tracer, "lu").kernels if each.device == "cuda"]
    assert kernel.targets == ("//jaxlib/cuda:solver",)
    assert "JAX_GPU_CUDA" in kernel.condition
    assert kernel.compute is not None
    assert kernel.compute.line == 1


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("lapack_sgetrf_ffi", ["lapack_sgetrf_ffi"]),
        ("GetrfImpl", ["cusolver_getrf_ffi"]),
        ("jaxlib/cpu/lapack_kernels.cc", ["lapack_sgetrf_ffi", "lapack_dgetrf_ffi"]),
        ("//jaxlib/cuda:solver", ["cusolver_getrf_ffi"]),
    ],
)
def test_from_the_other_end(tracer: JaxTracer, word: str, names: list[str]) -> None:
    found = story(tracer, word)
    assert found.op == "lu"
    assert [each.kernel_class for each in found.kernels] == names


def test_a_python_file_gives_its_primitives(tracer: JaxTracer) -> None:
    assert [each.op for each in tracer.explain("jax/_src/lax/linalg.py").stories] == ["lu", "eigh"]


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("jax.lax.expp", "jax.lax.exp"),
        ("jnp.ad", "jnp.add"),
        ("eighh", "eigh"),
        ("lapack_sgetrf", "lapack_sgetrf_ffi"),
        ("jax.nowhere.cumsumm", "jax.lax.cumsum"),
    ],
)
def test_wrong_names_get_suggestions(tracer: JaxTracer, word: str, suggestion: str) -> None:
    answer = tracer.explain(word)
    assert not answer.found
    assert suggestion in answer.suggestions


def test_a_name_of_another_package_is_said_to_be_one() -> None:
    taken = b"from numpy import savez as savez, pi\nfrom typing import Any\n"
    tracer = JaxTracer(small_jax({"jax/numpy/__init__.py": taken}), lambda _path: ())
    answer = tracer.explain("jax.numpy.savez")
    assert answer.found
    assert "no op found            not followed: numpy.savez, which is not in this tree" in answer_text(answer)
    assert not tracer.explain("jax.numpy.lax").found


def test_a_module_is_a_public_name() -> None:
    files = {
        "jax/scipy/stats/__init__.py": b"from jax.scipy.stats import gamma as gamma\n",
        "jax/scipy/stats/gamma.py": b"from jax._src.stats import _kept, cdf as cdf, pdf as pdf\n",
    }
    answer = JaxTracer(small_jax(files), lambda _path: ()).explain("jax.scipy.stats.gamma")
    told = "not followed: what the module has, jax.scipy.stats.gamma.cdf, jax.scipy.stats.gamma.pdf\n"
    assert answer.found
    assert "jax/scipy/stats/gamma.py  jax.scipy.stats.gamma\n" in answer_text(answer)
    assert told in answer_text(answer)


def test_a_class_is_a_public_name() -> None:
    files = {
        "jax/numpy/__init__.py": b"from jax._src.numpy.kinds import Spec as Spec\n",
        "jax/_src/numpy/kinds.py": b"\nclass Spec:\n  left = 1\n",
    }
    answer = JaxTracer(small_jax(files), lambda _path: ()).explain("jax.numpy.Spec")
    assert "jax/_src/numpy/kinds.py:2  Spec\n" in answer_text(answer)
    assert "no op found            not followed: methods of Spec" in answer_text(answer)


@pytest.mark.parametrize(
    "word", ["", ".", "..", "a.b.c", "//", "//a:b", "\x00", "jax.", "jax.lax.*", "(", "é", "x" * 5000]
)
def test_words_that_mean_nothing(tracer: JaxTracer, word: str) -> None:
    assert not tracer.explain(word).found


def test_a_broken_python_file_is_a_gap() -> None:
    tracer = JaxTracer(small_jax({"jax/_src/pallas/mosaic/lowering.py": b"lowering_rules[(\n"}), lambda _path: ())
    answer = tracer.explain("add")
    assert answer.found
    assert [gap.what for gap in answer.gaps] == ["jax/_src/pallas/mosaic/lowering.py"]


HOSTILE = {
    "deep": b"x_p = Primitive('x')\n" + b"(" * 400 + b")" * 400,
    "zero": b"\x00\x01x_p = Primitive('x')",
    "loop": b"a_p = Primitive('a')\ndef f(x):\n  return g(x)\ndef g(x):\n  return f(x)\nregister_lowering(a_p, f)\n",
    "itself": b"a_p = a_p\nb_p = Primitive(b_p)\nregister_lowering(a_p, a_p)\n"
    b"register_lowering()\nregister_lowering(1, 2)\n",
    "odd arguments": b"a_p = Primitive('a')\nregister_lowering(a_p, partial(), platform=3)\n"
    b"lower_fun()\ncustom_call()\n",
    "texts": b"a_p = Primitive('a')\ndef f(c):\n  n = 'x'\n"
    + b"  n = n + n\n" * 40
    + b"  return custom_call(n)\nregister_lowering(a_p, f)\n",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_python_is_no_traceback(content: bytes) -> None:
    tracer = JaxTracer(small_jax({"jax/_src/hostile.py": content}), lambda _path: ())
    assert tracer.table().rows
    assert tracer.explain("exp").found


@pytest.mark.parametrize(
    "content",
    [
        b"dict[",
        b'dict["a"] = EncapsulateFunction(',
        b"XLA_FFI_REGISTER_HANDLER(",
        b"#define M(x) M(x) XLA_FFI_DEFINE_HANDLER(x, x)\nM(M(M(1)))",
        b"XLA_FFI_DEFINE_HANDLER()\nXLA_REGISTER_CUSTOM_CALL_TARGET()\nXLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM(,,)",
        b"\x00\xff EncapsulateFunction",
    ],
)
def test_hostile_cpp_is_no_traceback(content: bytes) -> None:
    tracer = JaxTracer(small_jax({"jaxlib/cpu/hostile.cc": content}), lambda _path: ())
    assert tracer.explain("lu").found


def test_the_table_has_a_row_for_each_primitive_and_custom_call(tracer: JaxTracer) -> None:
    rows = tracer.table().rows
    assert all(len(row) == len(COLUMNS) for row in rows)
    assert {row[0] for row in rows} == {"exp", "add", "log1p", "copy", "odd", "lonely", "cumsum", "lu", "eigh"}
    calls = {row[9] for row in rows if row[9]}
    assert calls == {"lapack_sgetrf_ffi", "lapack_dgetrf_ffi", "cusolver_getrf_ffi"}


def test_what_could_not_be_read_is_said_again_from_the_cache(tmp_path: Path) -> None:
    changed = {"jax/_src/lax/broken.py": b"x_p = Primitive('x'\n", "jaxlib/cpu/broken.cc": b"\0"}
    answers = [JaxTracer(small_jax(changed), lambda _: (), tmp_path).explain("jax.lax.linalg.lu") for _ in range(2)]
    assert [gap.what for gap in answers[0].gaps] == sorted(changed)
    assert answers[1].gaps == answers[0].gaps


def test_what_is_kept_gives_the_same_answer(tmp_path: Path) -> None:
    first = JaxTracer(small_jax(), lambda _path: (), tmp_path).table()
    assert JaxTracer(small_jax(), lambda _path: (), tmp_path).table() == first
    other = small_jax({"jaxlib/cpu/lapack.cc": b""})
    assert JaxTracer(other, lambda _path: (), tmp_path).table() != first


def test_gaps_are_told_again_when_the_index_comes_from_the_cache(tmp_path: Path) -> None:
    files = {**small_jax().contents, "jax/_src/broken.py": b"x_p = (", "jaxlib/broken.cc": b"Encapsulate\0"}

    def gaps() -> set[str]:
        return {gap.what for gap in JaxTracer(MemorySource(files), lambda _path: (), tmp_path).explain("sort").gaps}

    assert gaps() == gaps() == {"jax/_src/broken.py", "jaxlib/broken.cc"}


HELPED = b"""\
from functools import partial
from jax._src import core
from jax._src.interpreters import mlir
from jax._src.lax import registering

def _lowering(ctx, x, *, target_name_prefix, extra=0):
  if target_name_prefix == "cpu":
    return mlir.custom_call("lapack_sgetrf_ffi", x)
  else:
    return mlir.custom_call(f"{target_name_prefix}solver_getrf_ffi", x)

lu_p = core.Primitive("lu")
registering.register_both(lu_p, _lowering)
mlir.register_lowering(lu_p, lambda ctx, x: mlir.custom_call("LuOfTpu", x))
"""
REGISTERING = b"""\
from functools import partial
from jax._src.interpreters import mlir
_PREFIXES = {"cpu": "cpu", "cuda": "cu"}
def register_both(prim, rule, platforms=("cpu", "cuda")):
  for platform in platforms:
    prefix = _PREFIXES[platform]
    mlir.register_lowering(prim, partial(rule, target_name_prefix=prefix), platform=platform)
"""


def test_a_helper_registers_a_rule_for_one_platform_after_the_other() -> None:
    """svd, eigh and others of JAX were told to be lowered on every platform as on TPUs."""
    changed = {"jax/_src/lax/linalg.py": HELPED, "jax/_src/lax/registering.py": REGISTERING}
    traced = JaxTracer(small_jax(changed), lambda path: TARGETS.get(path, ()))
    kernels = {(each.device, each.kernel_class) for each in story(traced, "lu_p").kernels}
    assert kernels == {("cpu", "lapack_sgetrf_ffi"), ("cuda", "cusolver_getrf_ffi")}
    told = remarks(traced, "lu_p")
    assert "other platforms: custom call LuOfTpu" in told
    assert "lapack" not in told


ARRAY_METHODS = {
    "jax/lax/__init__.py": b"from jax._src.lax.lax import add as add, exp as exp\n",
    "jax/numpy/__init__.py": b"from jax._src.numpy.more import *\n",
    "jax/_src/numpy/array_methods.py": b"""\
from jax._src.lax import lax
def _pick(self, index):
  return lax.cumsum(self)
def _sum(self):
  return lax.exp(self)
class _Changed:
  def set(self, values):
    return lax.log1p(values)
class _Helper:
  def __getitem__(self, index):
    return _Changed(self.array, index)
_array_operators = {
  "getitem": _pick,
  "eq": defer("==", lax.add),
  "neg": lambda self: lax.exp(self),
  "abs": lax.log1p,
}
_array_methods = {"sum": _sum}
_array_properties = {"T": _pick, "at": _Helper}
""",
}
WITH_ARRAYS = b"import operator\nfrom jax._src.typing import Array\nfrom jax._src.lax import lax\n"
GIVING = b"""\
def halves(n) -> Array: ...
@overload
def pair(n) -> Array: ...
def pair(n, both=False): ...
def array(values):
  return lax.copy_p.bind(values)
"""


def _bound(body: str) -> set[tuple[str, bool]]:
    more = WITH_ARRAYS + GIVING + f"def asked(x: Array, n, limits=None):\n  {body}\n".encode()
    tracer = JaxTracer(small_jax({**ARRAY_METHODS, "jax/_src/numpy/more.py": more}), lambda _path: ())
    return {(use.op, use.certain) for use in tracer.explain("jnp.asked").uses}


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        ("return x[0]", {("cumsum", True)}),
        ("return n[..., None]", {("cumsum", True)}),
        ("return n[0]", set()),
        ("return x.sum()", {("exp", True)}),
        ("return x.T", {("cumsum", True)}),
        ("return x.shape[0]", set()),
        ("return x.shape == n", set()),
        ("return x == n", {("add", True)}),
        ("return n == 3", set()),
        ("return n.sum()", set()),
        ("return x.at[0].set(n)", {("log1p", False), ("add", False)}),
        ("return -lax.cumsum(n)", {("exp", True), ("cumsum", True)}),
        ("return lax.cumsum(n).sum()", {("exp", True), ("cumsum", True)}),
        ("return lax.cumsum(limits == 3)", {("cumsum", True), ("add", False)}),  # what arrays' functions get is no test
        ("return limits(limits == 3)", set()),
        ("return g(operator.neg, n)", {("exp", False)}),
        ("def g(carry):\n    i, y = carry\n    return -y\n  return limits(g)", {("exp", True)}),
        ("return abs(n)", {("log1p", False), ("add", False)}),
        ("a, b = halves(n)\n  return b", {("cumsum", True)}),
        ("a, b = pair(n)\n  return b", set()),
        ("return lax.exp(array([n, 1]))", {("exp", True)}),
        ("return array([x, 1])", {("copy", True)}),
    ],
)
def test_what_arrays_do_is_what_the_tree_s_tables_say(body: str, bound: set[tuple[str, bool]]) -> None:
    assert _bound(body) == bound


def test_conversions_count_where_a_function_does_nothing_else() -> None:
    more = WITH_ARRAYS + GIVING + b"def copy(n):\n  return array(n)\ndef more(n):\n  return lax.exp(array(n))\n"
    changed = {**ARRAY_METHODS, "jax/_src/numpy/more.py": more}
    tracer = JaxTracer(small_jax(changed), lambda _path: ())
    assert [use.op for use in tracer.explain("jnp.copy").uses] == ["copy"]
    assert [use.op for use in tracer.explain("jnp.more").uses] == ["exp"]


def test_a_primitive_may_be_named_by_a_keyword_and_its_bind_be_handed_on() -> None:
    more = b"sink_p = standard_primitive(_shape, partial(_rule, 'x'), name='sink')\n"
    more += b"def sink(x):\n  return tree_map(partial(sink_p.bind, dce=False), x)\n"
    changed = {"jax/lax/__init__.py": b"from jax._src.lax.more import *\n", "jax/_src/lax/more.py": more}
    tracer = JaxTracer(small_jax(changed), lambda _path: ())
    assert [(use.op, use.location.line) for use in tracer.explain("lax.sink").uses] == [("sink", 3)]
    assert story(tracer, "sink").registrations[0].location.line == 1


def test_what_an_if_or_assert_asks_is_between_numbers() -> None:
    assert _bound("assert x == n\n  if -x == 3:\n    return n") == set()


def test_a_branch_for_extended_types_counts_where_it_is_asked_for_itself() -> None:
    inner = "def inner(n):\n  if dtypes.issubdtype(n.dtype, dtypes.extended):\n    return lax.exp(n)\n  return n\n"
    changed = {
        "jax/numpy/__init__.py": b"from jax._src.numpy.more import *\n",
        "jax/_src/numpy/more.py": (WITH_ARRAYS.decode() + inner + "def outer(n):\n  return inner(n)\n").encode(),
    }
    tracer = JaxTracer(small_jax(changed), lambda _path: ())
    assert [use.op for use in tracer.explain("jnp.inner").uses] == ["exp"]
    assert tracer.explain("jnp.outer").uses == ()


def test_methods_of_what_a_class_makes_are_followed() -> None:
    code = """\
class Index:
  @classmethod
  def of(cls, n):
    return cls(n)
  def gather(self, x):
    return self._all(x)
  def _all(self, x):
    return lax.exp(x)
def asked(n):
  index = Index.of(n)
  return index.gather(n)
"""
    changed = {
        "jax/numpy/__init__.py": b"from jax._src.numpy.more import *\n",
        "jax/_src/numpy/more.py": WITH_ARRAYS + code.encode(),
    }
    (use,) = JaxTracer(small_jax(changed), lambda _path: ()).explain("jnp.asked").uses
    assert (use.op, [step.name for step in use.steps]) == ("exp", ["asked", "Index.gather", "Index._all", "exp"])


def test_a_function_that_imports_another_of_its_name_runs_that_one() -> None:
    files = {
        "jax/_src/numpy/own.py": b"def cumsum(x, axis=0):\n  from jax.lax import cumsum\n  return cumsum(x)\n",
        "jax/numpy/__init__.py": exported("own", ["cumsum"]),
    }
    uses = JaxTracer(small_jax(files), lambda _path: ()).explain("jnp.cumsum").uses
    assert [(use.op, [each.name for each in use.steps]) for use in uses] == [("cumsum", ["cumsum", "cumsum"])]
