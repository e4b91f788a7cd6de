"""Names that C++ gives to Python -> the C++ behind them: pybind11 and nanobind."""

from __future__ import annotations

import pytest

from tests.ops.bindings.small_tree import found, index


@pytest.mark.parametrize(
    ("name", "kind", "line", "function", "defined"),
    [
        ("run", "function", 9, "work::run", "lib/work.cc:3"),
        ("local", "function", 10, "local", "lib/module.cc:6"),
        ("run_all", "function", 11, "lambda", "lib/module.cc:11"),
        ("overloaded", "function", 15, "work::overloaded", "lib/work.cc:5"),
        ("twice", "function", 16, "work::twice", "lib/work.cc:4"),
        ("Runner", "class", 17, "work::Runner", ""),
        ("Runner.__init__", "method", 18, "constructor of work::Runner", ""),
        ("Runner.size", "property", 19, "work::Runner::size", "lib/work.h:5"),
        ("Runner.make", "static", 20, "work::Runner::Make", "lib/work.cc:7"),
        ("Runner.__len__", "method", 21, "lambda", "lib/module.cc:21"),
        ("Mode", "enum", 22, "Mode", ""),
        ("Mode.FAST", "value", 22, "Mode::kFast", ""),
        ("Mode.SLOW", "value", 23, "Mode::kFast", ""),
        ("FAST", "value", 22, "Mode::kFast", ""),
        ("SLOW", "value", 23, "Mode::kFast", ""),
        ("sub", "submodule", 24, "", ""),
        ("sub.deep", "function", 25, "work::deep", "lib/work.cc:6"),
        ("VERSION", "value", 26, "", ""),
        ("sub.registered", "function", 8, "hidden", "lib/register.cc:5"),
    ],
)
def test_a_name_of_a_module(name: str, kind: str, line: int, function: str, defined: str) -> None:
    each = found(f"lib._pywrap_work.{name}")
    place = each.defined.short if each.defined else ""
    assert (each.kind, each.location.line, each.function, place) == (kind, line, function, defined)
    assert each.targets == (f"//lib:{each.location.path.rpartition('/')[2]}",)


def test_a_lambda_is_told_with_what_it_calls() -> None:
    assert found("_pywrap_work.run_all").calls == ("work::Runner::All lib/work.cc:8",)


def test_what_is_not_known_is_a_gap_and_what_is_not_bound_no_name() -> None:
    answers = index()
    names = {each.name for each in answers.known.bindings}
    assert not names & {"x", "y", "not_ours", "wrong"}
    assert [str(gap.location) for gap in answers.gaps()] == ["lib/module.cc:28", "lib/elsewhere.cc:3"]
    assert found("_pywrap_work.on_gpu").condition == "GOOGLE_CUDA"


def test_the_python_that_uses_a_name() -> None:
    uses = index().explain("_pywrap_work.run").python_uses
    assert [(each.location.short, each.text) for each in uses] == [("lib/use.py:4", "return _pywrap_work.run(x)")]
    (imported,) = index().explain("_pywrap_work.twice").python_uses
    assert imported.location.line == 1


@pytest.mark.parametrize(("word", "known"), [("lib._pywrap_work.run", True), ("_pywrap_work", False), ("a.run", False)])
def test_whether_a_word_has_a_module_is_known_before_all_is_read(word: str, known: bool) -> None:
    answers = index()
    assert answers.has_module_of(word) is known
    assert "known" not in answers.__dict__


def test_a_word_without_a_dot_looks_at_no_file() -> None:
    """Names of ops are such words; the search for modules took a third of their answers."""
    answers = index()
    assert answers.has_module_of("MatMul") is False
    assert "_paths" not in answers.__dict__
    answers.has_module_of("lib.MatMul")
    assert "_paths" in answers.__dict__


def test_modules_files_and_words_that_mean_nothing() -> None:
    answers = index()
    assert len(answers.explain("_pywrap_work").bindings) == len(answers.table().rows)
    assert [each.name for each in answers.explain("lib/register.cc").bindings] == ["sub.registered"]
    assert [each.name for each in answers.explain("_pywrap_work.Mode").bindings] == ["Mode", "Mode.FAST", "Mode.SLOW"]
    answer = answers.explain("_pywrap_work.runs")
    assert not answer.found
    assert "_pywrap_work.run" in answer.suggestions


NANOBIND = """\
NB_MODULE(_ext, m) {
  nb::class_<Client>(m, "Client").def("close", &Client::Close, nb::arg("x"))
      .def_prop_ro("id", [](const Client& c) { return c.id(); });
  Client::Register(m);
  Other::Register(m);
}
void Client::Register(nb::module_& m) { m.def("client", &make); }
void Other::Register(nb::module_& m) { m.def("other", &make); }
"""


def test_functions_of_one_name_are_told_apart_by_their_class() -> None:
    known = index({"a/ext.cc": NANOBIND}).known.bindings
    assert [(each.name, each.location.line) for each in known if each.name] == [
        ("Client", 2),
        ("Client.close", 2),
        ("Client.id", 3),
        ("client", 7),
        ("other", 8),
    ]


RENAMED = """\
NB_MODULE(_shapes, m) {
  auto tree = m.def_submodule("tree");
  nb::class_<Leaf> leaf(tree, "Leaf");
  leaf.def("grow", &Leaf::grow);
  m.attr("Leaf") = leaf;
  auto inner = m.def_submodule("inner");
  inner.attr("_Leaf") = m.attr("tree").attr("Leaf");
  m.attr("Array") = type;
  type.attr("delete") = nb::cpp_function(&Array::Delete);
  auto found = nb::type<Leaf>();
  found.attr("fall") = nb::cpp_function(&Leaf::fall);
  other.attr("not_ours") = 1;
}
"""


def test_a_class_has_its_members_under_each_of_its_names() -> None:
    rows = index({"a.cc": "// nanobind\n" + RENAMED}).table().rows
    names = {str(row[1]): int(row[4] or 0) - 1 for row in rows if row[1]}
    assert names == {
        "tree": 2,
        "tree.Leaf": 3,
        "tree.Leaf.grow": 4,
        "Leaf": 5,
        "Leaf.grow": 4,
        "inner": 6,
        "inner._Leaf": 7,
        "inner._Leaf.grow": 4,
        "Array": 8,
        "Array.delete": 9,
        "tree.Leaf.fall": 11,
        "Leaf.fall": 11,
        "inner._Leaf.fall": 11,
    }


def test_a_module_that_begins_with_a_macro_of_the_tree() -> None:
    header = """
#include <nanobind/nanobind.h>
#ifdef MINE_USES_PYBIND11
#define MINE_MODULE PYBIND11_MODULE
#else
#define MINE_MODULE NB_MODULE
#endif
#define MINE_SWAPPED(variable, name) NB_MODULE(name, variable)
#define MINE_OTHER(name) NB_MODULE(name, m)
"""
    files = {
        "mine/bind.h": header,
        "mine/a.cc": "int f(int a) { return a; }\nMINE_MODULE(a, m) {\n  DefineMore(m);\n}\n",
        "mine/more.cc": '#include "mine/bind.h"\nvoid DefineMore(py::module_ m) {\n  m.def("more", &f);\n}\n',
        "mine/b.cc": '#include "mine/bind.h"\nMINE_SWAPPED(m, b) { m.def("f", &f); }\n',
    }
    bindings = index(files)
    assert bindings.modules == {"a", "b"}
    assert [each.full_name for each in bindings.known.bindings if not each.is_module] == ["a.more", "b.f"]
    assert found("a.more", files).how == "MINE_MODULE"
    assert found("a.more", files).location.short == "mine/more.cc:3"


def test_a_template_around_a_module_or_class_is_what_it_is_around() -> None:
    """As pytorch/xla wraps them, so that errors become exceptions."""
    code = """
void Define(py::module m) {
  Scope<py::module> inner(m);
  inner.def("run", &run);
  Scope<py::class_<Arm, std::unique_ptr<Arm>>>(m, "Arm").def("bend", &Arm::bend);
  Scope<py::class_<Leg>> leg(inner, "Leg");
  leg.def("kick", &Leg::kick);
  Scope<py::module_> sub = m.def_submodule("sub");
  sub.def("deep", &deep);
}
PYBIND11_MODULE(body, m) { Define(m); }
"""
    bindings = index({"lib/body.cc": code}).known.bindings
    assert {each.name for each in bindings if not each.is_module} == {
        "run", "Arm", "Arm.bend", "Leg", "Leg.kick", "sub", "sub.deep",
    }  # fmt: skip


def test_a_macro_that_is_given_to_another_one_binds_unseen() -> None:
    code = """
#define X(field) arm.def_readwrite(#field, &Arm::field);
#define ONE(name) m.def(#name, &name);
#define BOTH(name, other) ONE(name) ONE(other)
#define LOG(text) log(text)
PYBIND11_MODULE(sim, m) {
  py::class_<Arm> arm(m, "Arm");
  ARM_FIELDS
  BOTH(run, stop)
}
"""
    answers = index({"lib/sim.cc": code, "lib/fields.h": "#define Y(field) m.def(#field, &field);\n"})
    assert [each.name for each in answers.known.bindings if not each.is_module] == ["Arm", "run", "stop"]
    assert [(gap.what, str(gap.location)) for gap in answers.gaps()] == [("what the macro X binds", "lib/sim.cc:2")]


def test_a_class_is_bound_by_another_name_of_its_type_and_declared_in_a_header_of_another_prefix() -> None:
    header = "namespace mine {\nclass Arm {\n public:\n  int joints() const { return 1; }\n};\n}\n"
    made = """
#include "project/parts/arm.h"
#include "grip/grip.h"
PYBIND11_MODULE(arm, m) {
  {
    using Class = mine::Arm;
    py::class_<Class>(m, "Arm").def("joints", &Class::joints);
  }
  {
    using Class = mine::Grip;
    py::class_<Class>(m, "Grip").def("close", &Class::close);
  }
}
"""
    grip = "namespace mine {\nclass Grip {\n public:\n  void close() {}\n};\n}\n"
    files = {"python/arm.cc": made, "parts/arm.h": header, "lib/include/grip/grip.h": grip}
    joints, close = found("arm.Arm.joints", files), found("arm.Grip.close", files)
    assert (joints.function, close.function) == ("mine::Arm::joints", "mine::Grip::close")
    assert joints.defined is not None
    assert joints.defined.short == "parts/arm.h:4"
    assert close.defined is not None
    assert close.defined.short == "lib/include/grip/grip.h:4"
    assert found("arm.Grip.close", {**files, "other/grip/grip.h": ""}).defined is None, "which of two is not known"


USES = """\
from lib.words import same
from lib import words as same
from lib import other, same
# same.f
x.same.f(1)
lib.same.f(1)
lib.words.same.f()
same.f()
"""


def test_a_name_of_python_is_no_use_of_a_module_that_has_it_too() -> None:
    files = {
        "lib/same.cc": 'PYBIND11_MODULE(same, m) { m.def("f", &f); m.def("g", &g); }\n',
        "lib/__init__.py": "",
        "lib/words.py": "same = 1\n",
        "sub/__init__.py": "",
        "sub/same.py": "def f():\n    pass\n",
        "use.py": USES,
        "sub/own.py": "from .same import f\nfrom sub import same\nsame.f()\n",
        "sub/taken.py": "import lib\nfrom lib.same import (\n    f,\n)\nfrom lib import (\n    same,\n)\n",
    }
    uses = index(files).explain("same.f").python_uses
    assert [each.location.short for each in uses] == ["use.py:6", "use.py:8", "sub/taken.py:3"]
    uses = index(files).explain("same.g").python_uses
    assert [each.location.short for each in uses] == ["use.py:3", "sub/taken.py:2", "sub/taken.py:6"]


def test_another_function_of_a_submodule_is_no_use_of_one() -> None:
    binds = """PYBIND11_MODULE(whole, m) {
  auto part = m.def_submodule("part");
  part.def("f", &f);
  part.def("g", &g);
  part.def("h", &h);
}
"""
    files = {
        "lib/whole.cc": binds,
        "plain.py": "from lib import whole\nwhole.part.g()\nwhole.part.f()\npart.f()\n",
        "taken.py": "from lib.whole import part\npart.f(1)\nx.part.f()\npart.g(part.fog)\n",
        "out.py": "from lib.whole.part import f\nfrom lib.whole.part import g as f\n",
    }
    asked = index(files)
    uses = {word: asked.explain(f"whole.part.{word}").python_uses for word in "fgh"}
    assert [each.location.short for each in uses["f"]] == ["out.py:1", "plain.py:3", "taken.py:2"]
    assert [each.location.short for each in uses["g"]] == ["out.py:2", "plain.py:2", "taken.py:4"]
    assert [each.location.short for each in uses["h"]] == ["taken.py:1"], "nobody uses it: who imports the submodule"
    own = [each.location.short for each in asked.explain("whole.part").python_uses]
    assert own == ["out.py:1", "out.py:2", "plain.py:2", "plain.py:3", "taken.py:1"]


def test_a_function_that_one_source_in_folders_around_defines() -> None:
    """As pybind.cpp beside multi_tensor/norm.cpp, and pybind/pybind.cpp beside hash/hash.cpp; not one of two."""
    binds = "// pybind11\nPYBIND11_MODULE(m, m) {\n"
    files = {
        "csrc/pybind/a.cpp": binds + 'm.def("norm", &norm);\nm.def("hash", &hash_cpu);\nm.def("two", &two);\n}\n',
        "csrc/pybind/multi/norm.cpp": "int norm(int a) { return a; }\n",
        "csrc/hash/hash.cpp": "int hash_cpu(int a) { return a; }\nint norm(int a) { return 1; }\n",
        "csrc/hash/one.cpp": "int two(int a) { return a; }\n",
        "csrc/hash/two.cpp": "int two(int a) { return a; }\n",
        "other/hash.cpp": "int hash_cpu(int a) { return a; }\n",
    }
    places = {each.name: each.defined and each.defined.short for each in index(files).known.bindings}
    assert places["norm"] == "csrc/pybind/multi/norm.cpp:1"
    assert places["hash"] == "csrc/hash/hash.cpp:1"
    assert places["two"] is None


def test_a_member_of_a_class_in_a_class_is_that_of_the_outer_one() -> None:
    options = "namespace mine {{\nvoid {0}::Options::Parse() {{}}\n}}\n"
    code = """
#include "cpp/reader.h"
#include "cpp/writer.h"
PYBIND11_MODULE(record, m) { m.def("parse", &Writer::Options::Parse); }
"""
    headers = {"cpp/reader.h": "struct Reader;\n", "cpp/writer.h": "struct Writer;\n"}
    sources = {f"cpp/{name.lower()}.cc": options.format(name) for name in ("Reader", "Writer")}
    parse = found("record.parse", {"python/record.cc": code, **headers, **sources})
    assert parse.defined is not None
    assert parse.defined.short == "cpp/writer.cc:2"


@pytest.mark.parametrize("text", ["m.def(" * 20000, "m" + '.def("a", f)' * 20000, "py::class_<" * 20000])
def test_hostile_files_end(text: str) -> None:
    assert index({"a.cc": f"// pybind11\nPYBIND11_MODULE(a, m) {{\n{text}\n}}\n"}).known is not None


def test_a_macro_of_a_header_that_binds_names() -> None:
    files = {
        "lib/bind.h": '#define BIND(m) \\\n  m.def("one", &one); \\\n  m.def("two", &two)\n',
        "lib/a.cc": '#include "lib/bind.h"\nPYBIND11_MODULE(a, m) {\n  BIND(m);\n}\n',
        "lib/b.cc": "PYBIND11_MODULE(b, m) {\n  BIND(m);\n}\n",
    }
    rows = index(files).table().rows
    assert [row[:5] for row in rows] == [
        ("a", "one", "function", "lib/a.cc", 3),
        ("a", "two", "function", "lib/a.cc", 3),
    ]


TYPES = {
    "lib/types.cc": """\
#define DEFINE_ATTR(Name)                                      \\
  struct Py##Name : mlir::python::PyConcreteAttribute<Py##Name> { \\
    static constexpr const char* pyClassName = #Name;          \\
    static void bindDerived(ClassTy& cls);                     \\
  };                                                           \\
  void Py##Name::bindDerived(ClassTy& cls)
namespace {
struct PyPointer : mlir::python::PyConcreteType<PyPointer> {
  static constexpr const char* pyClassName = "PointerType";
  using Base::Base;
  static void bindDerived(ClassTy& c) {
    c.def_static("get", [](int space) { return PyPointer(space); });
    c.def("space", &PyPointer::space);
  }
};
DEFINE_ATTR(TileAttr) {
  cls.def_prop_ro("tiling", [](PyTileAttr& self) { return 1; });
}
}
NB_MODULE(_types, m) {
  PyPointer::bind(m);
  PyTileAttr::bind(m.def_submodule("attrs"));
}
""",
}


def test_types_of_mlir_bind_themselves() -> None:
    known = index(TYPES).known
    assert [(each.name, each.kind, each.location.line) for each in known.bindings if each.name] == [
        ("PointerType", "class", 11),
        ("PointerType.get", "static", 12),
        ("PointerType.space", "method", 13),
        ("attrs.TileAttr", "class", 16),
        ("attrs.TileAttr.tiling", "property", 17),
        ("attrs", "submodule", 22),
    ]
    assert not known.gaps
