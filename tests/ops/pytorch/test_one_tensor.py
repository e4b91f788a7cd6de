"""What is given twice is one tensor: what is asked of it under one name holds under the other; it keeps its size."""

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: size_(Tensor(a!) self) -> Tensor(a!)
- func: size(Tensor self) -> Tensor
- func: size.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
- func: halves(Tensor self) -> Tensor
- func: t(Tensor self) -> Tensor
"""
CPP = """\
namespace at { namespace native {
Tensor& size_out(const Tensor& self, Tensor& result) {
  if (self.is_complex() && !result.is_complex()) { at::halves(self); }
  return at::t(self);
}
template <typename F>
static Tensor& in_place(Tensor& self, F& function) { return function(self, self); }
template <typename F>
static Tensor into(const Tensor& self, F& function) {
  Tensor result = at::made(self);
  return function(result, self);
}
Tensor& size_(Tensor& self) { return in_place(self, at::size_out); }
Tensor size(const Tensor& self) { return into(self, at::size_out); }
}}
"""
OVER = """\
- func: times(Tensor self, Tensor other) -> Tensor
  structured_delegate: times.out
- func: times_.Number(Tensor(a!) self, Scalar other) -> Tensor(a!)
- func: times_(Tensor(a!) self, Tensor other) -> Tensor(a!)
  structured_delegate: times.out
  variants: method
- func: times.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch: {CPU: times_out}
- func: as_number_(Tensor(a!) self, Scalar other) -> Tensor(a!)
- func: into_itself_(Tensor(a!) self, Tensor other) -> Tensor(a!)
- func: cast(Tensor self) -> Tensor
- func: apart(Tensor self, Tensor other) -> Tensor
- func: empty_like(Tensor self) -> Tensor
- func: resize_(Tensor(a!) self, int[] size) -> Tensor(a!)
"""
ITERATOR = """\
namespace at { namespace native {
class TensorIteratorConfig {
  bool enforce_safe_casting_to_output_ = false;
  bool resize_outputs_ = true;
  bool cast_common_dtype_to_outputs_ = false;
};
struct TensorIteratorBase {
  void build(TensorIteratorConfig& config) {
    if (op.will_resize) { at::resize_(op, shape); }
    if (config.cast_common_dtype_to_outputs_ && op.is_output) { at::empty_like(op); }
  }
  void build_safe_op(const Tensor& out, const Tensor& a, const Tensor& b) {
    build(TensorIteratorConfig().cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true)
      .add_output(out).add_input(a).add_input(b));
  }
  void build_uncast_op(const Tensor& out, const Tensor& a) {
    build(TensorIteratorConfig().cast_common_dtype_to_outputs(false).add_output(out).add_input(a));
  }
};
static void cast_outputs(TensorIteratorBase& iter) {
  if (op.original_tensor_base().defined()) { at::resize_(op, shape); }
}
struct TensorIterator : TensorIteratorBase {
  static TensorIterator over_one(const Tensor& out, const Tensor& a) {
    TensorIterator iter;
    iter.build_uncast_op(out, a);
    return iter;
  }
};
Tensor cast(const Tensor& self) {
  Tensor result = at::made(self);
  auto iter = TensorIterator::over_one(result, self);
  cast_outputs(iter);
  return result;
}
TORCH_META_FUNC(times)(const Tensor& self, const Tensor& other) {
  build_safe_op(maybe_get_output(), self, other);
}
TORCH_IMPL_FUNC(times_out)(const Tensor& self, const Tensor& other, const Tensor& result) {}
Tensor& times_(Tensor& self, const Scalar& other) { return self.times_(wrapped_scalar_tensor(other)); }
Tensor& as_number_(Tensor& self, const Scalar& other) {
  return at::times_out(self, native::wrapped_scalar_tensor(other), self);
}
Tensor& into_itself_(Tensor& self, const Tensor& other) { return at::times_out(self, other, self); }
Tensor apart(const Tensor& self, const Tensor& other) {
  Tensor result = at::made(self);
  return at::times_out(result, other, self);
}
}}
"""


def test_one_tensor_is_not_asked_for_opposites() -> None:
    assert [op for op, _ in small_pytorch.runs(YAML, CPP, "size_")] == ["size.out", "t"]
    assert [op for op, _ in small_pytorch.runs(YAML, CPP, "size")] == ["size.out", "halves", "t"]


def test_what_is_gone_over_and_written_to_keeps_its_size() -> None:
    assert over("into_itself_") == ["times.out", "empty_like"]
    assert over("apart") == ["times.out", "resize_", "empty_like"]


def test_a_number_changes_the_type_of_no_tensor() -> None:
    assert over("times_.Number") == ["times_"]
    assert over("as_number_") == ["times.out"]


def test_what_is_made_by_way_of_another_function_is_set_as_that_says() -> None:
    assert "resize_" not in [
        op for op, condition in small_pytorch.runs(OVER, ITERATOR, "cast") if "original" in condition
    ]


def over(name: str) -> list[str]:
    return [op for op, _ in small_pytorch.runs(OVER, ITERATOR, name)]
