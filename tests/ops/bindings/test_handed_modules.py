"""Functions that are given a module or a class to bind to, and those that make one and give it back."""

from __future__ import annotations

from tests.ops.bindings.small_tree import found, index


def test_what_a_function_of_the_tree_makes_and_gives_back() -> None:
    """As open_spiel makes classes by templates that are given their names."""
    header = """
template <typename T, typename Base>
auto MakeStruct(py::module_& m, const char* name) {
  return py::class_<T, Base>(m, name).def("shared", [](const T& t) { return t.x; });
}
template <class T> void Vector(py::module& m, const std::string& name) {
  py::class_<T>(m, name.c_str()).def("push", &T::push);
}
inline py::module_ Inner(py::module& m) { return m.def_submodule("inner"); }
template <typename T, typename... Args>
void Fields(py::classh<T, Args...>& c) { c.def_readwrite("phase", &T::phase); }
"""
    code = """
#include "lib/make.h"
PYBIND11_MODULE(game, m) {
  auto arm = MakeStruct<Arm, Part>(m, "Arm");
  arm.def("bend", &Arm::bend);
  Fields(arm);
  MakeStruct<Leg, Part>(m, "Leg").def("kick", &Leg::kick);
  Vector<Arms>(m, "Arms");
  py::module_ inner = Inner(m);
  inner.def("run", &run);
  py::classh<Hand>(m, "Hand").def(py::pickle([](const Hand& h) { return 1; }));
  auto other = elsewhere::Make(m);
  other.def("lost", &lost);
  MakeStruct<Toe, Part>(m, names[0]);
}
"""
    answers = index({"lib/game.cc": code, "lib/make.h": header.replace("\n", "\n#include <pybind11/pybind11.h>\n", 1)})
    assert {each.name: each.kind for each in answers.known.bindings if not each.is_module} == {
        "Arm": "class", "Arm.shared": "method", "Arm.bend": "method", "Arm.phase": "field",
        "Leg": "class", "Leg.shared": "method", "Leg.kick": "method",
        "Arms": "class", "Arms.push": "method", "inner": "submodule", "inner.run": "function", "Hand": "class",
    }  # fmt: skip
    assert [str(gap.location) for gap in answers.gaps()] == ["lib/game.cc:13", "lib/make.h:5"]


def test_what_is_bound_to_a_module_or_class_that_a_function_gives_back() -> None:
    """Of what is inside such a module only what it has itself is a function; one argument says what is given back."""
    code = """
py::module_ Inner(py::module& m) { return m.def_submodule("inner"); }
template <typename T> auto MakeBoth(py::module_& m, const char* name, py::module_& other) {
  other.def("listen", &listen);
  return py::class_<T>(m, name);
}
PYBIND11_MODULE(game, m) {
  py::module_ inner = Inner(m);
  inner.def("run", &run);
  py::class_<Foot>(inner, "Foot").def("step", &Foot::step);
  auto both = MakeBoth<Ear>(m, "Ear", inner);
  both.def("hear", &Ear::hear);
}
"""
    answers = index({"lib/game.cc": code})
    assert {each.name: each.kind for each in answers.known.bindings if not each.is_module} == {
        "inner": "submodule", "inner.run": "function", "inner.Foot": "class", "inner.Foot.step": "method",
        "inner.listen": "function", "Ear": "class", "Ear.hear": "method",
    }  # fmt: skip
    assert not answers.gaps()


def test_overloads_are_followed_together_and_what_binds_unseen_is_a_gap() -> None:
    """As mujoco's Def<Traits>(m), which hands the module to an object that binds names."""
    code = """
#include <pybind11/pybind11.h>
void Add(py::module_& m) { m.def("one", &one); }
void Add(py::module_& m, int n) { m.def("two", &two); }
template <typename T> void Def(py::module_& m) {
  Named(T::names).def(m, T::name, &T::call);
}
PYBIND11_MODULE(sim, m) {
  Add(m);
  Def<Run>(m);
  More(m);
}
void More(py::module_ m) { Binder().all(m); }
"""
    answers = index({"lib/sim.cc": code})
    assert [each.name for each in answers.known.bindings if not each.is_module] == ["one", "two"]
    assert [(gap.what, str(gap.location)) for gap in answers.gaps()] == [
        ("what Def binds to sim", "lib/sim.cc:5"),
        ("what More binds to sim", "lib/sim.cc:13"),
    ]


def test_functions_that_are_registered_by_name_are_called_with_the_module() -> None:
    """As tensorstore collects what defines its classes."""
    files = {
        "lib/parts.cc": """
void Register(std::function<void(pybind11::module_, int)> call, int order) { all().emplace_back(call, order); }
void Initialize(pybind11::module_ m) { for (const auto& each : all()) { each.first(m, 1); } }
""",
        "lib/arm.cc": """
using ArmClass = py::class_<Arm>;
auto MakeArm(py::module m) { return ArmClass(m, "Arm"); }
void DefineArm(ArmClass& cls) { cls.def("bend", &Arm::bend); }
void Arms(py::module m, Executor defer) { defer([cls = MakeArm(m)]() mutable { DefineArm(cls); }); }
AT_START { Register(Arms, 3); }
""",
        "lib/leg.cc": 'void Legs(py::module m) { m.def("walk", &walk); }\nAT_START { Keep(Legs); }\n',
        "lib/module.cc": "PYBIND11_MODULE(body, m) { Initialize(m); }\n",
    }
    answers = index({path: f"#include <pybind11/pybind11.h>\n{text}" for path, text in files.items()})
    kinds = {each.name: each.kind for each in answers.known.bindings if not each.is_module}
    assert kinds == {"Arm": "class", "Arm.bend": "method"}
    assert [gap.what for gap in answers.gaps()] == ["the module of 1 name that Legs binds"]


def test_a_submodule_that_is_made_where_it_is_given_and_functions_that_get_no_module() -> None:
    code = """
void Arms(py::module_ m) { m.def("count", &count); }
void Legs(py::module_ m) { m.def("walk", &walk).def("run", &run); }
PYBIND11_MODULE(robot, m) {
  Arms(m.def_submodule("arms", "All of them."));
  Register(&Legs);
}
"""
    bindings = index({"robot.cc": code})
    assert [each.full_name for each in bindings.known.bindings if each.kind == "function"] == ["robot.arms.count"]
    (gap,) = bindings.gaps()
    assert (gap.what, str(gap.location)) == ("the module of 2 names that Legs binds", "robot.cc:3")


SPLIT = {
    "top.cc": (
        "namespace lib {\nPYBIND11_MODULE(top, m) {\n  shapes::declare(m);\n  deep::declare(m);\n"
        "  shapes::define(m);\n}\n}\n"
    ),
    "shapes.cc": (  # gets pybind11 from a header
        "namespace lib {\nnamespace shapes {\nvoid declare(py::module& m) {\n"
        '  auto sub = m.def_submodule("shapes");\n  py::class_<Shape> shape(sub, "Shape");\n'
        '  py::native_enum<Kind>(sub, "Kind", "enum.Enum").value("ROUND", Kind::round).export_values().finalize();\n'
        '  py::bind_vector<std::vector<Shape>>(sub, "Shapes");\n}\n'
        "void define(py::module& m) {\n"
        '  auto sub = static_cast<py::module>(m.attr("shapes"));\n'
        '  auto shape = static_cast<py::class_<Shape, std::shared_ptr<Shape>>>(sub.attr("Shape"));\n'
        "  shape.def(py::init<int>()).def_buffer([](Shape& s) { return s.buffer(); })\n"
        '      .def("area", &Shape::area);\n'
        '  shape.def_readonly_static("unit", &unit);\n'
        '  int n = m.attr("count").cast<int>();\n}\n}\n}\n'
    ),
    "deep.cc": (
        "namespace lib {\nnamespace deep {\nnamespace shapes {\n"
        'void declare(py::module& m) { m.def("wrong", &f); }\n}\n'
        'void declare(py::module& m) { auto sub = m.def_submodule("deep"); shapes::declare(sub); }\n}\n}\n'
    ),
}


def test_functions_that_are_given_a_module_are_those_that_cpp_finds() -> None:
    rows = index(SPLIT).table().rows
    assert {str(row[1]): (row[2], row[3], row[4]) for row in rows} == {
        "shapes": ("submodule", "shapes.cc", 4),
        "shapes.Shape": ("class", "shapes.cc", 5),
        "shapes.Kind": ("enum", "shapes.cc", 6),
        "shapes.Kind.ROUND": ("value", "shapes.cc", 6),
        "shapes.ROUND": ("value", "shapes.cc", 6),
        "shapes.Shapes": ("class", "shapes.cc", 7),
        "shapes.Shape.__init__": ("method", "shapes.cc", 12),
        "shapes.Shape.area": ("method", "shapes.cc", 13),
        "shapes.Shape.unit": ("field", "shapes.cc", 14),
        "deep": ("submodule", "deep.cc", 6),
        "deep.wrong": ("function", "deep.cc", 4),
    }
    assert found("top.shapes.Shape.__init__", SPLIT).function == "constructor of Shape"
