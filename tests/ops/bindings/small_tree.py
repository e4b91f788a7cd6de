"""A tree with one module of pybind11, and how tests ask of it and of others."""

from __future__ import annotations

from collections.abc import Mapping

from bzlgraph.ops.binding import Binding
from bzlgraph.ops.bindings.index import BindingIndex
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
