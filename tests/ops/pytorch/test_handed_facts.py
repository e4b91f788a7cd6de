"""What holds where an operator is called decides the branches of that operator; so does how its arguments were made."""

import pytest

from tests.ops.pytorch import small_pytorch

SCHEMAS = (
    "dense(Tensor self) -> Tensor",
    "strided(Tensor self) -> Tensor",
    "copied(Tensor self) -> Tensor",
    "empty(int[] size, *, ScalarType? t=None, Layout? l=None, Device? d=None, bool? p=None) -> Tensor",
    "viewed(Tensor self, int[] shape) -> Tensor",
    "of_none(Tensor self) -> Tensor",
    "columns(Tensor[] tensors) -> Tensor",
    "filled.out(Tensor like, int n, *, Tensor(a!) out) -> Tensor(a!)",
    "filled(Tensor like, int n) -> Tensor",
    "filled_turned(Tensor like, int n) -> Tensor",
    "filled_more(Tensor like, int n) -> Tensor",
    "cast(Tensor self) -> Tensor",
    "converted(Tensor self, *, MemoryFormat? f=None) -> Tensor",
    "converting(Tensor self) -> Tensor",
)
YAML = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS)
CPP = """\
namespace at { namespace native {
Tensor viewed(const Tensor& self, IntArrayRef shape) {
  if (self.is_contiguous() && !self.is_mkldnn()) { return self.dense(); }
  auto stride = at::detail::computeStride(self.sizes(), self.strides(), shape);
  if (stride.has_value()) { return self.strided(); }
  return self.copied();
}
Tensor of_none(const Tensor& self) { return self.dim() == 0 ? self.viewed({1}) : self; }
Tensor columns(TensorList tensors) {
  auto made = [](const Tensor& input) { return input.dim() <= 1 ? input.viewed({1}) : input; };
  return made(tensors[0]);
}
Tensor& filled_out(const Tensor& like, int64_t n, Tensor& out) {
  if (out.numel() != n) { out.strided(); }
  bool is_contiguous = out.is_contiguous();
  if (!is_contiguous) { out.copied(); }
  return out.dense();
}
Tensor filled(const Tensor& like, int64_t n) {
  Tensor out = at::empty({n}, like.options());
  return at::filled_out(out, like, n);
}
Tensor filled_turned(const Tensor& like, int64_t n) {
  Tensor out = at::empty({n}, like.options());
  out.unsqueeze_(0);
  return at::filled_out(out, like, n);
}
Tensor filled_more(const Tensor& like, int64_t n) {
  Tensor out = at::empty({0}, like.options());
  return at::filled_out(out, like, n);
}
static Tensor as_type(const Tensor& t, ScalarType type) {
  if (t.scalar_type() != type) { return t.copied(); }
  return t.dense();
}
Tensor cast(const Tensor& self) { return as_type(self, self.scalar_type()); }
Tensor converted(const Tensor& self, std::optional<c10::MemoryFormat> optional_format) {
  auto format = optional_format.value_or(MemoryFormat::Preserve);
  if (format == MemoryFormat::Preserve) {
    if (self.device().supports_as_strided()) {
      if (self.is_non_overlapping_and_dense()) {
        return self.strided();
      } else if (!self.is_quantized() && self.layout() == kStrided) {
        return self.dense();
      } else { format = self.suggest_memory_format(); }
    } else { format = self.suggest_memory_format(); }
  }
  return self.is_quantized() ? self.dense() : self.copied();
}
Tensor converting(const Tensor& self) { return at::converted(self); }
}}
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("of_none", ["1 viewed", "2 dense"]),
        ("columns", ["1 viewed", "2 dense", "2 strided"]),
        ("filled", ["1 empty", "1 filled.out", "2 dense"]),
        ("filled_turned", ["1 empty", "1 filled.out", "2 strided", "2 copied", "2 dense"]),
        ("filled_more", ["1 empty", "1 filled.out", "2 strided", "2 dense"]),
        ("cast", ["1 dense"]),
        ("converting", ["1 converted", "2 strided", "2 dense"]),
    ],
)
def test_what_holds_around_a_call_decides(name: str, found: list[str]) -> None:
    told = small_pytorch.story(YAML, CPP, name).runs
    assert [f"{each.depth} {each.op}" for each in told if "select" not in each.op] == found


def test_what_an_if_lets_through_that_leaves_in_some_branches() -> None:
    conditions = dict(small_pytorch.runs(YAML, CPP, "converted"))
    preserve = "optional_format.value_or(MemoryFormat::Preserve) == MemoryFormat::Preserve"
    assert conditions["strided"] == f"{preserve} && self.is_non_overlapping_and_dense()"
    assert conditions["copied"] == (
        f"!({preserve} && self.layout() == kStrided)"
        f" && !({preserve} && self.is_non_overlapping_and_dense()) && !self.is_quantized()"
    )


ASKING = """\
namespace at { namespace native {
static inline bool is_null_or_equal_to(const std::optional<T>& test, const T& value) {
  if (!test.has_value()) { return true; }
  return test.value() == value;
}
bool will_alias(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout, bool copy) {
  return is_null_or_equal_to(dtype, self.dtype().toScalarType()) && is_null_or_equal_to(layout, self.layout()) && !copy;
}
static Tensor as_type(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout, bool copy) {
  if (will_alias(self, dtype, layout, copy)) { return self; }
  return at::converted(self, dtype);
}
Tensor to_type(const Tensor& self, ScalarType dtype, bool copy) { return as_type(self, dtype, std::nullopt, copy); }
Tensor to_other(const Tensor& self, ScalarType dtype) { return at::to_type(self, dtype); }
Tensor to_own(const Tensor& self) { return at::to_type(self, self.scalar_type()); }
Tensor converted(const Tensor& self, std::optional<ScalarType> dtype) {
  Tensor r = at::empty(self.sizes(), dtype);
  r.copy_(self);
  return r;
}
bool may_turn(const Tensor& self, const Tensor& src) {
  const int least = 60;
  return src.dim() == 2 && self.scalar_type() == src.scalar_type() && self.numel() >= least;
}
Tensor& copy_(Tensor& self, const Tensor& src) {
  if (device_type == kCPU && may_turn(self, src)) { self.strided(); }
  src.dense();
  return self;
}
}}
"""
ASKED = (
    "dense(Tensor self) -> Tensor",
    "strided(Tensor self) -> Tensor",
    "to_type(Tensor self, ScalarType dtype, bool copy=False) -> Tensor",
    "to_other(Tensor self, ScalarType dtype) -> Tensor",
    "to_own(Tensor self) -> Tensor",
    "converted(Tensor self, ScalarType? dtype=None) -> Tensor",
    "copy_(Tensor(a!) self, Tensor src) -> Tensor(a!)",
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("to_type", ["1 converted", "2 copy_", "3 strided CPU may_turn(self, src)", "3 dense"]),
        ("to_other", ["1 to_type", "2 converted self.scalar_type() != dtype", "3 copy_", "4 dense"]),
        ("copy_", ["1 strided CPU may_turn(self, src)", "1 dense"]),
    ],
)
def test_functions_that_only_ask_are_looked_into(name: str, found: list[str]) -> None:
    yaml = "".join(f"- func: {each}\n  variants: function, method\n" for each in ASKED)
    told = small_pytorch.story(yaml, ASKING, name).runs
    rows = [" ".join(filter(None, (str(each.depth), each.op, each.device, each.condition))) for each in told]
    assert [row.replace(" !will_alias(self, dtype, layout, copy)", "") for row in rows] == found


CHECKING = """\
namespace at { namespace native {
TORCH_META_FUNC(times)(const Tensor& self, const Tensor& mat2) {
  TORCH_CHECK(self.dim() == 2, "no matrix");
  if (self.is_cuda()) { TORCH_CHECK(mat2.dim() == 2, "no matrix"); set_output_raw_strided(0, {}); }
  else { set_output_raw_strided(0, {}); }
}
static void by_rows(const Tensor& one, const Tensor& other) {
  if (one.dim() == 1) { one.strided(); }
  if (other.dim() == 1) { other.dense(); }
}
TORCH_IMPL_FUNC(times_out)(const Tensor& mat1, const Tensor& mat2, const Tensor& result) { by_rows(mat1, mat2); }
}}
"""


def test_what_a_shape_function_checks_holds_in_the_others() -> None:
    yaml = "- func: times(Tensor self, Tensor mat2) -> Tensor\n  structured_delegate: times.out\n"
    yaml += "- func: times.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n"
    yaml += "  dispatch: {CPU: times_out}\n"
    yaml += "".join(f"- func: {each}\n  variants: method\n" for each in ASKED[:2])
    assert small_pytorch.runs(yaml, CHECKING, "times") == [("dense", "other.dim() == 1")]


ALIASING = """\
namespace at { namespace native {
Tensor& fill_(Tensor& self, const Tensor& value) {
  return self.is_alias_of(value) ? self.copied() : self.dense();
}
Tensor& least_out(const Tensor& self, Tensor& values) {
  if (self.dim() == 0) { values.fill_(self); }
  return values;
}
Tensor least(const Tensor& self) {
  Tensor values = at::empty(self.sizes(), self.options());
  return at::least_out(values, self);
}
}}
"""


def test_a_new_tensor_shares_nothing_with_another() -> None:
    yaml = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS[:3:2])
    yaml += "- func: fill_(Tensor(a!) self, Tensor value) -> Tensor(a!)\n  variants: method\n"
    yaml += "- func: least(Tensor self) -> Tensor\n- func: least.out(Tensor self, *, Tensor(a!) values) -> Tensor(a!)\n"
    assert [op for op, _ in small_pytorch.runs(yaml, ALIASING, "least")] == ["least.out", "fill_", "dense"]
    assert [op for op, _ in small_pytorch.runs(yaml, ALIASING, "aten::least.out")] == ["fill_", "copied", "dense"]


TEMPLATES = """\
namespace at { namespace native {
template <typename T>
void fill_all(const Tensor& self, const T& value, const Tensor& out) {
  auto mut_out = const_cast<Tensor&>(out);
  if (&mut_out != &self) { self.strided(); }
  if (deterministic && std::is_same_v<T, Tensor>) { self.dense(); }
}
Tensor filled_with(const Tensor& self, const Scalar& value) { fill_all(self, value, self); return self; }
Tensor filled_by(const Tensor& self, const Tensor& value) { fill_all(self, value, self); return self; }
}}
"""


def test_the_types_of_templates_and_addresses_decide() -> None:
    yaml = "".join(f"- func: {each}\n  variants: function, method\n" for each in ASKED[:2])
    yaml += "- func: filled_with(Tensor self, Scalar value) -> Tensor\n"
    yaml += "- func: filled_by(Tensor self, Tensor value) -> Tensor\n"
    assert small_pytorch.runs(yaml, TEMPLATES, "filled_with") == []
    assert small_pytorch.runs(yaml, TEMPLATES, "filled_by") == [("dense", "deterministic")]
