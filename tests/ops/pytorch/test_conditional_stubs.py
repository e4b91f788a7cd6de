"""Kernels behind stubs that the preprocessor leaves out, or of which it chooses one."""

import pytest

from bzlgraph.ops.pytorch.kernels import without_choices
from tests.ops.pytorch import small_pytorch

YAML = """\
- func: blur(Tensor self) -> Tensor
- func: fold(Tensor self) -> Tensor
- func: draw(Tensor self) -> Tensor
- func: mend(Tensor self) -> Tensor
- func: knit(Tensor self) -> Tensor
- func: weld(Tensor self) -> Tensor
- func: hemmed(Tensor self) -> Tensor
- func: sewn(Tensor self) -> Tensor
- func: tied(Tensor self) -> Tensor
- func: bent(Tensor self) -> Tensor
- func: kept(Tensor self) -> Tensor
"""
OPS = """\
namespace at { namespace native {
#if !HAS_FAST()
void fold_kernel(const Tensor& self) { at::bent(self); throw Missing(); }
Tensor blurred(const Tensor& self) { throw Missing(); }
#else
void blur_kernel(const Tensor& self) { at::kept(self); }
REGISTER_CUDA_DISPATCH(blur_stub, &blur_kernel)
static void fold_kernel(const Tensor& self) { at::kept(self); }
#ifdef IN_LISTS
REGISTER_ALL_CPU_DISPATCH(fold_stub, &fold_kernel)
#endif
#define OF_MACRO(NAME) \\
  void NAME##_kernel(const Tensor& self) { at::kept(self); } \\
  REGISTER_CUDA_DISPATCH(NAME##_stub, &NAME##_kernel)
OF_MACRO(knit)
#endif
#if HAS_LIBRARY
void draw_kernel(const Tensor& self) { at::bent(self); }
#else
void draw_kernel(const Tensor& self) { at::kept(self); }
#endif
REGISTER_DISPATCH(draw_stub, &draw_kernel)
void mend_kernel(const Tensor& self, int by) { at::kept(self); }
void mend_kernel(const Tensor& self) { at::kept(self); }
#if HAS_LIBRARY
void mend_kernel(const Tensor& self, double by) { at::kept(self); }
#endif
REGISTER_DISPATCH(mend_stub, &mend_kernel)
#if HAS_LIBRARY
REGISTER_DISPATCH(weld_stub, &weld_by_library)
#else
REGISTER_DISPATCH(weld_stub, &weld_plainly)
#endif
void tie_kernel(const Tensor& self) { at::kept(self); }
#ifdef HAS_WINDOWS
REGISTER_DISPATCH(tie_stub, &tie_kernel)
#else
ALSO_REGISTER_AVX512_DISPATCH(tie_stub, &tie_kernel)
#endif
#if HAS_FAST() && HAS_LIBRARY
void hem_kernel(const Tensor& self) { at::kept(self); }
#elif HAS_LIBRARY
void hem_kernel(const Tensor& self) { at::kept(self); }
#endif
REGISTER_DISPATCH(hem_stub, &hem_kernel)
#if HAS_FAST()
void sew_kernel(const Tensor& self, int by) { at::kept(self); }
#endif
void sew_kernel(const Tensor& self) { at::kept(self); }
REGISTER_DISPATCH(sew_stub, &sew_kernel)
Tensor blur(const Tensor& self) { blur_stub(self.device().type(), self); return self; }
Tensor fold(const Tensor& self) { fold_stub(kCPU, self); return self; }
Tensor draw(const Tensor& self) { draw_stub(kCPU, self); return self; }
Tensor mend(const Tensor& self) { mend_stub(kCPU, self); return self; }
Tensor knit(const Tensor& self) { knit_stub(kCUDA, self); return self; }
Tensor weld(const Tensor& self) { weld_stub(kCPU, self); return self; }
Tensor tied(const Tensor& self) { tie_stub(kCPU, self); return self; }
Tensor hemmed(const Tensor& self) { hem_stub(kCPU, self); return self; }
Tensor sewn(const Tensor& self) { sew_stub(kCPU, self); return self; }
}}
"""


def behind(name: str) -> list[tuple[str, int, str]]:
    """The function, the line and the condition of each kernel behind a stub."""
    kernels = small_pytorch.story(YAML, OPS, name).kernels
    stubs = [each for each in kernels if each.through[0].startswith("stub ")]
    return [(each.kernel_class, each.location.line, each.condition) for each in stubs]


def line(text: str, number: int = 0) -> int:
    """The line of one of those that begin so."""
    return [at for at, each in enumerate(OPS.splitlines(), 1) if each.startswith(text)][number]


def test_a_kernel_behind_a_stub_has_the_condition_that_it_is_compiled_under() -> None:
    assert behind("blur") == [("blur_kernel", line("void blur_kernel"), "HAS_FAST()")]
    assert behind("knit") == [("knit_kernel", line("OF_MACRO"), "HAS_FAST()")]


def test_of_two_functions_of_a_name_the_registration_means_the_one_that_is_compiled_with_it() -> None:
    """As in miopen/Conv_miopen.cpp, where the first one throws."""
    assert behind("fold") == [("fold_kernel", line("static void fold_kernel"), "HAS_FAST() && IN_LISTS")]


def test_a_registration_under_no_condition_means_each_of_the_functions_that_exclude_one_another() -> None:
    """As ``bernoulli_scalar_kernel`` of cpu/DistributionKernels.cpp, with MKL and without."""
    assert behind("draw") == [
        ("draw_kernel", line("void draw_kernel", 0), "HAS_LIBRARY"),
        ("draw_kernel", line("void draw_kernel", 1), "!HAS_LIBRARY"),
    ]
    assert behind("hemmed") == [
        ("hem_kernel", line("void hem_kernel", 0), "HAS_FAST() && HAS_LIBRARY"),
        ("hem_kernel", line("void hem_kernel", 1), "(!(HAS_FAST()) || !HAS_LIBRARY) && HAS_LIBRARY"),
    ]


def test_functions_of_a_name_that_are_compiled_together_are_one_kernel() -> None:
    assert behind("mend") == [("mend_kernel", line("void mend_kernel"), "")]


def test_a_function_that_is_compiled_without_the_one_before_it_is_told() -> None:
    lines = line("void sew_kernel", 0), line("void sew_kernel", 1)
    assert behind("sewn") == [("sew_kernel", lines[0], "HAS_FAST()"), ("sew_kernel", lines[1], "")]


def test_registrations_that_exclude_one_another_have_their_own_conditions() -> None:
    functions = [(name, condition) for name, _, condition in behind("weld")]
    assert functions == [("weld_by_library", "HAS_LIBRARY"), ("weld_plainly", "!HAS_LIBRARY")]


def test_what_is_registered_in_each_branch_is_always_compiled() -> None:
    assert behind("tied") == [("tie_kernel", line("void tie_kernel"), "")]


@pytest.mark.parametrize(("name", "ops"), [("fold", ["kept"]), ("draw", ["bent", "kept"])])
def test_what_a_stub_runs_is_that_of_the_functions_that_it_means(name: str, ops: list[str]) -> None:
    assert sorted(each.op for each in small_pytorch.story(YAML, OPS, name).runs) == ops


def test_one_function_in_two_builds_is_no_choice() -> None:
    kernels = small_pytorch.story(YAML, OPS, "draw").kernels
    assert [each.condition for each in without_choices(kernels)] == ["", "HAS_LIBRARY", "!HAS_LIBRARY"]
