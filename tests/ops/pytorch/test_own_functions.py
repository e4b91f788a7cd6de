"""Functions that only their file can call: they are no operator's own, nor stubs, and what they call others call."""

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource

YAML = """\
- func: multiply(Tensor self, Tensor other) -> Tensor
- func: mul(Tensor self, Tensor other) -> Tensor
  dispatch:
    CPU: mul_cpu
- func: pad(Tensor self) -> Tensor
  dispatch:
    CPU: pad_cpu
- func: copied(Tensor self) -> Tensor
  variants: method
- func: draw_.Tensor(Tensor(a!) self, Tensor p) -> Tensor(a!)
  dispatch:
    CPU, CUDA: draw_
- func: draw_.float(Tensor(a!) self, float p) -> Tensor(a!)
  dispatch:
    CPU, CUDA: draw_
- func: relu(Tensor self) -> Tensor
  dispatch:
    CPU: relu_cpu
- func: clamp(Tensor self) -> Tensor
  dispatch:
    CPU: clamp_cpu
- func: thin(Tensor self) -> Tensor
  dispatch:
    SparseCPU: thin_cpu
    SparseCUDA: thin_cuda
- func: thinned(Tensor self) -> Tensor
  dispatch:
    CUDA: thinned_cuda
- func: clamped(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: clamp_cpu
- func: plus(Tensor self) -> Tensor
  structured_delegate: plus.out
  dispatch:
    SparseCPU: thin_cpu
- func: plus.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop:
    Generic: add (AllAndComplex)
- func: averaged(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: averaged
- func: averaged_cuda(Tensor self) -> Tensor
  dispatch:
    CUDA: averaged_cuda
- func: plussed(Tensor self) -> Tensor
- func: frac(Tensor self) -> Tensor
- func: with_scalars(Tensor self) -> Tensor
- func: transform(Tensor self) -> Tensor
- func: _transform(Tensor self) -> Tensor
  dispatch:
    CPU: transform_cpu
"""
OPS = """\
namespace at { namespace native {
DEFINE_DISPATCH(ReluKernel);
DEFINE_DISPATCH(draw_tensor_stub);
DEFINE_DISPATCH(draw_number_stub);
Tensor multiply(const Tensor& self, const Tensor& other) { return at::mul(self, other); }
Tensor mul_cpu(const Tensor& self, const Tensor& other) { return self; }
template <typename RNG>
struct DrawStub {
  void operator()(Tensor& self, const Tensor& p) { draw_tensor_stub(self.device(), self, p); }
  void operator()(Tensor& self, double p) { draw_number_stub(self.device(), self, p); }
};
Tensor& draw_(Tensor& self, const Tensor& p) { return templates::draw_impl_<DrawStub, Generator>(self, p); }
Tensor& draw_(Tensor& self, double p) { return templates::draw_impl_<DrawStub, Generator>(self, p); }
static void relu_each(const Tensor& t) { ReluKernel(t.device(), t); }
static void relu_all(const Tensor& t) { relu_each(t); }
Tensor relu_cpu(const Tensor& self) { relu_all(self); return self; }
template <typename Stub> static void each_of(const Tensor& t, Stub& relu_stub) { relu_stub(t); }
static void clamp_either(const Tensor& t) { if (t.dim()) { min_stub(t); } else { max_stub(t); } }
Tensor clamp_cpu(const Tensor& self) { clamp_either(self); each_of(self, ReluKernel); return self; }
Tensor thin_cpu(const Tensor& self) { return self; }
Tensor thin_cuda(const Tensor& self) { return self; }
Tensor thinned_cuda(const Tensor& self) { return at::thin(self); }
Tensor plussed(const Tensor& self) { return at::plus(self); }
Tensor averaged(const Tensor& self) { return self.device().is_cpu() ? at::plus(self) : at::thin(self); }
Tensor averaged_cuda(const Tensor& self) { return at::averaged(self); }
bool fast(const Tensor& t, ArrayRef<Scalar> scalars = {}) {
  if (!scalars.empty()) { at::with_scalars(t); }
  return true;
}
Tensor frac(const Tensor& self) { return fast(self) ? self : at::multiply(self, self); }
Tensor transform(const Tensor& self) { return at::_transform(self); }
#if HAS_LIBRARY()
Tensor transform_cpu(const Tensor& self) { return self; }
#else
Tensor transform_cpu(const Tensor& self) { throw 1; }
#endif
void copy_kernel(const Tensor& t) { t.copied(); }
REGISTER_DISPATCH(copy_stub, &copy_kernel)
}}
"""
DROPOUT = """\
namespace at { namespace native { namespace {
template <bool inplace> Tensor multiply(const Tensor& input, const Tensor& noise) { return input; }
}
static Tensor mul_cpu(const Tensor& self, const Tensor& other) { return self; }
}}
"""
KERNELS = """\
namespace at { namespace native { namespace {
void draw_tensor(const Tensor& t) {}
void draw_number(const Tensor& t) {}
void relu_kernel(const Tensor& t) {}
}
REGISTER_DISPATCH(draw_tensor_stub, &draw_tensor)
REGISTER_DISPATCH(draw_number_stub, &draw_number)
REGISTER_DISPATCH(ReluKernel, &relu_kernel);
REGISTER_DISPATCH(relu_stub, &relu_kernel);
REGISTER_DISPATCH(min_stub, &draw_number);
REGISTER_DISPATCH(max_stub, &draw_tensor);
static inline void copy_stub(float* out, const float* in) { out[0] = in[0]; }
Tensor pad_cpu(const Tensor& self) { copy_stub(out, in); return self; }
}}
"""
FILES = {
    ENTRIES: YAML,
    "aten/src/ATen/native/Dropout.cpp": DROPOUT,
    "aten/src/ATen/native/Ops.cpp": OPS,
    "aten/src/ATen/native/cpu/Kernels.cpp": KERNELS,
    "tools/autograd/derivatives.yaml": "- name: multiply(Tensor self, Tensor other) -> Tensor\n  self: clamped(grad)\n",
}


def tracer() -> PytorchTracer:
    source = MemorySource({path: text.encode() for path, text in FILES.items()})
    return PytorchTracer(source, lambda _path: (), None)


def kernels(name: str) -> list[tuple[str, tuple[str, ...]]]:
    (story,) = tracer().explain(name).stories
    return [(each.kernel_class, each.through) for each in story.kernels]


@pytest.mark.parametrize("name", ["multiply", "mul"])
def test_a_function_that_only_its_file_can_call_is_no_kernel(name: str) -> None:
    """As the template ``multiply`` of Dropout.cpp, which comes first."""
    (story,) = tracer().explain(name).stories
    assert [each.location.path for each in story.kernels] == ["aten/src/ATen/native/Ops.cpp"]


def test_a_function_of_the_file_comes_before_a_stub_of_its_name() -> None:
    """As ``copy_stub`` of PaddingKernel.cpp."""
    (story,) = tracer().explain("pad").stories
    assert [each.kernel_class for each in story.kernels] == ["pad_cpu"]
    assert not story.runs


def test_a_stub_that_a_class_calls_is_called_by_who_hands_the_class_on() -> None:
    """As ``bernoulli_impl_<BernoulliStub, Generator>(self, p)``."""
    assert kernels("draw_.Tensor")[1] == ("draw_tensor", ("stub draw_tensor_stub", "called by DrawStub"))
    assert [each for each, _ in kernels("draw_.float")] == ["draw_", "draw_number", "draw_"]
    (asked,) = [each for each in tracer().explain("aten/src/ATen/native/Ops.cpp").stories if each.op == "relu"]
    assert asked.kernels[0].kernel_class == "relu_cpu"


def test_a_stub_two_functions_below_is_a_kernel() -> None:
    assert kernels("relu") == [
        ("relu_cpu", ("dispatch key",)),
        ("relu_kernel", ("stub ReluKernel", "called by relu_each")),
    ]
    assert "relu" in [each.op for each in tracer().explain("aten/src/ATen/native/cpu/Kernels.cpp").stories]


def test_of_several_stubs_a_function_of_the_file_chooses() -> None:
    """Not of what is given to it under a stub's name, as ``fill_stub`` to ``scatter_impl``."""
    assert kernels("clamp")[1:] == [
        ("relu_kernel", ("stub ReluKernel",)),
        ("draw_tensor", ("stub max_stub, if clamp_either chooses it",)),
        ("draw_number", ("stub min_stub, if clamp_either chooses it",)),
    ]


def test_a_default_without_values_is_empty() -> None:
    (story,) = tracer().explain("frac").stories
    assert [each.op for each in story.runs] == ["multiply", "mul"]


def test_the_kernel_of_what_runs_inside_has_its_condition() -> None:
    text = answer_text(tracer().explain("transform"), everything=False)
    place = "aten/src/ATen/native/Ops.cpp:33"
    assert f"kernel CPU transform_cpu at {place} (compiled when HAS_LIBRARY())" in text


def test_what_runs_on_a_gpu_has_the_kernel_for_it() -> None:
    """As ``sparse_mask``, which is no function of ordinary tensors."""
    text = answer_text(tracer().explain("thinned"), everything=False)
    assert "kernel SparseCUDA thin_cuda at aten/src/ATen/native/Ops.cpp:21  on CUDA" in text


def test_a_formula_has_no_kernel_that_one_of_several_choices_is() -> None:
    """As ``convolution_backward``, which calls a stub for each library."""
    (story,) = tracer().explain("multiply").stories
    assert [each.kernel_class for each in story.gradients[0].kernels] == ["clamp_cpu"]


def test_what_runs_on_ordinary_tensors_has_no_kernel_for_special_ones() -> None:
    assert "kernel Generic ufunc add" in answer_text(tracer().explain("plussed"), everything=False)


def test_where_the_only_tensor_is_on_a_cpu_nothing_runs_on_a_gpu() -> None:
    """As ``mean.dim``, which sums on CPUs only."""
    told = [(each.op, each.device, each.condition) for each in tracer().explain("averaged").stories[0].runs]
    assert ("plus", "CPU", "") in told
    below = tracer().explain("averaged_cuda").stories[0].runs
    assert [(each.op, each.device) for each in below] == [("averaged", "CUDA"), ("thin", "CUDA")]
