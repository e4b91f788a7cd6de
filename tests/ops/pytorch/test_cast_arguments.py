"""Of functions of one name the one is followed that takes what an argument is cast to."""

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
