"""Texts that calls give functions of their file decide what these call."""

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: plus(Tensor self, Tensor other) -> Tensor
  dispatch:
    CPU: plus_cpu
- func: minus(Tensor self, Tensor other) -> Tensor
  dispatch:
    CPU: minus_cpu
- func: unsure(Tensor self, Tensor other) -> Tensor
  dispatch:
    CPU: unsure_cpu
- func: handing(Tensor self, Tensor other) -> Tensor
  dispatch:
    CPU: handing_cpu
- func: fast(Tensor self) -> Tensor
- func: slow(Tensor self) -> Tensor
"""
OPS = """\
namespace at { namespace native {
void each_kernel(const Tensor& self, Op op) { }
void rest_kernel(const Tensor& self) { }
REGISTER_DISPATCH(each_stub, &each_kernel)
REGISTER_DISPATCH(rest_stub, &rest_kernel)
template <typename Func>
Tensor elementwise(const Tensor& self, const Tensor& other, const std::string& name, Func f) {
  if (name == "plus") {
    each_stub(self.device().type(), self, Op::PLUS);
    return at::fast(self);
  } else if (name == "times") {
    each_stub(self.device().type(), self, Op::TIMES);
  }
  rest_stub(self.device().type(), self);
  return at::slow(self);
}
Tensor plus_cpu(const Tensor& self, const Tensor& other) {
  return elementwise(self, other, "plus" /* name */, [](const Tensor& a) { return a; });
}
Tensor minus_cpu(const Tensor& self, const Tensor& other) {
  return elementwise(self, other, "minus", [](const Tensor& a) { return a; });
}
Tensor unsure_cpu(const Tensor& self, const Tensor& other) {
  return elementwise(self, other, name_of(self), [](const Tensor& a) { return a; });
}
Tensor handing_cpu(const Tensor& self, const Tensor& other) {
  return elementwise(self, other, "minus", 1) + call(elementwise<int>, self);
}
}}
"""


def kernels(name: str) -> list[str]:
    return [each.kernel_class for each in small_pytorch.story(YAML, OPS, name).kernels[1:]]


def test_a_stub_for_other_texts_is_none_of_the_operator() -> None:
    assert kernels("plus") == ["each_kernel", "rest_kernel"]
    assert kernels("minus") == ["rest_kernel"]
    assert kernels("unsure") == kernels("handing") == ["each_kernel", "rest_kernel"]


def test_a_branch_for_other_texts_runs_nothing() -> None:
    assert small_pytorch.runs(YAML, OPS, "plus") == [("fast", "")]
    assert small_pytorch.runs(YAML, OPS, "minus") == [("slow", "")]
    assert small_pytorch.runs(YAML, OPS, "unsure") == [("fast", 'name == "plus"'), ("slow", 'name != "plus"')]
