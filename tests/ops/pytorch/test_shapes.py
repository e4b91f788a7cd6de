"""How many dimensions a variable has that is another tensor, or made of one by what leaves its dimensions as they are,
wherever it is set: as the matrices of ``addmm_impl_cpu_``, of which a shape function makes sure, or what it calls."""

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: product(Tensor self, Tensor other) -> Tensor
  structured_delegate: product.out
- func: product.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: product_out
- func: unsqueeze(Tensor self, int dim) -> Tensor
  variants: method
- func: resolve(Tensor self) -> Tensor
  variants: method
- func: squeeze(Tensor self) -> Tensor
  variants: method
- func: flip(Tensor self) -> Tensor
  variants: method
- func: clone(Tensor self) -> Tensor
  variants: method
- func: resolve_conj(Tensor self) -> Tensor
  variants: method
"""
CPP = """\
namespace at {
namespace meta {
template <typename Meta>
void check_both(Meta& meta, const Tensor& one, const Tensor& two) {
  TORCH_CHECK(one.dim() == 2 && two.dim() == 2);
  meta.set_output_raw_strided(0, one.sizes(), {}, one.options());
}
TORCH_META_FUNC(product)(const Tensor& self, const Tensor& other) { check_both(*this, self, other); }
}
namespace native {
static void multiply(const Tensor& left) {
  if (left.dim() == 1) { left.unsqueeze(0); }
  if (left.dim() == 2) { left.resolve(); }
  if (left.dim() == 3) { left.squeeze(); }
}
static void multiply_matrices(const Tensor& m1, const Tensor& m2, bool up) {
  Tensor a;
  if (up) {
    a = m1.clone();
  } else {
    a = m2;
  }
  Tensor f = m1.flip();
  multiply(a);
  multiply(f);
}
TORCH_IMPL_FUNC(product_out)(const Tensor& self, const Tensor& other, const Tensor& result) {
  multiply_matrices(self.resolve_conj(), other, true);
}
}
}
"""


def test_a_variable_has_as_many_dimensions_as_what_it_is_set_to() -> None:
    told = dict(small_pytorch.runs(YAML, CPP.replace("m1.flip", "m1.clone"), "product"))
    assert told.keys() == {"resolve_conj", "clone", "resolve"}


def test_a_variable_may_have_other_dimensions_than_what_it_is_made_of() -> None:
    assert {"flip", "unsqueeze", "squeeze"} <= dict(small_pytorch.runs(YAML, CPP, "product")).keys()
