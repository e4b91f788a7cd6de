"""A function that chooses a value of an enumeration gives some only under conditions: what they decide against does not
run, and what they say is known where a value is asked for."""

from tests.ops.pytorch import small_pytorch

NAMES = "fast deep slow flat turned_flat contiguous clone"
YAML = "".join(f"- func: {name}(Tensor self) -> Tensor\n  variants: function, method\n" for name in NAMES.split())
YAML += "- func: folded(Tensor self, bool turned) -> Tensor\n"
YAML += "".join(
    f"- func: {name}(Tensor self) -> Tensor\n" for name in ("fold", "fold_back", "by_way", "by_other_way", "by_helper")
)
CPP = """\
namespace at { namespace native {
struct Params {
  bool turned{};
  bool is_deep(const Tensor& a) const { return a.dim() > 4 && !turned; }
};
static Way choose(const Tensor& a, const Params& params) {
  if (params.is_deep(a)) { return Way::Deep; }
  if (a.dim() == 3) { return params.turned ? Way::TurnedFlat : Way::Flat; }
  return Way::Slow;
}
static Tensor rest(const Tensor& a, Way way) {
  switch (way) {
    case Way::Flat: return at::flat(a);
    case Way::TurnedFlat: return at::turned_flat(a);
  }
}
Tensor folded(const Tensor& self, bool turned_) {
  Params params;
  params.turned = turned_;
  Way way = choose(self, params);
  switch (way) {
    case Way::Deep: return at::deep(self);
    case Way::Flat:
    case Way::TurnedFlat: return rest(self, way);
    case Way::Slow: return at::slow(self);
  }
}
Tensor fold(const Tensor& self) { return at::folded(self, false); }
Tensor fold_back(const Tensor& self) { return at::folded(self, true); }
static Layout layout_of(const Tensor& a) {
  if (a.is_contiguous()) { return Layout::Dense; }
  return Layout::Other;
}
Tensor contiguous(const Tensor& self) { return self.is_contiguous() ? self : at::clone(self); }
Tensor by_way(const Tensor& self) { return layout_of(self) == Layout::Dense ? self.contiguous() : self; }
static Tensor helped(const Tensor& a) { return at::contiguous(a); }
Tensor by_helper(const Tensor& self) { return layout_of(self) == Layout::Dense ? helped(self) : self; }
Tensor by_other_way(const Tensor& self) { return layout_of(self) == Layout::Other ? self.contiguous() : self; }
}}
"""


def runs(name: str) -> list[tuple[str, str]]:
    return small_pytorch.runs(YAML, CPP, f"torch.{name}")


def test_what_is_chosen_otherwise_does_not_run() -> None:
    """As ``conv_transpose2d`` runs no function for other convolutions, also below several values."""
    flat, turned = "way == Way::Flat", "way == Way::TurnedFlat"
    assert sorted(runs("fold")) == sorted(
        [("folded", ""), ("deep", "way == Way::Deep"), ("slow", "way == Way::Slow"), ("flat", flat)]
    )
    assert sorted(runs("fold_back")) == sorted([("folded", ""), ("slow", "way == Way::Slow"), ("turned_flat", turned)])
    assert {op for op, _ in runs("folded")} == {"deep", "slow", "flat", "turned_flat"}


def test_what_is_chosen_under_one_condition_says_it() -> None:
    """As ``batch_norm`` asks how its input is laid out before it gives it another shape."""
    assert [op for op, _ in runs("by_way")] == [op for op, _ in runs("by_helper")] == ["contiguous"]
    assert [op for op, _ in runs("by_other_way")] == ["contiguous", "clone"]
