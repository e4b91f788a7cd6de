"""What a call gives an operator decides the branches of that operator: the same one is told for each that matters."""

import pytest

from tests.ops.pytorch import small_pytorch

OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
SCHEMAS = (
    "copied(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
    "dense(Tensor self) -> Tensor",
    "strided(Tensor self) -> Tensor",
    "as_dense(Tensor self) -> Tensor",
    "as_it_is(Tensor self) -> Tensor",
    "in_two_ways(Tensor self) -> Tensor",
    "in_one_way(Tensor self, bool up) -> Tensor",
    "from_far(Tensor self) -> Tensor",
    "at_least(Tensor self, Scalar min) -> Tensor",
    "positive(Tensor self) -> Tensor",
    f"made(int[] size, *, {OPTIONS}, MemoryFormat? memory_format=None) -> Tensor",
    "with_options(Tensor self) -> Tensor",
    "with_type(Tensor self) -> Tensor",
    "along(Tensor self, int? dim=None) -> Tensor",
    "along_first(Tensor self) -> Tensor",
    "along_all(Tensor self) -> Tensor",
    "handing(Tensor self, int? dim) -> Tensor",
    f"like(Tensor self, *, {OPTIONS}, MemoryFormat? memory_format=None) -> Tensor",
    "like_it(Tensor self) -> Tensor",
    "like_dense(Tensor self) -> Tensor",
    "like_old(Tensor self) -> Tensor",
    "like_old_of_type(Tensor self) -> Tensor",
    "like_its_own(Tensor self) -> Tensor",
    "like_its_local(Tensor self) -> Tensor",
    "scaled(Tensor self, Scalar beta) -> Tensor",
    "scaled_by_none(Tensor self) -> Tensor",
    "turned(Tensor self, int dim0, int dim1) -> Tensor",
    "turned_first(Tensor self) -> Tensor",
    "turned_last(Tensor self) -> Tensor",
    "turned_both(Tensor self) -> Tensor",
    "packing(Tensor self) -> Tensor",
    "packing_as(Tensor self, MemoryFormat f) -> Tensor",
    "checking(Tensor self, MemoryFormat f) -> Tensor",
    "checking_like(Tensor self, MemoryFormat f) -> Tensor",
    "set_(Tensor(a!) self, Tensor src) -> Tensor(a!)",
    "set_itself(Tensor self, Tensor src) -> Tensor",
    "less.out(Tensor self, Tensor other, bool up=True, *, Tensor(a!) out) -> Tensor(a!)",
    "less_down(Tensor self, Tensor other) -> Tensor",
    "less_(Tensor(a!) self, Tensor other) -> Tensor(a!)",
)
YAML = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS)
YAML += "- func: packed(Tensor self, *, MemoryFormat f=contiguous_format) -> Tensor\n  manual_cpp_binding: True\n"
CPP = """\
namespace at {
class TensorBase {
  TensorBase packed(MemoryFormat memory_format = MemoryFormat::Contiguous) const {
    return at::_ops::packed::call(*this, memory_format);
  }
};
namespace native {
Tensor packed(const Tensor& self, MemoryFormat memory_format) { return self.copied(memory_format); }
Tensor packing(const Tensor& self) { return self.packed(); }
Tensor checking(const Tensor& self, MemoryFormat memory_format) {
  TORCH_CHECK(memory_format != at::MemoryFormat::Preserve, "cannot be");
  return self.copied(memory_format);
}
Tensor checking_like(const Tensor& self, MemoryFormat f) {
  TORCH_CHECK(f != MemoryFormat::Preserve, "cannot be");
  return at::like(self, self.options(), f);
}
Tensor packing_as(const Tensor& self, MemoryFormat f) { return self.packed(f); }
Tensor copied(const Tensor& src, std::optional<c10::MemoryFormat> optional_memory_format) {
  auto memory_format = optional_memory_format.value_or(MemoryFormat::Preserve);
  if (memory_format == MemoryFormat::Preserve) { return at::strided(src); }
  return at::dense(src);
}
Tensor as_dense(const Tensor& self) { return self.copied(at::MemoryFormat::Contiguous); }
Tensor as_it_is(const Tensor& self) { return at::copied(self); }
Tensor in_two_ways(const Tensor& self) { at::copied(self, MemoryFormat::Contiguous); return at::as_it_is(self); }
Tensor in_one_way(const Tensor& self, bool up) {
  if (up) { return self.copied(); }
  return self.copied(at::MemoryFormat::Contiguous);
}
Tensor from_far(const Tensor& self) { self.as_dense(); return self.in_one_way(false); }
Tensor at_least(const Tensor& self, const Scalar& min) {
  if (min.to<double>() != min.to<double>()) { return self.strided(); }
  return self.dense();
}
Tensor positive(const Tensor& self) { return at::at_least(self, 0); }
Tensor made(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
    std::optional<Device> device, std::optional<bool> pin_memory, std::optional<MemoryFormat> format) {
  Tensor result;
  if (format.has_value()) { at::strided(result); }
  if (dtype) { at::dense(result); }
  return result;
}
Tensor with_options(const Tensor& self) { return at::made(self.sizes(), self.options()); }
Tensor with_type(const Tensor& self) { return at::made(self.sizes(), kLong); }
static Tensor along_one(const Tensor& self, std::optional<int64_t> dim) {
  return dim ? self.dense() : self.strided();
}
Tensor along(const Tensor& self, std::optional<int64_t> dim) { return along_one(self, dim); }
Tensor along_first(const Tensor& self) { return self.along(0); }
Tensor along_all(const Tensor& self) { return self.along(); }
Tensor handing(const Tensor& self, std::optional<int64_t> dim) {
  if (dim.has_value()) { return at::along(self, dim); }
  return self;
}
Tensor like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
    std::optional<Device> device, std::optional<bool> pin_memory, std::optional<MemoryFormat> format) {
  TensorOptions options = self.options().merge_in(TensorOptions().dtype(dtype)).merge_memory_format(format);
  auto memory_format = options.memory_format_opt().value_or(MemoryFormat::Preserve);
  return memory_format == MemoryFormat::Preserve ? at::strided(self) : at::dense(self);
}
Tensor like_it(const Tensor& self) { return at::like(self, self.options()); }
Tensor like_dense(const Tensor& self) { return at::like(self, self.options(), MemoryFormat::Contiguous); }
Tensor like_old(const Tensor& self) { return at::like(self, LEGACY_CONTIGUOUS_MEMORY_FORMAT); }
Tensor like_old_of_type(const Tensor& self) { return at::like(self, t(), LEGACY_CONTIGUOUS_MEMORY_FORMAT); }
Tensor like_its_own(const Tensor& self) { return at::like(self, self.options(), self.suggest_memory_format()); }
Tensor like_its_local(const Tensor& self) {
  auto f = self.suggest_memory_format();
  return at::like(self, self.options(), f);
}
Tensor scaled(const Tensor& self, const Scalar& beta) {
  auto betaval = beta.toComplexDouble();
  if (betaval == 0.0) { return self.dense(); }
  return self.strided();
}
Tensor scaled_by_none(const Tensor& self) { return at::scaled(self, 0); }
Tensor turned(const Tensor& self, int64_t dim0, int64_t dim1) {
  auto ndims = self.dim();
  dim0 = at::maybe_wrap_dim(dim0, ndims);
  const int64_t last = maybe_wrap_dim(dim1, ndims);
  if (dim0 == last) { return self.strided(); }
  return self.dense();
}
Tensor turned_first(const Tensor& self) { return self.turned(0, 1); }
Tensor turned_last(const Tensor& self) { return at::turned(self, -2, -1); }
Tensor turned_both(const Tensor& self) { return at::turned(self, 0, -1); }
static Tensor& set_one(Tensor& self, const Tensor& src) {
  if (self.is_same(src)) { return self; }
  src.dense();
  return self;
}
Tensor& set_(Tensor& self, const Tensor& src) { return set_one(self, src); }
Tensor set_itself(const Tensor& self, const Tensor& src) { return self.set_(self); }
Tensor& less_out(const Tensor& self, const Tensor& other, bool up, Tensor& out) {
  if (up) { self.strided(); }
  const_cast<Tensor&>(out).set_(self);
  return out;
}
Tensor less_down(const Tensor& self, const Tensor& other) {
  Tensor out = at::empty();
  return at::less_out(out, self, other, false);
}
Tensor& less_(Tensor& self, const Tensor& other) { return at::less_out(self, self, other); }
}}
"""


def rows(name: str) -> list[str]:
    return [f"{each.depth} {each.op}" for each in small_pytorch.story(YAML, CPP, name).runs]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("copied", ["1 strided", "1 dense"]),
        ("as_dense", ["1 copied", "2 dense"]),
        ("as_it_is", ["1 copied", "2 strided"]),
        ("positive", ["1 at_least", "2 dense"]),
        ("at_least", ["1 strided", "1 dense"]),
        ("along_first", ["1 along", "2 dense"]),
        ("along_all", ["1 along", "2 strided"]),
        ("checking", ["1 copied", "2 dense"]),
        ("handing", ["1 along", "2 dense"]),
    ],
)
def test_what_is_given_and_what_is_not_decides(name: str, found: list[str]) -> None:
    assert rows(name) == found


def test_a_number_stays_what_it_is_when_it_is_converted() -> None:
    assert rows("scaled") == ["1 dense", "1 strided"]
    assert rows("scaled_by_none") == ["1 scaled", "2 dense"]


def test_options_are_given_for_all_that_they_stand_for() -> None:
    assert rows("with_options") == ["1 made", "2 dense"]
    assert rows("with_type") == ["1 made", "2 dense"]


def test_options_have_the_memory_format_that_they_are_merged_with() -> None:
    assert rows("like_it") == ["1 like", "2 strided"]
    assert rows("checking_like") == ["1 like", "2 dense"]
    assert rows("like_dense") == ["1 like", "2 dense"]


@pytest.mark.parametrize("name", ["old", "old_of_type", "its_own", "its_local"])
def test_a_memory_format_that_a_tensor_has_is_one(name: str) -> None:
    assert rows(f"like_{name}") == ["1 like", "2 dense"]


@pytest.mark.parametrize(
    ("name", "found"), [("first", ["2 dense"]), ("last", ["2 dense"]), ("both", ["2 strided", "2 dense"])]
)
def test_dimensions_may_be_counted_from_the_end(name: str, found: list[str]) -> None:
    assert rows(f"turned_{name}") == ["1 turned", *found]


def test_a_method_that_is_bound_by_hand_has_defaults() -> None:
    assert rows("packing") == ["1 packed", "2 copied", "3 dense"]
    assert rows("packing_as") == ["1 packed", "2 copied", "3 strided", "3 dense"]


def test_an_operator_stands_again_where_other_branches_of_it_run() -> None:
    assert rows("in_two_ways") == ["1 copied", "2 dense", "1 as_it_is", "2 copied", "3 strided"]


def test_what_branches_give_an_operator_is_known_where_they_agree() -> None:
    assert rows("in_one_way") == ["1 copied", "2 strided", "2 dense"]
    assert rows("from_far") == ["1 as_dense", "2 copied", "3 dense", "1 in_one_way"]


def test_a_tensor_that_is_given_twice_is_the_same() -> None:
    assert rows("set_itself") == ["1 set_"]
    assert rows("less_") == ["1 less.out", "2 strided", "2 set_"]


def test_results_come_first_in_cpp() -> None:
    assert rows("less_down") == ["1 less.out", "2 set_", "3 dense"]
