"""What is gone over is cast to the type that is computed with where it may have another one: not a tensor alone, nor
several of one type, unless whole numbers become others."""

import pytest

from tests.ops.pytorch import small_pytorch

SCHEMAS = (
    "to.dtype(Tensor self, ScalarType dtype) -> Tensor",
    "both(Tensor self, Tensor other) -> Tensor",
    "divided(Tensor self, Tensor other) -> Tensor",
    "compared(Tensor self, Tensor other) -> Tensor",
    "doubled(Tensor self) -> Tensor",
    "halved(Tensor self) -> Tensor",
    "with_like(Tensor self) -> Tensor",
    "differs(Tensor self) -> Tensor",
    "ne.Tensor(Tensor self, Tensor other) -> Tensor",
    "is_nan(Tensor self) -> Tensor",
    "with_made(Tensor self) -> Tensor",
    "with_other(Tensor self) -> Tensor",
    "reduced(Tensor self) -> Tensor",
    "joined(Tensor[] tensors) -> Tensor",
    "checked(Tensor self, Tensor other) -> Tensor",
    "asked(Tensor self, Tensor other) -> Tensor",
    "compared.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
    "truths(Tensor self, Tensor other) -> Tensor",
    "numbers(Tensor self, Tensor other) -> Tensor",
    "cast_back(Tensor self) -> Tensor",
    "widened(Tensor self) -> Tensor",
    "third(Tensor self, Tensor other, Tensor weight) -> Tensor",
)
STRUCTURED = """\
- func: blended{0}_(Tensor(a!) self, Tensor other) -> Tensor(a!)
  structured_delegate: blended{0}.out
- func: blended{0}.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIterator
  dispatch: {{CPU: blended{0}_out}}
"""
YAML = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS)
YAML += STRUCTURED.format("") + STRUCTURED.format("_any")
YAML += "".join(STRUCTURED.format(each).replace("Tensor other", "Scalar other") for each in ("_limit", "_cast_limit"))
CPP = """\
namespace at { namespace native {
class TensorIteratorConfig {
  bool promote_inputs_to_common_dtype_ = false;
  bool promote_integer_inputs_to_float_ = false;
  bool cast_common_dtype_to_outputs_ = false;
};
struct TensorIterator {
  void cast_outputs() { if (op.original_tensor_base().defined()) { at::cast_back(tensor); } }
  static TensorIterator comparing(const TensorBase& out, const TensorBase& a, const TensorBase& b) {
    auto iter = TensorIterator();
    iter.build_comparison_op(out, a, b);
    return iter;
  }
  void build(TensorIteratorConfig& config) {
    if (config.promote_inputs_to_common_dtype_ && !op.is_output && op.current_dtype != common_dtype_) {
      op.tensor().to(common_dtype_);
    }
    if (config.cast_common_dtype_to_outputs_ && op.is_output && op.current_dtype != common_dtype_) {
      at::widened(tensor);
    }
  }
  void build_op(const TensorBase& out, const TensorBase& a, const TensorBase& b) {
    build(TensorIteratorConfig().promote_inputs_to_common_dtype(true).add_output(out).add_const_input(a)
      .add_const_input(b));
  }
  void build_float_op(const TensorBase& out, const TensorBase& a, const TensorBase& b) {
    build(TensorIteratorConfig().promote_inputs_to_common_dtype(true).promote_integer_inputs_to_float(true)
      .add_output(out).add_const_input(a).add_const_input(b));
  }
  void build_comparison_op(const TensorBase& out, const TensorBase& a, const TensorBase& b) {
    TensorIteratorConfig config;
    set_up(config, out);
    config.add_output(out);
    config.add_const_input(a);
    config.add_const_input(b);
    build(config);
  }
  void reduce_op(const TensorBase& out, const TensorBase& a) {
    build(TensorIteratorConfig().promote_inputs_to_common_dtype(true).add_output(out).add_const_input(a));
  }
  void build_all(const TensorBase& out, TensorList tensors) {
    TensorIteratorConfig config;
    set_up(config, out);
    for (const auto& a : tensors) { config.add_const_input(a); }
    build(config);
  }
};
static void set_up(TensorIteratorConfig& config, const TensorBase& out) {
  config.promote_inputs_to_common_dtype(true);
  if (out.defined() && out.scalar_type() != kBool) { config.cast_common_dtype_to_outputs(true); }
}
Tensor both(const Tensor& self, const Tensor& other) { TensorIterator::build_op(Tensor(), self, other); }
Tensor divided(const Tensor& self, const Tensor& other) { TensorIterator::build_float_op(Tensor(), self, other); }
Tensor compared(const Tensor& self, const Tensor& other) { TensorIterator::build_comparison_op(Tensor(), self, other); }
Tensor doubled(const Tensor& self) { return self.both(self); }
Tensor halved(const Tensor& self) { return self.divided(self); }
Tensor with_like(const Tensor& self) {
  Tensor noise = at::empty_like(self);
  return self.both(noise);
}
Tensor differs(const Tensor& self) { return self.compared(self); }
Tensor ne(const Tensor& self, const Tensor& other) { return self.compared(other); }
Tensor is_nan(const Tensor& self) { return self != self; }
static Tensor multiply(const Tensor& input, const Tensor& noise) { return input.both(noise); }
Tensor with_made(const Tensor& self) {
  if (self.dim() > 1) { return multiply(self, at::zeros({}, self.options())); }
  return self.both(at::empty({2}, self.options()));
}
Tensor with_other(const Tensor& self) { return multiply(self, at::zeros({}, self.options().dtype(kLong))); }
Tensor reduced(const Tensor& self) { TensorIterator::reduce_op(Tensor(), self); }
Tensor& compared_out(const Tensor& self, const Tensor& other, Tensor& out) {
  auto iter = TensorIterator::comparing(out, self, other);
  iter.cast_outputs();
  return out;
}
Tensor truths(const Tensor& self, const Tensor& other) {
  Tensor result = at::empty({0}, self.options().dtype(kBool));
  return at::compared_out(result, self, other);
}
Tensor numbers(const Tensor& self, const Tensor& other) {
  Tensor result = at::empty({0}, self.options().dtype(kLong));
  return at::compared_out(result, self, other);
}
Tensor checked(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.dtype() == other.dtype(), "types");
  return self.both(other);
}
Tensor asked(const Tensor& self, const Tensor& other) {
  return self.scalar_type() != other.scalar_type() ? self : self.both(other);
}
Tensor third(const Tensor& self, const Tensor& other, const Tensor& weight) {
  TORCH_CHECK(self.dtype() == weight.dtype(), "types");
  return self.both(other);
}
TORCH_META_FUNC(blended)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.dtype() == other.dtype(), "types");
  build(TensorIteratorConfig().promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true)
    .add_output(maybe_get_output()).add_const_input(self).add_const_input(other));
}
TORCH_IMPL_FUNC(blended_out)(const Tensor& self, const Tensor& other, const Tensor& out) {}
TORCH_META_FUNC(blended_any)(const Tensor& self, const Tensor& other) {
  build(TensorIteratorConfig().promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true)
    .add_output(maybe_get_output()).add_const_input(self).add_const_input(other));
}
TORCH_IMPL_FUNC(blended_any_out)(const Tensor& self, const Tensor& other, const Tensor& out) {}
TORCH_META_FUNC(blended_limit)(const Tensor& self, const Scalar& other) {
  const Tensor& result = maybe_get_output();
  build(TensorIteratorConfig().promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true)
    .add_output(result).add_const_input(self).add_const_input(self));
}
TORCH_IMPL_FUNC(blended_limit_out)(const Tensor& self, const Scalar& other, const Tensor& out) {}
TORCH_META_FUNC(blended_cast_limit)(const Tensor& self, const Scalar& other) {
  build(TensorIteratorConfig().promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true)
    .add_output(maybe_get_output()).add_const_input(self.widened()).add_const_input(self));
}
TORCH_IMPL_FUNC(blended_cast_limit_out)(const Tensor& self, const Scalar& other, const Tensor& out) {}
Tensor joined(TensorList tensors) { TensorIterator::build_all(Tensor(), tensors); }
}}
"""


@pytest.mark.parametrize(
    "name", ["doubled", "with_like", "differs", "is_nan", "with_made", "reduced", "checked", "asked"]
)
def test_tensors_of_one_type_are_not_cast(name: str) -> None:
    assert "to.dtype" not in dict(small_pytorch.runs(YAML, CPP, name))


@pytest.mark.parametrize("name", ["both", "divided", "compared", "ne", "with_other", "halved", "joined", "third"])
def test_others_may_be(name: str) -> None:
    assert "to.dtype" in dict(small_pytorch.runs(YAML, CPP, name))


def test_what_is_changed_in_place_is_not_cast_back_where_all_is_of_one_type() -> None:
    """As the shape function makes sure."""
    assert small_pytorch.runs(YAML, CPP, "blended_") == []
    assert small_pytorch.runs(YAML, CPP, "blended_limit_") == []
    assert "to.dtype" in dict(small_pytorch.runs(YAML, CPP, "blended_cast_limit_"))
    assert {"to.dtype", "widened"} <= {*dict(small_pytorch.runs(YAML, CPP, "blended_any_"))}


@pytest.mark.parametrize(("name", "casts"), [("truths", False), ("numbers", True), ("compared.out", True)])
def test_what_is_set_under_a_condition_depends_on_that(name: str, casts: bool) -> None:
    found = {*dict(small_pytorch.runs(YAML, CPP, name))}
    assert found & {"widened", "cast_back"} == ({"widened", "cast_back"} if casts else set())
