"""A result that a function makes with its sizes is not resized by what it is given to (that would warn); one that is
made like a tensor has its type, too. One that is made without elements is resized."""

import pytest

from tests.ops.pytorch import small_pytorch

SCHEMAS = (
    "times.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    "made_like(Tensor self) -> Tensor",
    "made_of_sizes(Tensor self) -> Tensor",
    "made_empty(Tensor self) -> Tensor",
    "made_in_function(Tensor self) -> Tensor",
    "made_again(Tensor self) -> Tensor",
    "grown.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    "grown_made(Tensor self) -> Tensor",
    "lessened_(Tensor(a!) self) -> Tensor(a!)",
    "lessened_by(Tensor self, Tensor other) -> Tensor",
    "changed_(Tensor(a!) self) -> Tensor(a!)",
    "least_made(Tensor self) -> Tensor",
    "resize_(Tensor(a!) self, int[] size) -> Tensor(a!)",
    "sum(Tensor self) -> Tensor",
    "widened(Tensor self) -> Tensor",
)
YAML = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS)
YAML += """\
- func: least.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: least_out}
"""
CPP = """\
namespace at { namespace native {
class TensorIterator {
  void cast_outputs() { if (op.original_tensor_base().defined()) { at::widened(tensor); } }
  static TensorIterator unary_op(Tensor& out, const Tensor& a) { return TensorIteratorConfig().add_output(out); }
};
bool resize_output_check(const Tensor& output, IntArrayRef shape) { return true; }
static void resized(const Tensor& output, IntArrayRef shape) {
  if (resize_output_check(output, shape)) { at::resize_(output, shape); }
}
static void multiply(const Tensor& result, const Tensor& a) {
  resized(result, a.sizes());
  auto iter = TensorIterator::unary_op(result, a);
  iter.cast_outputs();
}
Tensor& times_out(const Tensor& self, Tensor& result) { multiply(result, self); return result; }
Tensor made_like(const Tensor& self) {
  Tensor result = at::empty_like(self, LEGACY_CONTIGUOUS_MEMORY_FORMAT);
  return at::times_out(result, self);
}
Tensor made_of_sizes(const Tensor& self) {
  auto result = at::empty(self.sizes(), self.options());
  return at::times_out(result, self);
}
Tensor made_empty(const Tensor& self) {
  Tensor result = at::empty({0}, self.options());
  return at::times_out(result, self);
}
Tensor made_in_function(const Tensor& self) {
  Tensor result = at::empty_like(self);
  multiply(result, self);
  return result;
}
TORCH_META_FUNC(least)(const Tensor& self) { if (op.will_resize) { at::sum(self); } }
TORCH_IMPL_FUNC(least_out)(const Tensor& self, const Tensor& result) { resized(result, self.sizes()); }
Tensor least_made(const Tensor& self) {
  auto result = at::empty(self.sizes(), self.options());
  at::least_out(result, self);
  return result;
}
Tensor& grown_out(const Tensor& self, Tensor& result) {
  if (result.numel() != 3) { result.resize_({3}); }
  return result;
}
Tensor grown_made(const Tensor& self) {
  Tensor result = at::empty({3}, self.options());
  return at::grown_out(result, self);
}
Tensor& lessened_(Tensor& self) { return at::least_out(self, self); }
Tensor lessened_by(const Tensor& self, const Tensor& other) { return at::least_out(self, other); }
static Tensor& changed_into(Tensor& result, const Tensor& a) {
  auto iter = TensorIterator::unary_op(result, a);
  iter.cast_outputs();
  return result;
}
Tensor& changed_(Tensor& self) { return changed_into(self, self); }
Tensor made_again(const Tensor& self) {
  Tensor result = at::empty_like(self);
  result = at::sum(self);
  multiply(result, self);
  return result;
}
}}
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("times.out", ["resize_", "widened"]),
        ("made_like", ["times.out"]),
        ("made_of_sizes", ["times.out", "widened"]),
        ("made_empty", ["times.out", "resize_", "widened"]),
        ("made_in_function", []),
        ("changed_", []),
        ("grown_made", ["grown.out", "resize_"]),  # which does not warn
        ("least_made", ["least.out"]),
        ("least.out", ["resize_", "sum"]),
        ("lessened_", ["least.out"]),  # in place
        ("lessened_by", ["least.out", "resize_", "sum"]),
        ("made_again", ["resize_", "sum", "widened"]),
    ],
)
def test_what_is_made_with_its_sizes_is_not_resized(name: str, found: list[str]) -> None:
    story = small_pytorch.story(YAML, CPP, f"torch.ops.aten.{name}")
    assert sorted(each.op for each in story.runs) == sorted(found)


def test_what_a_shape_function_sets_holds_where_the_work_is_done() -> None:
    """As ``clamp_min`` goes over its result and ``self`` with what ``build_unary_op`` has set: nothing is cast."""
    yaml = "".join(
        f"- func: {name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
        f"  structured_inherits: TensorIteratorBase\n  dispatch: {{CPU: {name}_out}}\n"
        for name in ("kept", "cast")
    )
    yaml += "- func: widened(Tensor self) -> Tensor\n"
    cpp = """
namespace at {
struct TensorIteratorConfig { bool cast_common_dtype_to_outputs_ = false; };
struct TensorIteratorBase {
  void build_kept(const Tensor& out, const Tensor& a) {
    build(TensorIteratorConfig().cast_common_dtype_to_outputs(false).add_output(out).add_input(a));
  }
  void build_cast(const Tensor& out, const Tensor& a) {
    build(TensorIteratorConfig().cast_common_dtype_to_outputs(true).add_output(out).add_input(a));
  }
  void cast_outputs() { if (op.original_tensor_base().defined()) { at::widened(tensor); } }
};
namespace meta {
TORCH_META_FUNC(kept)(const Tensor& self) { build_kept(maybe_get_output(), self); }
TORCH_META_FUNC(cast)(const Tensor& self) { build_cast(maybe_get_output(), self); }
}
namespace native {
static void over(TensorIteratorBase& iter) { iter.cast_outputs(); }
TORCH_IMPL_FUNC(kept_out)(const Tensor& self, const Tensor& result) { over(*this); }
TORCH_IMPL_FUNC(cast_out)(const Tensor& self, const Tensor& result) { over(*this); }
}}
"""
    cast = [("widened", "op.original_tensor_base().defined()")]
    found = [small_pytorch.runs(yaml, cpp, f"torch.ops.aten.{name}.out") for name in ("kept", "cast")]
    assert found == [[], cast]


def test_a_result_that_is_given_gets_the_strides_of_the_shape_function() -> None:
    """As ``resize_out`` does, which is written while PyTorch is built: where it was resized."""
    yaml = "".join(
        f"- func: {name}(Tensor self) -> Tensor\n  structured_delegate: {name}.out\n"
        f"- func: {name}.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
        f"  dispatch: {{CPU: {name}_out}}\n"
        for name in ("columns", "rows")
    )
    yaml += "- func: as_strided_(Tensor(a!) self, int[] size, int[] stride) -> Tensor(a!)\n"
    cpp = """
namespace at { namespace native {
TORCH_META_FUNC(columns)(const Tensor& self) { set_output_strided(0, self.sizes(), strides_of(self), self.options()); }
TORCH_META_FUNC(rows)(const Tensor& self) { set_output_raw_strided(0, self.sizes(), {}, self.options()); }
TORCH_IMPL_FUNC(columns_out)(const Tensor& self, const Tensor& result) {}
TORCH_IMPL_FUNC(rows_out)(const Tensor& self, const Tensor& result) {}
}}
"""
    names = "columns", "columns.out", "rows.out"
    found = [small_pytorch.runs(yaml, cpp, f"torch.ops.aten.{name}") for name in names]
    assert found == [[], [("as_strided_", "resize_output(out, sizes)")], []]
