"""What functions ask that conditions ask, of a namespace that is named, and where the preprocessor chooses between one
and another that says no: as ``xnnpack::use_linear``."""

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: quick(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: quick
- func: fill(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: fill
- func: pad(Tensor self) -> Tensor
- func: flat(Tensor self) -> Tensor
- func: pooled(Tensor self) -> Tensor
"""
CPP = """\
namespace at { namespace native {
#ifdef USE_QUICK
namespace quick_library {
static bool usable(const Tensor& input) {
  return available() && (input.device().is_cpu()) && (1 <= input.dim());
}
bool use_quick(const Tensor& input, const Tensor& weight) {
  using namespace internal;
  return available() && internal::usable(input);
}
bool use_pooled(const Tensor& input, IntArrayRef sizes, const float least) {
  if (sizes.empty()) { sizes = {1}; }
  const Parameters parameters{sizes, least};
  const int64_t height = height_of(parameters);
  return available() && (4 == input.dim()) && (input.device().is_cpu()) && height > 0;
}
bool use_flat(const Tensor& input) {
  for (auto each : input.sizes()) { more(each); return input.device().is_cpu(); }
  return true;
}
}
namespace internal { bool usable(const Tensor& input) { return input.device().is_cpu() && !input.requires_grad(); } }
#else
namespace quick_library {
bool use_quick(const Tensor&, const Tensor&) { return false; }
}
#endif
Tensor quick(const Tensor& self) {
#ifdef MOBILE
  if (quick_library::use_quick(self, self)) { return at::fill(self); }
  if (quick_library::use_pooled(self, {})) { return at::pooled(self); }
  if (quick_library::use_flat(self)) { return at::flat(self); }
#endif
  return at::pad(self);
}
}}
"""


def test_what_a_function_of_a_namespace_is_asked_says_the_device() -> None:
    told = [(each.op, each.device) for each in small_pytorch.story(YAML, CPP, "quick").runs]
    assert told == [("fill", "CPU"), ("pooled", "CPU"), ("flat", ""), ("pad", "")]
