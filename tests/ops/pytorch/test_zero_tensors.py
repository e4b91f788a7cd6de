"""Tensors of zeros without data are given data before an operator runs that does not let them through."""

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource

NAMES = "copy through stopping made plain"
YAML = "".join(f"- func: {name}(Tensor self) -> Tensor\n  dispatch: {{CPU: {name}}}\n" for name in NAMES.split())
YAML = YAML.replace("  dispatch: {CPU: made}\n", "")
CPP = """\
namespace at { namespace native {
Tensor copy(const Tensor& self) { if (self._is_zerotensor()) { at::plain(self); } return self; }
Tensor through(const Tensor& self) { return at::copy(self); }
Tensor stopping(const Tensor& self) { return at::copy(self); }
Tensor made(const Tensor& self) { return at::copy(self); }
}}
"""
FALLBACK = """\
TORCH_LIBRARY_IMPL(aten, ZeroTensor, m) {
  m.impl("through", torch::CppFunction::makeFallthrough());
  // m.impl("stopping", torch::CppFunction::makeFallthrough());
}
"""


def runs(name: str, fallback: str = FALLBACK) -> list[str]:
    files = {ENTRIES: YAML, "aten/src/ATen/native/Ops.cpp": CPP, "aten/src/ATen/ZeroTensorFallback.cpp": fallback}
    source = MemorySource({path: text.encode() for path, text in files.items()})
    return [each.op for each in PytorchTracer(source, lambda _path: (), None).explain(f"torch.{name}").stories[0].runs]


def test_what_is_asked_for_may_be_given_one() -> None:
    assert runs("copy") == ["plain"]


def test_what_lets_one_through_hands_it_on() -> None:
    assert runs("through") == runs("made") == ["copy", "plain"]


def test_what_does_not_gives_it_data() -> None:
    assert runs("stopping") == ["copy"]
    assert runs("stopping", "") == ["copy", "plain"]
