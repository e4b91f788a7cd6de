"""The function of a structured operator is given results that have their sizes, unless the caller gave them."""

import pytest

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: times(Tensor self) -> Tensor
  structured_delegate: times.out
- func: times_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: times.out
- func: times.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: times_out}
- func: plus(Tensor self) -> Tensor
  structured_delegate: plus.out
- func: plus_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: plus.out
- func: plus.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: plus_out}
- func: grown(Tensor self) -> Tensor
  structured_delegate: grown.out
- func: grown.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: grown_out}
- func: expand(Tensor self, int[] size) -> Tensor
- func: made(Tensor self) -> Tensor
- func: fitting_(Tensor(a!) self) -> Tensor(a!)
- func: fitting(Tensor self) -> Tensor
- func: resize_(Tensor(a!) self, int[] size) -> Tensor(a!)
- func: sum(Tensor self) -> Tensor
"""
CPP = """\
namespace at { namespace native {
bool resize_output_check(const Tensor& output, IntArrayRef shape) { return true; }
bool resize_output(const Tensor& output, IntArrayRef shape) {
  if (resize_output_check(output, shape)) { at::resize_(output, shape); }
  return true;
}
static void multiply(const Tensor& result, const Tensor& a) {
  if (&result != &a) { resize_output(result, a.sizes()); }
  at::sum(a);
}
static Tensor fitted(const Tensor& self, IntArrayRef sizes) {
  return self.sizes().equals(sizes) ? self : at::expand(self, sizes);
}
TORCH_META_FUNC(plus)(const Tensor& self) {}
TORCH_IMPL_FUNC(plus_out)(const Tensor& self, const Tensor& result) { fitted(self, {2, 3}); }
static void grow(const Tensor& result, const Tensor& a, int64_t n) {
  if (n > 1) { resize_output(result, {n}); }
  at::sum(a);
}
template <typename F>
static void over(const Tensor& a, int64_t n, const Tensor& result, F& f) { f(result, a, n); }
TORCH_META_FUNC(grown)(const Tensor& self) {}
TORCH_IMPL_FUNC(grown_out)(const Tensor& self, const Tensor& result) { over(self, self.dim(), result, grow); }
TORCH_META_FUNC(times)(const Tensor& self) {}
TORCH_IMPL_FUNC(times_out)(const Tensor& self, const Tensor& result) {
  multiply(const_cast<Tensor&>(result), self);
}
static void fit(const Tensor& result, const Tensor& a) {
  resize_output(result, a.sizes());
  at::sum(a);
}
Tensor& fitting_(Tensor& self) { fit(self, self); return self; }
Tensor fitting(const Tensor& self) { Tensor result = at::sum(self); fit(result, self); return result; }
Tensor made(const Tensor& self) { Tensor result = at::sum(self); multiply(result, self); return result; }
}}
"""


ASKED = "&result != &a && resize_output_check(output, shape)"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("times", [("sum", "")]),
        ("times_", [("sum", "")]),
        ("made", [("resize_", ASKED), ("sum", "")]),
    ],
)
def test_a_result_with_its_size_is_not_resized(name: str, found: list[tuple[str, str]]) -> None:
    assert sorted(small_pytorch.runs(YAML, CPP, f"torch.ops.aten.{name}")) == sorted(found)


def test_a_result_that_is_given_may_be() -> None:
    assert ("resize_", ASKED) in small_pytorch.runs(YAML, CPP, "torch.ops.aten.times.out")


def test_a_tensor_has_its_own_size() -> None:
    assert [op for op, _ in small_pytorch.runs(YAML, CPP, "torch.ops.aten.fitting_")] == ["sum"]
    assert [op for op, _ in small_pytorch.runs(YAML, CPP, "torch.ops.aten.fitting")] == ["sum", "resize_"]


def test_what_is_changed_in_place_is_not_expanded() -> None:
    told = {name: small_pytorch.runs(YAML, CPP, f"torch.ops.aten.{name}") for name in ("plus", "plus_")}
    assert told == {"plus": [("expand", "!self.sizes().equals(sizes)")], "plus_": []}


def test_what_is_handed_on_knows_the_size_of_a_result() -> None:
    told = {
        name: [op for op, _ in small_pytorch.runs(YAML, CPP, f"torch.ops.aten.{name}")]
        for name in ("grown", "grown.out")
    }
    assert told == {"grown": ["sum"], "grown.out": ["sum", "resize_"]}


def test_what_an_operator_is_had_to_write_to_has_its_size() -> None:
    """As ``norm`` has ``linalg_vector_norm`` write to its result, in a function of its file."""
    yaml = YAML + "- func: outer(Tensor self) -> Tensor\n  structured_delegate: outer.out\n"
    yaml += "- func: outer.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
    yaml += "  dispatch: {CPU: outer_out}\n"
    cpp = """\
namespace at { namespace native {
static void hand_on(const Tensor& a, const Tensor& result) { at::times_out(const_cast<Tensor&>(result), a); }
TORCH_META_FUNC(outer)(const Tensor& self) {}
TORCH_IMPL_FUNC(outer_out)(const Tensor& self, const Tensor& result) { hand_on(self, result); }
}}
"""
    told = [[op for op, _ in small_pytorch.runs(yaml, CPP + cpp, name)] for name in ("outer", "outer.out")]
    assert [sorted(each) for each in told] == [["sum", "times.out"], ["resize_", "sum", "times.out"]]


LAID_OUT = """\
- func: laid(Tensor self) -> Tensor
  structured_delegate: laid.out
- func: laid_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: laid.out
- func: laid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: laid_out}
- func: formatted(Tensor self) -> Tensor
  structured_delegate: formatted.out
- func: formatted.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: formatted_out}
- func: turned(Tensor self) -> Tensor
- func: packed(Tensor self) -> Tensor
"""
IMPLS = """\
namespace at { namespace native {
static void work(const Tensor& result) {
  const auto strides = result.strides();
  const auto sizes = result.sizes();
  if (strides[0] == 1 && strides[1] >= std::max(int64_t{1}, sizes[0])) {
  } else if (strides[1] == 1 && (sizes[0] == 1 || strides[0] >= std::max(int64_t{1}, sizes[1]))) {
  } else { at::turned(result); }
  if (!result.is_non_overlapping_and_dense()) { at::packed(result); }
}
TORCH_META_FUNC(laid)(const Tensor& self) {
  set_output_raw_strided(0, {self.size(0), self.size(1)}, {}, self.options());
}
TORCH_IMPL_FUNC(laid_out)(const Tensor& self, const Tensor& result) { work(result); }
TORCH_META_FUNC(formatted)(const Tensor& self) {
  set_output_raw_strided(0, {2, 3}, {}, self.options().memory_format(self.suggest_memory_format()));
}
TORCH_IMPL_FUNC(formatted_out)(const Tensor& self, const Tensor& result) { work(result); }
}}
"""


def test_a_new_result_without_strides_is_contiguous() -> None:
    """As ``mm`` asks for the strides of its result: not where it is given, nor changed in place, nor in a format."""
    assert [op for op, _ in small_pytorch.runs(LAID_OUT, IMPLS, "laid")] == []
    for name in ("laid_", "laid.out", "formatted"):
        assert {"turned", "packed"} <= {op for op, _ in small_pytorch.runs(LAID_OUT, IMPLS, name)}, name


REAL = """\
- func: norm(Tensor self) -> Tensor
  structured_delegate: norm.out
- func: norm.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: norm_out}
- func: power(Tensor self) -> Tensor
  structured_delegate: power.out
- func: power.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: power_out}
- func: imag(Tensor self) -> Tensor
"""
KERNELS = """\
namespace at { namespace native {
static void kernel(TensorIterator& iter) {
  if (isComplexType(iter.output().scalar_type())) { at::imag(iter.output()); }
}
TORCH_META_FUNC(norm)(const Tensor& self) {
  auto options = self.options().dtype(toRealValueType(self.scalar_type()));
  set_output_raw_strided(0, self.sizes(), {}, options);
}
TORCH_IMPL_FUNC(norm_out)(const Tensor& self, const Tensor& result) { kernel(over(result, self)); }
TORCH_META_FUNC(power)(const Tensor& self) {
  auto options = self.options().dtype(self.scalar_type());
  set_output_raw_strided(0, self.sizes(), {}, options);
}
TORCH_IMPL_FUNC(power_out)(const Tensor& self, const Tensor& result) { kernel(over(result, self)); }
}}
"""


def test_a_result_of_real_numbers_is_not_complex() -> None:
    """As the norm of complex numbers is none."""
    assert [[op for op, _ in small_pytorch.runs(REAL, KERNELS, name)] for name in ("norm", "power")] == [[], ["imag"]]
