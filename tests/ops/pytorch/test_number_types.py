"""Types of numbers that variables are, that functions choose, and that results are made with: no cast runs where both
are one. As ``make_reduction`` of ``ReduceOpsUtils.h``, which ``max`` and ``var`` call."""

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: largest(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: largest
- func: spread(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: spread
- func: spread_of_doubles(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: spread_of_doubles
- func: real(Tensor self) -> Tensor
- func: empty(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin=None) -> Tensor
- func: to.dtype(Tensor self, ScalarType dtype) -> Tensor
  variants: method
"""
CPP = """\
namespace at { namespace native {
static TensorIterator over(const char* name, Tensor& result, const Tensor& self, OptionalIntArrayRef dim,
    ScalarType in_dtype, ScalarType out_dtype) {
  if (self.scalar_type() == in_dtype) { return reduce_op(result, self); }
  return reduce_op(result, self.to(in_dtype));
}
static TensorIterator over(const char* name, Tensor& one, Tensor& other, const Tensor& self, OptionalIntArrayRef dim,
    ScalarType dtype) {
  return reduce_ops(one, other, self.to(dtype));
}
static TensorIterator over(const char* name, Tensor& result, const Tensor& self, OptionalIntArrayRef dim,
    ScalarType out_dtype) {
  const bool low = self.is_cuda() && self.scalar_type() == kHalf;
  auto in_dtype = low ? self.scalar_type() : self.is_complex() ? c10::toComplexType(out_dtype) : out_dtype;
  return over(name, result, self, dim, in_dtype, out_dtype);
}
Tensor largest(const Tensor& self) {
  auto dtype = self.scalar_type();
  Tensor result = at::empty({0}, self.options());
  auto iter = over("largest", result, self, IntArrayRef{}, dtype);
  return result;
}
ScalarType type_of_result(Tensor& result, std::optional<ScalarType> dtype) {
  if (dtype.has_value()) {
    return dtype.value();
  }
  return result.scalar_type();
}
static TensorOptions options_of_parts(TensorOptions opts) {
  auto scalar_type = typeMetaToScalarType(opts.dtype());
  return opts.dtype(c10::toRealValueType(scalar_type));
}
static Tensor& spread_out(Tensor& result, const Tensor& self) {
  if (at::isComplexType(self.scalar_type())) {
    ScalarType dtype = c10::toRealValueType(type_of_result(result, {}));
    Tensor real_in = at::real(self);
    Tensor real_out = at::empty({0}, self.options().dtype(dtype));
    return spread_out(real_out, real_in);
  }
  ScalarType dtype = type_of_result(result, {});
  auto iter = over("spread", result, self, IntArrayRef{}, dtype);
  return result;
}
Tensor spread(const Tensor& self) {
  Tensor result = at::empty({0}, options_of_parts(self.options()));
  return spread_out(result, self);
}
Tensor spread_of_doubles(const Tensor& self) {
  Tensor result = at::empty({0}, self.options().dtype(kDouble));
  return spread_out(result, self);
}
}}
"""


def test_what_has_the_type_already_is_not_cast() -> None:
    told = {name: [op for op, _ in small_pytorch.runs(YAML, CPP, name)] for name in ("largest", "spread")}
    assert told == {"largest": ["empty"], "spread": ["empty", "real"]}


def test_what_has_another_type_is_cast() -> None:
    assert "to.dtype" in [op for op, _ in small_pytorch.runs(YAML, CPP, "spread_of_doubles")]
