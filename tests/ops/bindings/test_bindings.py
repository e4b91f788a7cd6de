"""Names that C++ gives to Python -> the C++ behind them: pybind11, nanobind, SWIG, operators of torch."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.bindings.index import BindingIndex
from bzlgraph.ops.bindings.model import Binding
from bzlgraph.workspace.sources.source import MemorySource

MODULE = """\
#include "lib/work.h"
namespace py = pybind11;
#define BIND_TWICE(m, name) m.def(name, &work::twice)
enum class Mode { kFast };
static const char* kNames[] = {"x", "y"};
void local(int a) {}
PYBIND11_MODULE(_pywrap_work, m) {
  m.doc() = "Works.";
  m.def("run", &work::run, "Runs.")
      .def("local", &local);
  m.def("run_all", [](const py::handle& o, int n) {
    if (n > 0) { return work::Runner::All(o.ptr()); }
    return std::move(n);
  });
  m.def("overloaded", py::overload_cast<int>(&work::overloaded), py::arg("n"));
  BIND_TWICE(m, "twice");
  py::class_<work::Runner, std::shared_ptr<work::Runner>> runner(m, "Runner");
  runner.def(py::init<int>())
      .def_property_readonly("size", &work::Runner::size)
      .def_static("make", &work::Runner::Make);
  runner.def("__len__", [](const work::Runner& r) { return r.size(); });
  auto mode = py::enum_<Mode>(m, "Mode").value("FAST", Mode::kFast);
  mode.value("SLOW", Mode::kFast).export_values();
  auto sub = m.def_submodule("sub", "Below.");
  sub.def("deep", &work::deep);
  m.attr("VERSION") = 3;
  work::Register(sub);
  for (auto name : kNames) { m.def(name, &local); }
  something.def("not_ours", &local);
#if GOOGLE_CUDA
  m.def("on_gpu", &local);
#endif
}
"""
FILES = {
    "lib/module.cc": MODULE,
    "lib/work.h": (
        "namespace work {\nint run(int a);\nclass Runner {\n public:\n  int size() const { return 1; }\n};\n}\n"
    ),
    "lib/work.cc": (
        '#include "lib/work.h"\nnamespace work {\nint run(int a) { return a; }\nint twice(int a) { return a; }\n'
        "int overloaded(int n) { return n; }\nint deep() { return 0; }\n"
        "Runner* Runner::Make() { return nullptr; }\nint Runner::All(void* p) { return 0; }\n}\n"
    ),
    "lib/register.cc": (
        '#include "lib/work.h"\n// pybind11\nnamespace work {\nnamespace {\nint hidden() { return 1; }\n}\n'
        'void Register(py::module_& where) {\n  where.def("registered", &hidden);\n}\n}\n'
    ),
    "lib/elsewhere.cc": 'namespace other {\n// pybind11\nvoid Register(py::module_& m) { m.def("wrong", &x); }\n}\n',
    "lib/use.py": (
        "from lib import _pywrap_work\n\ndef f(x):\n  return _pywrap_work.run(x)\n\n"
        "def g():\n  return _pywrap_work.Runner(1).size\n"
    ),
    "lib/module_test.cc": 'PYBIND11_MODULE(tested, m) { m.def("x", &x); }\n',
}


def index(files: Mapping[str, str] = FILES) -> BindingIndex:
    source = MemorySource({path: text.encode() for path, text in files.items()})
    return BindingIndex(source, source.entries, lambda path: (f"//lib:{path.rpartition('/')[2]}",))


def found(name: str, files: Mapping[str, str] = FILES) -> Binding:
    (first, *_) = index(files).explain(name).bindings
    return first


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


TORCH = """\
at::Tensor add_cpu(const at::Tensor& a) { return a; }
at::Tensor add_cuda(const at::Tensor& a) { return a; }
TORCH_LIBRARY(mine, m) {
  m.def("add(Tensor a) -> Tensor");
  m.def("mine::whole(Tensor a) -> Tensor", &add_cpu);
}
TORCH_LIBRARY_IMPL(mine, CPU, m) { m.impl("add", &add_cpu); }
TORCH_LIBRARY_IMPL(mine, CUDA, m) { m.impl("add", TORCH_FN(add_cuda)); }
"""


REGISTRAR = """\
at::Tensor add(const at::Tensor& a) { return a; }
int64_t helper(int64_t a) { return a; }
static auto registry = torch::RegisterOperators("mine::first(Tensor a) -> Tensor", &add)
    .op("mine::add", &add)
    .op("mine::counted", [] () -> int64_t { return helper(1); })
    .op(torch::RegisterOperators::options().schema("mine::keyed(Tensor a) -> Tensor").kernel<Add>(kCPU));
"""


def test_operators_that_an_object_registers() -> None:
    files = {"csrc/add.cpp": REGISTRAR, "mine/__init__.py": "from mine import add\ntorch.ops.mine.add(1)\n"}
    names = [(each.name, each.location.line, each.function) for each in index(files).known.bindings if each.name]
    assert names == [("first", 3, "add"), ("add", 4, "add"), ("counted", 5, "lambda"), ("keyed", 6, "")]
    answer = index(files).explain("mine::add")
    (binding,) = answer.bindings
    assert (binding.full_name, binding.how) == ("torch.ops.mine.add", "RegisterOperators")
    assert binding.defined is not None
    assert binding.defined.line == 1
    assert [each.location.line for each in answer.python_uses] == [2], "a package may have the library's name"
    assert index(files).explain("mine::counted").bindings[0].calls == ("helper csrc/add.cpp:2",)
    assert index(files).has_module_of("mine.add")


def test_a_module_that_the_build_names_and_functions_that_a_file_declares() -> None:
    files = {
        "csrc/pybind.cpp": "int boxes(int a);\nint far(int a);\n"
        'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("boxes", &boxes); m.def("far", &far); }\n',
        "csrc/boxes.cpp": "\nint boxes(int a) { return a; }\n",
        "other/far.cpp": "int far(int a) { return a; }\n",
    }
    (binding,) = index(files).explain("package._ext.boxes").bindings
    assert binding.how == "PYBIND11_MODULE(TORCH_EXTENSION_NAME)"
    assert binding.defined is not None
    assert (binding.defined.path, binding.defined.line) == ("csrc/boxes.cpp", 2)
    assert found("pybind.far", files).defined is None
    assert "function of PYBIND11_MODULE(TORCH_EXTENSION_NAME)\n" in answer_text(index(files).explain("pybind.boxes"))


def test_the_name_that_setup_gives_to_an_extension() -> None:
    files = {
        "csrc/front.cpp": 'int f(int a) { return a; }\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); }\n',
        "setup.py": 'setup(ext_modules=[CUDAExtension(name="mine.work_C", sources=["csrc/front.cpp", "csrc/a.cu"])])\n',
        "mine/__init__.py": "import work_C\nfrom .front import g\nwork_C.f(1)\n",
        "mine/front.py": "def g():\n    pass\n",
    }
    answer = index(files).explain("work_C.f")
    assert [each.full_name for each in answer.bindings] == ["work_C.f"]
    assert [each.location.short for each in answer.python_uses] == ["mine/__init__.py:3"]
    both = files["setup.py"] + "Extension('other', ['csrc/front.cpp'])\n"
    assert index({**files, "setup.py": both}).explain("front.f").found, "of two names neither is known"
    guess = index({**files, "setup.py": "setup(\n", "use.py": "import front\n"}).explain("front.f")
    assert guess.found
    assert guess.python_uses == (), "of a module that is named for its file only"


def test_an_extension_whose_sources_are_computed_has_the_files_that_no_other_has() -> None:
    front = 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); }\n'
    made = "kind = CUDAExtension if cuda else CppExtension\nmade = kind('mine._C', glob('csrc/*.cpp'))\n"
    files = {"csrc/front.cpp": front, "setup.py": "from tools.build import made\n", "tools/build.py": made}
    assert index(files).explain("_C.f").found
    nearer = {"csrc/setup.py": "Extension('other', ['x.cpp'])\n"}
    assert index({**files, **nearer}).explain("front.f").found, "the nearest setup.py decides"
    both = {"setup.py": f"{files['setup.py']}CppExtension('two', more)\n"}
    assert index({**files, **both}).explain("front.f").found, "of two names neither is known"
    below = {f"below/{path}": text for path, text in files.items()}
    assert index({**below, "outside/front.cpp": front}).explain("front.f").found, "no setup.py is around it"


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


SELECTIVE = """\
template <int N, bool B> struct Add { static int run(int a) { return a; } };
struct Other { static int run(int a) { return a; } };
TORCH_LIBRARY_FRAGMENT(mine, m) { m.def(TORCH_SELECTIVE_SCHEMA("mine::add.out(Tensor a) -> Tensor"), {Tag::x}); }
TORCH_LIBRARY_IMPL(mine, CPU, m) { m.impl(TORCH_SELECTIVE_NAME("mine::add.out"), Add<2, true>::run); }
STABLE_TORCH_LIBRARY(stable, m) { m.def("mul(Tensor a) -> Tensor"); }
STABLE_TORCH_LIBRARY_IMPL(stable, CUDA, m) { m.impl("mul", TORCH_BOX(mul_cuda<false>)); }
"""


def test_operators_that_a_build_may_leave_out_and_those_of_the_stable_interface() -> None:
    uses = "ops.mine.add(1)\nops.mine.add.out(1)\nops.mine.add.default(1)\n# ops.mine.add.out\n"
    files = {"ops.cc": SELECTIVE, "use.py": uses}
    asked = index(files)
    names = [(each.full_name, each.kind, each.key, each.function) for each in asked.known.bindings if each.name]
    assert names == [
        ("torch.ops.mine.add.out", "operator", "", ""),
        ("torch.ops.mine.add.out", "kernel", "CPU", "Add::run"),
        ("torch.ops.stable.mul", "operator", "", ""),
        ("torch.ops.stable.mul", "kernel", "CUDA", "mul_cuda"),
    ]
    assert not asked.gaps()
    place = asked.known.bindings[3].defined
    assert place is not None
    assert place.short == "ops.cc:1"
    uses_of = asked.explain("mine::add.out").python_uses
    assert [each.location.line for each in uses_of] == [1, 2], "not those of another overload"


def test_operators_of_torch_with_their_kernels() -> None:
    bindings = index({"ops.cc": TORCH}).explain("torch.ops.mine.add").bindings
    assert [(each.kind, each.key, each.function, each.location.line) for each in bindings] == [
        ("operator", "", "", 4),
        ("kernel", "CPU", "add_cpu", 7),
        ("kernel", "CUDA", "add_cuda", 8),
    ]
    assert found("torch.ops.mine.whole", {"ops.cc": TORCH}).function == "add_cpu"


SWIG = {
    "py/all.i": '%module pywrap_all\n%include "py/part.i"\n%include "std_string.i"\n',
    "py/part.i": """\
/* %unignore never; */
%{
#include "py/part.h"
int helper(int a) { return a; }
%}
%ignoreall
%unignore part;
%unignore part::Check;
%rename("Renamed") part::Original;
%inline %{
int Written(const char* name) {
  return 1;
}
%}
%include "py/part.h"
%unignoreall
extern int Declared(int a);
""",
    "py/part.h": "namespace part {\nbool Check(int a);\n}\n",
    "py/part.cc": '#include "py/part.h"\nnamespace part {\nbool Check(int a) { return a; }\n}\n',
}


def test_interfaces_of_swig() -> None:
    known = index(SWIG).known.bindings
    assert {(each.name, each.location.short, each.function) for each in known if each.name} == {
        ("Check", "py/part.i:8", "part::Check"),
        ("Renamed", "py/part.i:9", "part::Original"),
        ("Written", "py/part.i:11", "Written"),
        ("Declared", "py/part.i:17", "Declared"),
    }
    place = found("pywrap_all.Check", SWIG).defined
    assert place is not None
    assert place.short == "py/part.cc:3"


def test_a_module_of_swig_that_the_build_names() -> None:
    files = {"py/top.i": '%include "py/part.i"\n', **{path: text for path, text in SWIG.items() if path != "py/all.i"}}
    assert {each.module for each in index(files).known.bindings} == {"top"}
    named = index(files)
    named.named = {"py/top.i": "pywrap_top"}.__getitem__
    assert named.explain("pywrap_top.Check").found


CLASSES = {
    "xla/xla.i": '%include "xla/builder.i"\n',
    "xla/builder.i": """\
%module(threads="1") builder
%{
#include "xla/builder.h"
%}
%{
static int helper(const char* name) {
  return 1;
}
%}
%ignoreall
%unignore other;
%unignore helper;
%unignore xla::swig::Builder::mode;
%unignore xla::swig::Builder::size;
%unignore xla::swig;
%unignore xla::swig::Run;
%unignore xla::swig::Builder;
%unignore xla::swig::Builder::Builder;
%unignore xla::swig::Builder::Build;
%unignore xla::swig::Builder::Make;
%unignore xla::swig::Builder::Shift;
%unignore xla::swig::Builder::Gone;
%rename("Sum") xla::swig::Builder::Add;
%include "xla/builder.h"
%unignoreall
""",
    "xla/builder.h": """\
namespace other {}
namespace xla { namespace swig {
void Run(int a);
class Builder {
 public:
  Builder(int a);
  static Builder* Make(int a);
  int Build();
#define FORWARD(name) int name(int a);
  FORWARD(Shift)
  FORWARD(Add)
#undef FORWARD
  int mode, size = 1;
 private:
  int count_ = 0;
};
}}
""",
    "xla/builder.cc": """\
#include "xla/builder.h"
namespace xla { namespace swig {
void Run(int a) {}
Builder::Builder(int a) {}
Builder* Builder::Make(int a) { return new Builder(a); }
int Builder::Build() { return 0; }
#define FORWARD(name) int Builder::name(int a) { return a; }
FORWARD(Shift)
FORWARD(Add)
}}
""",
}


def test_an_included_interface_of_swig_is_no_module_and_classes_have_methods() -> None:
    """As xla.i, which the build makes the module pywrap_xla of, includes the ``%module`` of another."""
    made = index(CLASSES)
    assert {each.module for each in made.known.bindings} == {"builder"}
    named = index(CLASSES)
    named.named = {"xla/xla.i": "pywrap_xla"}.__getitem__
    known = [each for each in named.known.bindings if each.name]
    assert [(each.full_name, each.kind, each.defined and each.defined.short) for each in known] == [
        ("pywrap_xla.Builder.Sum", "method", "xla/builder.cc:9"),
        ("pywrap_xla.helper", "function", "xla/builder.i:6"),
        ("pywrap_xla.Builder.mode", "field", None),
        ("pywrap_xla.Builder.size", "field", None),
        ("pywrap_xla.Run", "function", "xla/builder.cc:3"),
        ("pywrap_xla.Builder", "class", "xla/builder.cc:4"),
        ("pywrap_xla.Builder.Build", "method", "xla/builder.cc:6"),
        ("pywrap_xla.Builder.Make", "static", "xla/builder.cc:5"),
        ("pywrap_xla.Builder.Shift", "method", "xla/builder.cc:8"),
    ]
    assert named.explain("pywrap_xla.Builder.Shift").found


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


@pytest.mark.parametrize("text", ["m.def(" * 20000, "m" + '.def("a", f)' * 20000, "py::class_<" * 20000])
def test_hostile_files_end(text: str) -> None:
    assert index({"a.cc": f"// pybind11\nPYBIND11_MODULE(a, m) {{\n{text}\n}}\n"}).known is not None
