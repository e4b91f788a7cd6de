"""What a function of Python uses of C++, by its dotted name or by its file."""

from __future__ import annotations

import pytest

from bzlgraph.ops.bindings import index as index_module
from bzlgraph.starlark.evaluation.budget import OverBudget
from tests.ops.bindings.small_tree import index

CPP = (
    'PYBIND11_MODULE(_C, m) { m.def("knn", &knn); m.def("knn_backward", &back); m.def("fps", &fps); }\n'
    'TORCH_LIBRARY(mine, m) { m.def("fast", &fast); }\n'
)
PACKAGE = {
    "csrc/ext.cpp": CPP,
    "mine/__init__.py": "from .nearest import knn, Nearest\nfrom .nearest import knn as neighbours\n",
    "mine/nearest.py": (
        "from . import _C\nfrom .gradients import _Knn\nfrom .base import Layer\nimport torch\n"
        "def knn(x):\n  return _Knn.apply(x)\n"
        "class Nearest(Layer):\n  def forward(self, x):\n    return self.sample(x)\n"
        "ops = torch.ops.mine\ndef fast(x):\n  return torch.ops.mine.fast(x)\n"
    ),
    "mine/gradients.py": (
        "from mine import _C\nclass _Knn(Function):\n  def forward(ctx, x):\n    return _C.knn(x)\n"
        "  def backward(ctx, x):\n    return _C.knn_backward(x)\n"
    ),
    "mine/base.py": "from . import _C\nclass Layer:\n  def sample(self, x):\n    return _C.fps(x)\n",
}


def used(word: str, files: dict[str, str] = PACKAGE) -> list[str]:
    return [each.full_name for each in index(files).explain(word).bindings]


def test_a_public_name_is_followed_through_the_files_of_its_package() -> None:
    assert used("mine.knn") == used("mine.neighbours") == used("mine/nearest.py:knn") == ["_C.knn", "_C.knn_backward"]
    assert used("mine.nearest.fast") == ["torch.ops.mine.fast"]
    answer = index(PACKAGE).explain("mine.knn")
    assert answer.symbol is not None
    assert answer.symbol.location.short == "mine/nearest.py:5"


def test_methods_come_from_bases_in_other_files() -> None:
    assert used("mine.Nearest") == used("mine.Nearest.forward") == ["_C.fps"]


def test_packages_lie_below_src_too() -> None:
    files = {path if path.endswith(".cpp") else f"src/{path}": text for path, text in PACKAGE.items()}
    assert used("mine.knn", files) == ["_C.knn", "_C.knn_backward"]


def test_a_name_of_the_module_itself_is_no_function_of_python() -> None:
    assert used("mine._C.fps") == ["_C.fps"]
    assert index(PACKAGE).explain("mine._C.fps").symbol is None


def test_functions_that_call_each_other_have_an_end() -> None:
    files = {"a.cc": CPP, "p/__init__.py": "", "p/a.py": "from p.b import g\ndef f(x):\n  return g(x)\n"}
    files["p/b.py"] = "from p import _C\nimport p.a\ndef g(x):\n  _C.fps(x)\n  return p.a.f(x)\n"
    assert used("p.a.f", files) == ["_C.fps"]


def test_a_module_that_a_call_loads_is_meant_by_its_name() -> None:
    """``load_ext`` of mmcv, ``load`` of torch, ``import_module``: the first text is the module."""
    files = {"a.cc": CPP, "p/__init__.py": "", "p/loaded.py": "ext = load_ext('_C', ['knn', 'fps'])\n"}
    files["p/a.py"] = "from .loaded import ext\nown = load(name='_C', sources=['a.cc'])\ndef f(x):\n  ext.fps(x)\n"
    files["p/a.py"] += "def g(x):\n  own.knn(x)\n"
    assert used("p.a.f", files) == ["_C.fps"]
    assert used("p.a.g", files) == ["_C.knn"]


def test_a_function_that_uses_no_binding_is_known_all_the_same() -> None:
    files = {**PACKAGE, "mine/plain.py": "def add(x, y):\n  return x.add(y)\n"}
    answer = index(files).explain("mine.plain.add")
    assert answer.found
    assert not answer.says_what_runs
    assert not answer.suggestions
    assert "methods of values" in answer.not_followed


def test_a_class_has_the_methods_of_its_bases_and_values_of_enums_run_nothing() -> None:
    files = {"a.cc": 'PYBIND11_MODULE(_C, m) { enum_<E>(m, "E").value("A", E::A); m.def("run", &run); }\n'}
    files["p/__init__.py"] = "from .below import Below\n"
    files["p/base.py"] = "from p import _C\nclass Base:\n  def run(self):\n    return _C.run(_C.E.A)\n"
    files["p/below.py"] = "from .base import Base\nclass Below(Base):\n  pass\n"
    assert used("p.Below", files) == ["_C.run"]


def test_a_name_that_takes_too_long_to_follow_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_given: object) -> None:
        raise OverBudget("following what it calls takes more than 60 seconds")

    monkeypatch.setattr(index_module, "written", endless)
    answer = index(PACKAGE).explain("mine._C.fps")
    assert [each.full_name for each in answer.bindings] == ["_C.fps"]
    assert [gap.what for gap in answer.gaps] == ["what mine._C.fps calls"]


@pytest.mark.parametrize(
    "named", ["py::module& m = *module;", "auto& m = *module;", "py::module_ m = *module;", "auto *m = module;"]
)
def test_a_module_that_is_given_by_its_address_is_named_again(named: str) -> None:
    files = {
        "tink/module.cc": '#include "tink/aead.h"\nPYBIND11_MODULE(tink, m) { a::Register(&m); }\n',
        "tink/aead.h": "namespace a { void Register(py::module* module); }\n",
        "tink/aead.cc": (
            f"namespace a {{\nvoid Register(py::module* module) {{\n  {named}\n"
            '  py::class_<Aead>(m, "Aead").def("encrypt", &Aead::Encrypt);\n}\n}\n'
        ),
    }
    found = {each.full_name: each.location.short for each in index(files).explain("tink.Aead").bindings}
    assert found["tink.Aead"] == "tink/aead.cc:4"
    assert found["tink.Aead.encrypt"] == "tink/aead.cc:4"
