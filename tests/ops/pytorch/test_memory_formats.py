"""A new result that is made in the memory format which an input suggests is in rows where the input suggests that."""

import pytest

from tests.ops.pytorch import small_pytorch

YAML = "".join(
    f"""\
- func: {name}(Tensor input) -> Tensor
  structured_delegate: {name}.out
- func: {name}.out(Tensor input, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {{CPU: {name}_out}}
"""
    for name in ("pool", "fixed")
)
YAML += "- func: copy_rows(Tensor self) -> Tensor\n- func: copy_last(Tensor self) -> Tensor\n"
CPP = """\
namespace at {
namespace meta {
TORCH_META_FUNC(pool)(const Tensor& input) {
  auto memory_format = input.suggest_memory_format();
  if (input.dim() == 3) { set_output_raw_strided(0, {3, n, m}, {}, input.options()); }
  else { set_output_raw_strided(0, {k, 3, n, m}, {}, input.options().memory_format(memory_format)); }
}
TORCH_META_FUNC(fixed)(const Tensor& input) {
  set_output_raw_strided(0, {k, 3}, {}, input.options().memory_format(at::MemoryFormat::ChannelsLast));
}
}
namespace native {
static void in_rows(const Tensor& output_, const Tensor& input_) {
  if (!output_.is_contiguous()) { at::copy_rows(output_); }
}
static void channels_last(const Tensor& output_, const Tensor& input_) {
  auto memory_format = at::MemoryFormat::ChannelsLast;
  if (!output_.is_contiguous(memory_format)) { at::copy_last(output_); }
}
static void over(const Tensor& output, const Tensor& input) {
  switch (input.suggest_memory_format()) {
    case at::MemoryFormat::Contiguous: in_rows(output, input); break;
    case at::MemoryFormat::ChannelsLast: channels_last(output, input); break;
  }
}
REGISTER_DISPATCH(pool_stub, &over)
TORCH_IMPL_FUNC(pool_out)(const Tensor& input, const Tensor& out) { pool_stub(kCPU, out, input); }
TORCH_IMPL_FUNC(fixed_out)(const Tensor& input, const Tensor& out) { pool_stub(kCPU, out, input); }
}}
"""


@pytest.mark.parametrize("name", ["pool.out", "fixed", "fixed.out"])
def test_a_result_in_another_format_is_copied_back(name: str) -> None:
    assert {op for op, _ in small_pytorch.runs(YAML, CPP, name)} == {"copy_rows", "copy_last"}


def test_a_result_in_the_format_of_the_input_is_not() -> None:
    assert small_pytorch.runs(YAML, CPP, "pool") == []
