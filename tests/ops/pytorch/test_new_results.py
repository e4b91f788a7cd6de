"""What is known of a result that an operator makes anew: its elements are in memory as they are read, it stands for no
tensor that is given, also where a stub is handed on which gets it."""

from tests.ops.pytorch import small_pytorch

SUMS = """\
- func: t(Tensor self) -> Tensor
  variants: method
- func: other(Tensor self) -> Tensor
  variants: method
"""
SUMS += "".join(
    f"""\
- func: {name}(Tensor self) -> Tensor
  structured_delegate: {name}.out
- func: {name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {{CPU: {name}_out}}
"""
    for name in ("sums", "turned")
)
CPP = """\
namespace at {
namespace meta {
TORCH_META_FUNC(sums)(const Tensor& self) { set_output_raw_strided(0, self.sizes(), {}, self.options()); }
TORCH_META_FUNC(turned)(const Tensor& self) { set_output_raw_strided(0, self.sizes(), {}, self.options()); }
}
namespace native {
template <class Stub>
void each_sum(const Tensor& self, const Tensor& result, Stub& stub) {
  if (self.dim() == 0) { return; }
  stub(self.device().type(), result, self);
}
void sums_kernel(const Tensor& result, const Tensor& self) {
  if (!result.is_contiguous()) { result.t(); }
  if (!self.is_contiguous()) { self.other(); }
}
REGISTER_DISPATCH(sums_stub, &sums_kernel)
TORCH_IMPL_FUNC(sums_out)(const Tensor& self, const Tensor& result) { each_sum(self, result, sums_stub); }
static void turn_if(const Tensor& self, bool turn) { if (turn) { self.t(); } }
TORCH_IMPL_FUNC(turned_out)(const Tensor& self, const Tensor& result) {
  bool result_is_turned = result.is_conj();
  turn_if(result, result_is_turned);
  if (self.is_conj()) { self.other(); }
}
}}
"""


def runs(name: str) -> list[str]:
    return sorted(op for op, _ in small_pytorch.runs(SUMS, CPP, name))


def test_a_stub_that_is_handed_on_gets_a_new_result() -> None:
    assert runs("sums") == ["other"]
    assert runs("sums.out") == ["other", "t"]


def test_a_new_result_is_in_memory_as_it_is_read() -> None:
    assert runs("turned") == ["other"]
    assert runs("turned.out") == ["other", "t"]


def test_what_goes_over_a_new_tensor_makes_none() -> None:
    """As ``abs`` of complex numbers makes a tensor of these first."""
    yaml = "- func: filled(Tensor self) -> Tensor\n- func: given(Tensor self, Tensor? to) -> Tensor\n"
    yaml += "- func: least(Tensor self) -> Tensor\n"
    cpp = """\
namespace at {
struct TensorIterator {
  static TensorIterator unary_op(const Tensor& out, const Tensor& a) {
    if (!op.tensor_base().defined()) { at::least(a); }
    return TensorIteratorConfig().add_output(out).add_input(a);
  }
};
namespace native {
Tensor filled(const Tensor& self) {
  Tensor made = at::empty({0}, self.options());
  auto iter = TensorIterator::unary_op(made, self);
  return made;
}
Tensor given(const Tensor& self, const std::optional<Tensor>& to) {
  Tensor made = *to;
  auto iter = TensorIterator::unary_op(made, self);
  return made;
}
}}
"""
    told = [small_pytorch.runs(yaml, cpp, name) for name in ("filled", "given")]
    assert told == [[], [("least", "!op.tensor_base().defined()")]]
