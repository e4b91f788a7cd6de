"""Kernels of autograd that C++ registers by hand."""

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: blur_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU: blur_cpu_
- func: outer(Tensor self) -> Tensor
- func: fold.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: fold_out
- func: fold(Tensor self) -> Tensor
  structured_delegate: fold.out
"""
OPS = """\
namespace at { namespace native {
Tensor& blur_cpu_(Tensor& self) { return self; }
Tensor outer(const Tensor& self) { return at::blur_(self); }
TORCH_IMPL_FUNC(fold_out)(const Tensor& self, const Tensor& out) { }
}}
namespace own {
namespace Recorded {
namespace {
Tensor& blur_(c10::DispatchKeySet keys, Tensor& self) { return self; }
}
}
namespace InPlace {
Tensor& blur_(c10::DispatchKeySet keys, Tensor& self) { return self; }
}
TORCH_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("blur_", torch::dispatch(DispatchKey::Autograd, TORCH_FN(Recorded::blur_)));
  m.impl("fold.out", elsewhere);
}
#ifdef TRACKED
TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("aten::blur_", TORCH_FN(InPlace::blur_)); }
#endif
TORCH_LIBRARY_IMPL(aten, Tracer, m) { m.impl("blur_", TORCH_FN(InPlace::blur_)); }
}
"""


def test_what_is_registered_for_autograd_is_a_kernel() -> None:
    told = [
        (each.device, each.kernel_class, each.location.line, each.condition)
        for each in small_pytorch.story(YAML, OPS, "blur_").kernels
    ]
    assert told == [
        ("CPU", "blur_cpu_", 2, ""),
        ("Autograd", "Recorded::blur_", 9, ""),
        ("ADInplaceOrView", "InPlace::blur_", 13, "TRACKED"),
    ]


def test_what_runs_inside_has_only_kernels_that_compute() -> None:
    (run,) = small_pytorch.story(YAML, OPS, "outer").runs
    assert [each.device for each in run.kernels] == ["CPU"]


def test_it_is_for_the_very_operator_and_stands_where_it_is_registered_without_a_function() -> None:
    kernels = small_pytorch.story(YAML, OPS, "fold.out").kernels
    assert [(each.device, each.location.line) for each in kernels] == [("CPU", 4), ("Autograd", 17)]
    assert [each.device for each in small_pytorch.story(YAML, OPS, "fold").kernels] == ["CPU"]
