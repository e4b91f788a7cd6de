"""What is known where C++ calls on decides the conditions behind: of what runs inside no branch is told that cannot."""

import pytest

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.ops.tracer import OpTrace
from bzlgraph.workspace.sources.source import MemorySource

YAML = """\
- func: scale(Tensor self) -> Tensor
- func: product(Tensor self) -> Tensor
- func: draw(Tensor self, int n) -> Tensor
- func: changed(Tensor self, int n) -> Tensor
- func: other(Tensor self, int n) -> Tensor
- func: twice(Tensor self, int n) -> Tensor
- func: by_two(Tensor self, int n) -> Tensor
- func: forward(Tensor self) -> Tensor
- func: normalized(Tensor self) -> Tensor
- func: mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)
  variants: method
- func: permuted(Tensor self, int n) -> Tensor
- func: sub.Scalar(Tensor self, Scalar other) -> Tensor
  variants: method
- func: t(Tensor self) -> Tensor
  variants: function, method
- func: mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)
  variants: method
- func: sum(Tensor self) -> Tensor
  variants: method
- func: filled(Tensor self, Tensor value) -> Tensor
  dispatch:
    CPU, CUDA: filled
- func: filled_on_cpu(Tensor self, Tensor value) -> Tensor
  dispatch:
    CPU: filled_on_cpu
"""
CPP = """\
namespace at { namespace native {
void scaled(const Tensor& result, const Scalar& beta) {
  if (beta.to<c10::complex<double>>() != 0.0) { result.mul_(beta); } else { result.sum(); }
}
Tensor scale(const Tensor& self) {
  Scalar beta(0.0);
  scaled(self, beta);
  scaled(self, Scalar(0));
}
Tensor multiplied(Tensor& out, const Tensor& a) {
  const bool has_out = out.defined();
  return has_out ? at::t(out) : a.sum();
}
Tensor product(const Tensor& self) {
  Tensor result, unused;
  result = multiplied(unused, self);
  return result;
}
Tensor drawn(const Tensor& self, int64_t count) {
  if (count == 1) { return at::t(self); }
  return self.sum();
}
Tensor draw(const Tensor& self, int64_t n) {
  if (self.is_cuda() || n == 1) { return self; }
  return drawn(self, n);
}
Tensor changed(const Tensor& self, int64_t n) {
  if (n == 1) { return self; }
  n = n - 1;
  return drawn(self, n);
}
Tensor other(const Tensor& self, int64_t n) {
  if (n == 1) { return self; }
  return drawn(self, n - 1);
}
void all_of_it(const Tensor& self, Tensor& grad, Tensor& bias) {
  if (bias.defined()) { bias += at::t(grad); }
  self.sum();
}
Tensor forward(const Tensor& self) {
  Tensor undefined;
  check(self, undefined);
  all_of_it(self, undefined, undefined);
}
double norm_of(IntArrayRef sizes) { return 1.0; }
Tensor normalized(const Tensor& self) {
  auto scale = norm_of(self.sizes());
  return self.mul_(scale);
}
Tensor slice(const Tensor& self) { return at::t(self); }
Tensor permuted(const Tensor& self, int64_t n) {
  const auto slice = [](std::vector<int64_t> v) -> decltype(v) { return v; };
  auto dims = slice(self.sizes());
  take(dims[0] - n);
  return self.sum();
}
Tensor turned(const Tensor& self) { return at::t(self); }
Tensor twice(const Tensor& self, int64_t n) {
  if (n == 1) { return at::t(self); }
  if (self.is_cuda()) { self.sum(); at::t(self); }
}
Tensor by_two(const Tensor& self, int64_t n) {
  if (n == 1) { turned(self); }
  if (self.is_cuda()) { self.sum(); turned(self); }
}
Tensor filled(const Tensor& self, const Tensor& value) {
  if (self.device() != value.device()) { return value.sum(); }
  return at::t(self);
}
Tensor filled_on_cpu(const Tensor& self, const Tensor& value) { return filled(self, value); }
}}
"""


def story(name: str) -> OpTrace:
    files = {ENTRIES: YAML, "aten/src/ATen/native/Ops.cpp": CPP}
    source = MemorySource({path: text.encode() for path, text in files.items()})
    return PytorchTracer(source, lambda _path: (), None).explain(name).stories[0]


def runs(name: str) -> list[tuple[str, str]]:
    return [(each.op, each.condition) for each in story(name).runs]


def test_a_number_that_a_call_gives_decides_what_it_is_asked() -> None:
    """As ``bmm`` gives ``baddbmm_out_cuda_impl`` a ``Scalar beta(0.0)``: nothing is multiplied by it."""
    assert runs("scale") == [("sum", "")]


def test_a_tensor_that_is_declared_and_handed_on_is_none() -> None:
    """As ``matmul`` gives ``_matmul_impl`` one for ``out``, which asks a local variable about it."""
    assert runs("product") == runs("forward") == [("sum", "")]


def test_conditions_around_a_call_decide_those_behind_it() -> None:
    """As ``multinomial_out`` draws one sample by itself, and calls its kernel for more."""
    assert runs("draw") == [("sum", "!(self.is_cuda() || n == 1)")]


def test_a_number_that_a_function_returns_is_no_tensor() -> None:
    """As ``_fft_apply_normalization`` multiplies by what ``_fft_normalization_scale`` returns."""
    assert runs("normalized") == [("mul_.Scalar", "")]


def test_a_lambda_hides_the_function_of_the_file() -> None:
    """As ``permute_sparse_coo`` takes parts of a list of numbers by its own ``slice``."""
    assert runs("permuted") == [("sum", "")]


@pytest.mark.parametrize("name", ["changed", "other"])
def test_what_has_changed_since_is_not_known(name: str) -> None:
    assert {op for op, _ in runs(name)} == {"t", "sum"}


@pytest.mark.parametrize("name", ["twice", "by_two"])
def test_a_condition_of_one_of_several_calls_is_said_to_be_so(name: str) -> None:
    told = {each.op: (each.condition, each.otherwise) for each in story(name).runs}
    assert told["t"] == ("n == 1", True)
    assert not told["sum"][1]


def test_what_runs_on_a_cpu_has_all_tensors_there() -> None:
    """As ``fill_`` asks whether its value is elsewhere."""
    assert runs("filled") == [("sum", "self.device() != value.device()"), ("t", "self.device() == value.device()")]
    assert runs("filled_on_cpu") == [("t", "")]
