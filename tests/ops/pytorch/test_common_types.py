"""The type that a tensor and a whole number are computed with is that of the tensor, but for truth values."""

import pytest

from tests.ops.pytorch import small_pytorch

SCHEMAS = (
    "to.dtype(Tensor self, ScalarType dtype) -> Tensor",
    "_to_copy(Tensor self) -> Tensor",
    "least(Tensor self, Scalar min) -> Tensor",
    "checked(Tensor self) -> Tensor",
    "unchecked(Tensor self) -> Tensor",
    "fraction(Tensor self) -> Tensor",
    "of_two(Tensor self, Tensor other) -> Tensor",
    "of_any_two(Tensor self, Tensor other) -> Tensor",
    "of_halves(Tensor self) -> Tensor",
    "of_others(Tensor self, Tensor other) -> Tensor",
)
YAML = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS)
CPP = """\
namespace at { namespace native {
Tensor to(const Tensor& self, ScalarType dtype) {
  if (self.scalar_type() == dtype) { return self; }
  return at::_to_copy(self);
}
Tensor least(const Tensor& self, const Scalar& min) {
  ScalarType result_type = self.scalar_type();
  if (!isFloatingType(result_type)) {
    auto result_type = at::native::result_type(self, min);
    return self.to(result_type);
  }
  return self;
}
Tensor checked(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != at::kBool, "no truth values");
  return at::least(self, 0);
}
Tensor unchecked(const Tensor& self) { return at::least(self, 0); }
Tensor fraction(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != at::kBool, "no truth values");
  return at::least(self, 0.5);
}
Tensor of_two(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.dtype() == other.dtype());
  auto common = at::result_type(self, other);
  return self.to(common);
}
Tensor of_halves(const Tensor& self) {
  Tensor first = self.narrow(0, 0, n);
  Tensor second = self.narrow(0, n, n);
  return at::of_any_two(first, second);
}
Tensor of_others(const Tensor& self, const Tensor& other) {
  Tensor first = self.narrow(0, 0, n);
  Tensor second = other.narrow(0, n, n);
  return at::of_any_two(first, second);
}
Tensor of_any_two(const Tensor& self, const Tensor& other) {
  auto common = at::result_type(self, other);
  return self.to(common);
}
}}
"""


@pytest.mark.parametrize(("name", "copies"), [("checked", False), ("unchecked", True), ("fraction", True)])
def test_a_whole_number_changes_no_type(name: str, copies: bool) -> None:
    """But that of truth values."""
    assert ("_to_copy" in dict(small_pytorch.runs(YAML, CPP, name))) == copies


@pytest.mark.parametrize(("name", "copies"), [("of_two", False), ("of_any_two", True)])
def test_the_type_of_tensors_of_one_type_is_theirs(name: str, copies: bool) -> None:
    assert ("_to_copy" in dict(small_pytorch.runs(YAML, CPP, name))) == copies


@pytest.mark.parametrize(("name", "copies"), [("of_halves", False), ("of_others", True)])
def test_views_of_one_tensor_are_of_one_type(name: str, copies: bool) -> None:
    """As ``glu`` goes over two halves."""
    assert ("_to_copy" in dict(small_pytorch.runs(YAML, CPP, name))) == copies
