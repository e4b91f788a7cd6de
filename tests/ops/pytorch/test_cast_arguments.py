"""Of functions of one name the one is followed that takes what an argument is cast to, or declared as."""

from tests.ops.pytorch import small_pytorch

NAMES = ("drawn(int[] size) -> Tensor", "plain(Tensor self) -> Tensor", "labelled(Tensor self) -> Tensor")
YAML = "".join(f"- func: {each}\n" for each in NAMES)
CPP = """\
namespace at { namespace native {
Tensor drawn(IntArrayRef size, std::optional<Generator> generator, std::optional<ScalarType> dtype) {
  return at::plain(made(size));
}
Tensor drawn(IntArrayRef size, std::optional<DimnameList> names, std::optional<ScalarType> dtype) {
  return at::labelled(made(size));
}
Tensor drawn(IntArrayRef size) {
  return native::drawn(size, static_cast<std::optional<Generator>>(std::nullopt), kLong);
}
}}
"""


def test_what_an_empty_optional_value_is_cast_to_chooses_the_function() -> None:
    assert small_pytorch.runs(YAML, CPP, "torch.drawn") == [("plain", "")]


TYPED = """\
namespace at { namespace native {
static Tensor sent_to(const Tensor& self, Device device, bool copy) { return at::labelled(self); }
static Tensor sent_to(const Tensor& self, bool copy, bool wait) { return at::labelled(self); }
static Tensor sent_to(const Tensor& self, ScalarType dtype, bool copy) { return at::plain(self); }
Tensor halved(const Tensor& self) {
  ScalarType type = half_of(self);
  return sent_to(self, type, false);
}
}}
"""


def test_a_type_of_numbers_chooses_the_function() -> None:
    assert small_pytorch.runs(YAML + "- func: halved(Tensor self) -> Tensor\n", TYPED, "torch.halved") == [
        ("plain", "")
    ]
