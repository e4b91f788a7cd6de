"""Views whose elements are conjugated when they are read are made plain before an operator runs that does not let them
through."""

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource

OWN = "_conj copy through stopping making turning negating parting other plain negated"
YAML = "".join(f"- func: {name}(Tensor self) -> Tensor\n  dispatch: {{CPU: {name}}}\n" for name in OWN.split())
YAML += "- func: made(Tensor self) -> Tensor\n"
YAML += "".join(f"- func: {name}(Tensor(a) self) -> Tensor(a)\n" for name in ("adjoint", "view", "real"))
CPP = """\
namespace at { namespace native {
Tensor copy(const Tensor& self) {
  if (iter.tensor(0).is_conj() != iter.tensor(1).is_conj()) { at::plain(self); }
  return self;
}
Tensor adjoint(const Tensor& self) { return at::_conj(self); }
Tensor through(const Tensor& self) { return at::copy(self); }
Tensor stopping(const Tensor& self) { return at::copy(at::view(self)); }
Tensor making(const Tensor& self) { return at::copy(at::_conj(self)); }
Tensor turning(const Tensor& self) { return at::copy(at::adjoint(self)); }
Tensor other(const Tensor& self) { return self.is_neg() ? at::negated(self) : self; }
Tensor negating(const Tensor& self) { return at::other(at::copy(at::_conj(self))); }
Tensor real(const Tensor& self) { return self.is_conj() ? at::view(at::_conj(self)) : at::view(self); }
Tensor parting(const Tensor& self) { return at::copy(at::real(self)); }
Tensor made(const Tensor& self) { return at::copy(self); }
}}
"""
FALLBACK = """\
TORCH_LIBRARY_IMPL(aten, Conjugate, m) {
  m.impl("through", torch::CppFunction::makeFallthrough());
}
"""


def runs(name: str, fallback: str = FALLBACK) -> list[str]:
    files = {ENTRIES: YAML, "aten/src/ATen/native/Ops.cpp": CPP, "aten/src/ATen/ConjugateFallback.cpp": fallback}
    files["aten/src/ATen/native/NegateFallback.cpp"] = fallback
    source = MemorySource({path: text.encode() for path, text in files.items()})
    return [each.op for each in PytorchTracer(source, lambda _path: (), None).explain(f"torch.{name}").stories[0].runs]


def test_what_lets_one_through_hands_it_on() -> None:
    assert runs("copy") == ["plain"]
    assert runs("through") == runs("made") == ["copy", "plain"]


def test_what_does_not_makes_it_plain() -> None:
    assert runs("stopping") == ["copy", "view"]
    assert runs("stopping", "") == ["copy", "plain", "view"]


def test_what_makes_one_hands_it_on() -> None:
    assert runs("making") == ["copy", "plain", "_conj"]
    assert runs("negating") == ["other", "copy", "plain", "_conj"]
    assert runs("turning") == ["copy", "plain", "adjoint", "_conj"]


def test_what_makes_one_of_another_makes_none_of_a_plain_tensor() -> None:
    """As ``real`` conjugates again what is conjugated."""
    assert runs("parting") == ["copy", "real", "view"]
    assert runs("real") == ["view", "_conj"]
