"""Branches for sparse tensors run below an operator for these only where something sparse may be given: not what a
sparse tensor is made of, not what the function of an ordinary dispatch key is given."""

import pytest

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: biggest(Tensor self) -> Tensor
  variants: function, method
  dispatch: {CPU: biggest_cpu}
- func: values(Tensor(a) self) -> Tensor(a)
  variants: method
- func: only_sparse(Tensor self) -> Tensor
- func: picked(Tensor self) -> Tensor
  variants: function, method
  dispatch: {CPU: picked_cpu, SparseCPU: picked_sparse}
- func: sparse_of_values(Tensor self) -> Tensor
- func: sparse_of_biggest(Tensor self) -> Tensor
- func: sparse_of_itself(Tensor self) -> Tensor
- func: sparse_of_local(Tensor self) -> Tensor
- func: sparse_of_made(Tensor self) -> Tensor
  dispatch: {CPU: of_made}
- func: sparse_of_dense(Tensor self) -> Tensor
  dispatch: {CPU: of_dense, SparseCPU: of_sparse}
- func: sparse_of_remade(Tensor self) -> Tensor
  dispatch: {CPU: of_remade}
- func: sparse_of_part(Tensor values) -> Tensor
- func: sparse_of_helped(Tensor self) -> Tensor
  dispatch: {CPU: of_helped}
- func: sparse_of_converted(Tensor self) -> Tensor
  dispatch: {CPU: of_converted}
- func: quantized_of_scales(Tensor self) -> Tensor
- func: quantized_of_numbers(Tensor self) -> Tensor
- func: q_scales(Tensor self) -> Tensor
  variants: method
- func: only_quantized(Tensor self) -> Tensor
- func: contiguous(Tensor self) -> Tensor
  variants: function, method
- func: sparse_of_either(Tensor self) -> Tensor
  dispatch: {CPU: of_either}
- func: sparse_used(Tensor self) -> Tensor
"""
CPP = """\
namespace at { namespace helping {
void used(const Tensor& a) { at::biggest(a); }
}}
using namespace at::helping;
namespace at { namespace native {
Tensor biggest_cpu(const Tensor& self) { return self; }
Tensor values(const Tensor& self) { return self; }
Tensor only_sparse(const Tensor& self) { return self; }
Tensor picked_cpu(const Tensor& self) { return self; }
Tensor picked_sparse(const Tensor& self) { return at::only_sparse(self); }
Tensor sparse_of_values(const Tensor& self) { return self.values().picked(); }
Tensor sparse_of_biggest(const Tensor& self) { return self.biggest().picked(); }
Tensor sparse_of_itself(const Tensor& self) { return self.picked(); }
Tensor sparse_of_local(const Tensor& self) { Tensor t = self; auto v = t.values(); return at::picked(v); }
Tensor of_made(const Tensor& self) { Tensor made = at::_sparse_coo(self); return at::picked(made); }
Tensor of_dense(const Tensor& self) { return at::picked(self); }
Tensor of_sparse(const Tensor& self) { return self; }
Tensor of_remade(const Tensor& self) {
  Tensor made = at::_sparse_coo(self);
  if (self.dim() > 1) { made = at::biggest(self); return at::picked(made); }
  return self;
}
static Tensor helped(const Tensor& a) { return at::picked(a); }
Tensor of_helped(const Tensor& self) {
  auto coo = at::_sparse_coo(self);
  return helped(made_of_indices(self, self.dim() > 1 ? 2 : 1));
}
Tensor of_converted(const Tensor& self) {
  auto coo = at::_convert_indices_from_csr_to_coo(self);
  return coo.picked();
}
Tensor only_quantized(const Tensor& self) { return self; }
Tensor contiguous(const Tensor& self) { return self.is_quantized() ? at::only_quantized(self) : self; }
Tensor q_scales(const Tensor& self) { return self; }
Tensor quantized_of_scales(const Tensor& self) { return self.q_scales().contiguous(); }
Tensor quantized_of_numbers(const Tensor& self) {
  const Tensor row = self.contiguous();
  pack_quantized(row.const_data_ptr<float>());
  return row;
}
Tensor of_either(const Tensor& self) {
  Tensor made = at::_sparse_coo(self);
  if (self.dim() > 1) { made = at::biggest(self); }
  return at::picked(made);
}
Tensor sparse_of_part(const Tensor& values) { return at::picked(values); }
Tensor sparse_used(const Tensor& self) { used(self); return self; }
}}
"""


@pytest.mark.parametrize("of", ["values", "biggest", "local", "dense", "remade", "part", "converted", "helped"])
def test_what_is_not_sparse_runs_nothing_for_sparse_tensors(of: str) -> None:
    assert "only_sparse" not in dict(small_pytorch.runs(YAML, CPP, f"torch.sparse_of_{of}"))


@pytest.mark.parametrize("of", ["scales", "numbers"])
def test_what_is_not_quantized_runs_nothing_for_quantized_tensors(of: str) -> None:
    assert "only_quantized" not in dict(small_pytorch.runs(YAML, CPP, f"torch.quantized_of_{of}"))


@pytest.mark.parametrize("of", ["itself", "made", "either"])
def test_what_may_be_sparse_does(of: str) -> None:
    assert dict(small_pytorch.runs(YAML, CPP, f"torch.sparse_of_{of}"))["only_sparse"] == "SparseCPU"


def test_a_file_uses_the_functions_of_a_namespace_that_it_names() -> None:
    assert small_pytorch.runs(YAML, CPP, "torch.sparse_used") == [("biggest", "")]


ASKING = """\
namespace at { namespace native {
Tensor unpacked(const Tensor& self) {
  if (self.is_quantized()) { return self.dense(); }
  return at::biggest(self);
}
Tensor dense_cpu(const Tensor& self) { return self.only_sparse(); }
Tensor dense_quantized(const Tensor& self) { return self; }
Tensor only_sparse(const Tensor& self) { return self; }
}}
"""


def test_the_dispatcher_calls_the_function_of_the_kind_that_is_asked_for() -> None:
    """As `item` of a quantized tensor: what makes a dense one of it is no function for dense ones."""
    yaml = """\
- func: unpacked(Tensor self) -> Tensor
- func: biggest(Tensor self) -> Tensor
- func: only_sparse(Tensor self) -> Tensor
  variants: method
- func: dense(Tensor self) -> Tensor
  variants: method
  dispatch:
    CPU, CUDA: dense_cpu
    QuantizedCPU: dense_quantized
"""
    assert [op for op, _ in small_pytorch.runs(yaml, ASKING, "unpacked")] == ["dense", "biggest"]
    assert [op for op, _ in small_pytorch.runs(yaml, ASKING, "torch.Tensor.dense")] == ["only_sparse"]
