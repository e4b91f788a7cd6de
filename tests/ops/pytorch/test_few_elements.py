"""What is asked of the number of elements holds for what is given there: where there is none all is in a row, and
nothing is gone over."""

from tests.ops.pytorch import small_pytorch

NAMES = "empty_first resized_first copied dense strided over gone resize_"
YAML = "".join(f"- func: {name}(Tensor self) -> Tensor\n  variants: function, method\n" for name in NAMES.split())
YAML += "- func: copied.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
YAML += "- func: written(Tensor self, Tensor result) -> Tensor\n"
CPP = """\
namespace at { namespace native {
Tensor copied(const Tensor& self) {
  if (!self.is_contiguous()) { return at::strided(self); }
  auto iter = TensorIteratorConfig().add_input(self).build();
  if (iter.numel() == 0) { return self; }
  return at::gone(self);
}
Tensor& copied_out(const Tensor& self, Tensor& out) {
  if (!out.is_contiguous()) { at::strided(self); }
  return out;
}
Tensor empty_first(const Tensor& self) { return self.numel() == 0 ? at::copied(self) : at::dense(self); }
Tensor resized_first(const Tensor& self) {
  if (self.numel() == 0) {
    self.resize_();
    return at::copied(self);
  }
  return at::dense(self);
}
Tensor written(const Tensor& self, const Tensor& result) {
  if (result.numel() == 0) { at::copied_out(result, self); }
  return result;
}
}}
"""


def runs(name: str) -> list[str]:
    return sorted(op for op, _ in small_pytorch.runs(YAML, CPP, name))


def test_what_has_no_element_is_in_a_row() -> None:
    assert runs("empty_first") == ["copied", "dense"]


def test_what_may_have_got_some_may_not_be() -> None:
    assert runs("resized_first") == ["copied", "dense", "gone", "resize_", "strided"]
    assert runs("written") == ["copied.out", "strided"]
