"""What a function borrows where it is contiguous is the very tensor then: nothing is copied back to it."""

import pytest

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: summed(Tensor self) -> Tensor
  structured_delegate: summed.out
- func: summed_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: summed.out
- func: summed.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: summed_out}
- func: made(Tensor self) -> Tensor
- func: given(Tensor self, Tensor result) -> Tensor
- func: copy_back(Tensor self) -> Tensor
- func: rows(Tensor self) -> Tensor
"""
CPP = """\
namespace at { namespace native {
static c10::MaybeOwned<Tensor> in_rows(const Tensor& tensor) {
  if (tensor.is_contiguous()) {
    return c10::MaybeOwned<Tensor>::borrowed(tensor);
  }
  return c10::MaybeOwned<Tensor>::owned(at::rows(tensor));
}
static void add_up(const Tensor& self, const Tensor& result) {
  auto result_ = in_rows(result);
  if (!result.is_same(*result_)) { at::copy_back(result); }
}
static void set_shape(impl::MetaBase& meta, const Tensor& self) {
  meta.set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(kLong));
}
TORCH_META_FUNC(summed)(const Tensor& self) { set_shape(*this, self); }
TORCH_IMPL_FUNC(summed_out)(const Tensor& self, const Tensor& result) { add_up(self, result); }
Tensor made(const Tensor& self) {
  Tensor result = at::empty({3}, self.options());
  add_up(self, result);
  return result;
}
Tensor given(const Tensor& self, const Tensor& result) {
  add_up(self, result);
  return result;
}
}}
"""


@pytest.mark.parametrize("name", ["made", "summed"])
def test_a_contiguous_tensor_is_borrowed(name: str) -> None:
    assert small_pytorch.runs(YAML, CPP, name) == []


@pytest.mark.parametrize("name", ["given", "summed_", "summed.out"])
def test_another_is_copied_back(name: str) -> None:
    assert dict(small_pytorch.runs(YAML, CPP, name)) == {
        "rows": "!tensor.is_contiguous()",
        "copy_back": "!result.is_contiguous()",
    }


PREPARED = """\
namespace at { namespace native {
c10::MaybeOwned<Tensor> inline plain_if(const Tensor& tensor, bool wanted) {
  if (wanted && tensor.is_conj()) {
    return c10::MaybeOwned<Tensor>::owned(at::rows(tensor));
  } else {
    return c10::MaybeOwned<Tensor>::borrowed(tensor);
  }
}
c10::MaybeOwned<Tensor> inline prepare(const Tensor& tensor, bool& turned) {
  if (tensor.is_non_overlapping_and_dense()) {
    turned = false;
    return plain_if(tensor, true);
  }
  return c10::MaybeOwned<Tensor>::owned(at::rows(tensor));
}
struct commonArgs {
  commonArgs(const Tensor& a, Tensor& c) {
    bool turned = false;
    result = prepare(c, turned);
  }
  c10::MaybeOwned<Tensor> result;
};
static void multiply(const Tensor& self, Tensor& result) {
  commonArgs args(self, result);
  if (!result.is_same(*args.result)) { at::copy_back(result); }
}
TORCH_META_FUNC(summed)(const Tensor& self) { set_output_raw_strided(0, self.sizes(), {}, self.options()); }
TORCH_IMPL_FUNC(summed_out)(const Tensor& self, const Tensor& result) { multiply(self, const_cast<Tensor&>(result)); }
}}
"""


def test_a_member_is_borrowed_by_the_constructor_of_its_object() -> None:
    """As ``mm`` on CUDA copies its result back where it was prepared: a new one never is."""
    assert "copy_back" not in dict(small_pytorch.runs(YAML, PREPARED, "summed"))
    assert dict(small_pytorch.runs(YAML, PREPARED, "summed.out"))["copy_back"] == "!result.is_same(*args.result)"
