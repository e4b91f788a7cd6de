"""What ``TORCH_CHECK`` has made sure of decides the conditions behind it, also in what is called there."""

import pytest

from tests.ops.pytorch import small_pytorch

NAMES = "product handed shifted in_a_branch by_case other_kind changing one_of_two asked_of checked_early"
YAML = "".join(f"- func: {name}(Tensor self, int n) -> Tensor\n" for name in NAMES.split())
YAML += "- func: t(Tensor self) -> Tensor\n- func: sum(Tensor self) -> Tensor\n- func: least(Tensor self) -> Tensor\n"
CPP = """\
namespace at { namespace native {
Tensor multiply(const Tensor& one) {
  if (one.dim() == 1) { at::least(one); }
  if (one.dim() == 2) { at::t(one); }
  return at::sum(one);
}
Tensor product(const Tensor& self, int64_t n) {
  TORCH_CHECK(self.dim() == 2 && n > 0, "a matrix, not ", self.dim());
  if (self.dim() == 1) { at::least(self); }
  return n > 0 ? at::sum(self) : at::t(self);
}
static inline void check_matrix(const Tensor& t, const char* arg) { TORCH_CHECK(t.dim() == 2, arg, " is none"); }
static inline void check_all(const Tensor& m, int64_t n) {
  if (n > 1) { TORCH_CHECK(n < 5); }
  check_matrix(m, "m");
}
static inline void check_some(const Tensor& m) {
  if (m.is_cpu()) { return; }
  TORCH_CHECK(m.dim() == 2);
}
Tensor asked_of(const Tensor& self, int64_t n) { check_all(self, n); return multiply(self); }
Tensor checked_early(const Tensor& self, int64_t n) { check_some(self); return multiply(self); }
Tensor handed(const Tensor& self, int64_t n) { TORCH_CHECK(self.dim() == 2); return multiply(self); }
Tensor shifted(const Tensor& self, int64_t n) {
  if (n == 1) { at::least(self); }
  TORCH_CHECK(n == 2);
  return at::sum(self);
}
Tensor in_a_branch(const Tensor& self, int64_t n) {
  if (self.is_cuda()) { TORCH_CHECK(n == 2); } else TORCH_CHECK(n == 3);
  return n == 1 ? at::sum(self) : at::t(self);
}
Tensor by_case(const Tensor& self, int64_t n) {
  switch (n) { case 1: TORCH_CHECK(self.dim() == 1); break; case 2: if (self.dim() == 2) at::t(self); }
  return self;
}
Tensor other_kind(const Tensor& self, int64_t n) {
  TORCH_CHECK(self.scalar_type() == kLong);
  return self.scalar_type() == ScalarType::Float ? at::t(self) : at::sum(self);
}
Tensor changing(const Tensor& self, int64_t n) {
  TORCH_CHECK(n == 2);
  n = n - 1;
  return n == 1 ? at::t(self) : at::sum(self);
}
Tensor one_of_two(const Tensor& self, int64_t n) {
  TORCH_CHECK(n == 1 || n == 2);
  return n == 1 ? at::t(self) : at::sum(self);
}
}}
"""


def runs(name: str) -> list[tuple[str, str]]:
    return small_pytorch.runs(YAML, CPP, name)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("product", [("sum", "")]),
        ("handed", [("t", ""), ("sum", "")]),
        ("other_kind", [("sum", "")]),
        ("asked_of", [("t", ""), ("sum", "")]),
    ],
)
def test_what_is_checked_decides_what_runs_behind(name: str, found: list[tuple[str, str]]) -> None:
    assert runs(name) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("shifted", [("least", "n == 1"), ("sum", "")]),  # it is checked later
        ("in_a_branch", [("sum", "n == 1"), ("t", "n != 1")]),
        ("by_case", [("t", "n == 2 && self.dim() == 2")]),
        ("changing", [("t", "n == 1"), ("sum", "n != 1")]),
        ("one_of_two", [("t", "n == 1"), ("sum", "n != 1")]),
        ("checked_early", [("least", "one.dim() == 1"), ("t", "one.dim() == 2"), ("sum", "")]),
    ],
)
def test_what_is_not_known_behind_a_check(name: str, found: list[tuple[str, str]]) -> None:
    assert runs(name) == found


CAST = """\
- func: to.dtype(Tensor self, ScalarType dtype) -> Tensor
  variants: method
- func: copied(Tensor self) -> Tensor
- func: limited(Tensor self) -> Tensor
  structured_delegate: limited.out
- func: limited_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: limited.out
- func: limited.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch: {CPU: limited_out}
"""
CASTING = """\
namespace at { namespace native {
Tensor to(const Tensor& self, ScalarType dtype) { return self.scalar_type() == dtype ? self : at::copied(self); }
TORCH_META_FUNC(limited)(const Tensor& self) {
  ScalarType type = self.scalar_type();
  if (!isFloatingType(type)) {
    type = wider(self);
    TORCH_CHECK((type == self.scalar_type()) || (!(maybe_get_output().defined()) ||
      !(maybe_get_output().is_same(self))), "cannot be cast");
  }
  build(maybe_get_output(), self.to(type));
}
TORCH_IMPL_FUNC(limited_out)(const Tensor& self, const Tensor& out) {}
}}
"""


def test_what_is_checked_of_a_type_that_may_be_another_one_holds_behind_it() -> None:
    told = {
        name: [op for op, _ in small_pytorch.runs(CAST, CASTING, f"aten::{name}")] for name in ("limited", "limited_")
    }
    assert told == {"limited": ["to.dtype", "copied"], "limited_": ["to.dtype"]}


ONE = """\
namespace at { namespace native {
Tensor item(const Tensor& self) {
  auto numel = self.sym_numel();
  TORCH_CHECK(numel == 1, "of ", numel, " elements");
  return at::number(self);
}
Tensor number(const Tensor& self) { return self.copied(); }
Tensor copied(const Tensor& self) {
  if (self.numel() == 0) { return self.none(); }
  return self.is_non_overlapping_and_dense() ? self.dense() : self.apart();
}
}}
"""


def test_one_element_is_dense_wherever_it_is_handed_on() -> None:
    names = "number", "copied", "dense", "apart", "none"
    yaml = "- func: item(Tensor self) -> Scalar\n"
    yaml += "".join(f"- func: {each}(Tensor self) -> Tensor\n  variants: function, method\n" for each in names)
    assert [op for op, _ in small_pytorch.runs(yaml, ONE, "item")] == ["number", "copied", "dense"]
    assert [op for op, _ in small_pytorch.runs(yaml, ONE, "number")] == ["copied", "none", "dense", "apart"]
