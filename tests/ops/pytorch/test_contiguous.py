"""What gives a tensor with its elements in a row decides what is asked of that."""

import pytest

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource

NAMES = "reshape view other_view in_a_row laid_out handed kept once_more once_more_new chosen turned checked asked"
YAML = "".join(
    f"- func: {name}(Tensor self) -> Tensor\n  variants: function, method\n"
    for name in f"{NAMES} once_more_like given shaped_again set_again".split()
)
YAML += "- func: contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)\n"
YAML += "  variants: function, method\n"
CPP = """\
namespace at { namespace native {
Tensor reshape(const Tensor& self) {
  if (self.is_contiguous()) { return at::view(self); }
  return at::other_view(self);
}
Tensor contiguous(const Tensor& self, MemoryFormat memory_format) {
  if (self.is_contiguous(memory_format)) { return self; }
  return at::in_a_row(self);
}
Tensor laid_out(const Tensor& self) { return self.view().contiguous().reshape(); }
Tensor handed(const Tensor& self) { return at::reshape(self.contiguous()); }
Tensor kept(const Tensor& self) {
  auto dense = self.contiguous();
  return at::reshape(dense);
}
Tensor once_more(const Tensor& self) {
  Tensor dense = self.contiguous();
  return dense.contiguous();
}
Tensor once_more_new(const Tensor& self) {
  auto made = at::empty({3}, self.options());
  return made.contiguous();
}
Tensor once_more_like(const Tensor& self) {
  auto made = at::empty_like(self, LEGACY_CONTIGUOUS_MEMORY_FORMAT);
  return made.contiguous();
}
Tensor chosen(const Tensor& self) {
  auto some = self.dim() > 1 ? self : self.contiguous();
  return at::reshape(some);
}
Tensor turned(const Tensor& self) {
  auto some = self.contiguous();
  some.t_();
  return at::reshape(some);
}
Tensor checked(const Tensor& self) {
  TORCH_CHECK(self.is_contiguous());
  return at::reshape(self);
}
Tensor asked(const Tensor& self) {
  if (!self.is_contiguous()) { return at::reshape(self); }
  return self;
}
static Tensor flat(const Tensor& some) {
  if (!some.is_contiguous()) { return at::other_view(some); }
  return at::view(some);
}
Tensor shaped_again(const Tensor& self) {
  auto some = self.contiguous();
  if (some.dim() == 5) { some = some.reshape(); }
  return some;
}
Tensor set_again(const Tensor& self) {
  auto some = self.contiguous();
  some = some.asked();
  return some.reshape();
}
Tensor given(const Tensor& self) { return flat(self.contiguous()); }
}}
"""


def runs(name: str) -> list[str]:
    source = MemorySource({ENTRIES: YAML.encode(), "aten/src/ATen/native/Ops.cpp": CPP.encode()})
    return [each.op for each in PytorchTracer(source, lambda _path: (), None).explain(f"torch.{name}").stories[0].runs]


def test_what_is_set_to_itself_with_another_shape_stays_in_a_row() -> None:
    """As ``self`` in ``max_unpooling3d_forward_out_cuda``."""
    assert runs("shaped_again") == ["contiguous", "in_a_row", "reshape", "view"]
    assert "other_view" in runs("set_again")


@pytest.mark.parametrize("name", ["laid_out", "handed", "kept"])
def test_what_is_laid_out_is_viewed(name: str) -> None:
    assert {"reshape", "view"} <= {*runs(name)}
    assert "other_view" not in runs(name)


def test_it_is_not_laid_out_again() -> None:
    assert runs("once_more").count("in_a_row") == 1
    assert "in_a_row" not in {*runs("once_more_new"), *runs("once_more_like")}


@pytest.mark.parametrize("name", ["chosen", "turned"])
def test_what_may_lie_otherwise_is_viewed_otherwise(name: str) -> None:
    assert {"view", "other_view"} <= {*runs(name)}


def test_what_is_checked_and_asked_decides() -> None:
    assert runs("checked") == ["reshape", "view"]
    assert runs("asked") == ["reshape", "other_view"]


def test_functions_are_given_it() -> None:
    assert runs("given") == ["contiguous", "in_a_row", "view"]
