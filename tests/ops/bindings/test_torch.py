"""Operators of torch, and extensions that a setup.py names."""

from __future__ import annotations

from bzlgraph.base.gap import Completeness
from bzlgraph.export.op_formats.rows import evidence_table
from bzlgraph.export.op_formats.text import answer_text
from tests.ops.bindings.small_tree import found, index

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


KNN_H = """\
at::Tensor NearestCpu(const at::Tensor& a);
at::Tensor NearestCuda(const at::Tensor& a);
at::Tensor Nearest(const at::Tensor& a) {
  if (a.is_cuda()) {
    return NearestCuda(a);
  }
  helped(a);
  return NearestCpu(a);
}
at::Tensor Alone(const at::Tensor& a) { return other(a); }
void InPlace(const at::Tensor& a) {
  if (a.is_cuda()) { InPlaceCuda(a); }
  auto b = NearestCpu(a);
}
void InPlaceCuda(const at::Tensor& a);
"""


def test_a_function_that_chooses_a_device_leads_on_to_the_sources() -> None:
    files = {
        "csrc/knn/knn.h": KNN_H,
        "csrc/knn/knn_cpu.cpp": '#include "knn/knn.h"\nat::Tensor NearestCpu(const at::Tensor& a) { return a; }\n',
        "csrc/knn/knn.cu": "\nat::Tensor NearestCuda(const at::Tensor& a) { return a; }\nvoid helped(int) {}\n"
        "at::Tensor other(const at::Tensor& a) { return a; }\nvoid InPlaceCuda(const at::Tensor& a) {}\n",
        "csrc/ext.cpp": '#include "knn/knn.h"\n'
        'PYBIND11_MODULE(_C, m) { m.def("nearest", &Nearest); m.def("alone", &Alone); m.def("in_place", &InPlace); }\n',
    }
    calls = ("NearestCuda csrc/knn/knn.cu:2", "NearestCpu csrc/knn/knn_cpu.cpp:2")
    assert found("_C.nearest", files).calls == calls
    assert found("_C.alone", files).calls == (), "it declares none of that name"
    assert found("_C.in_place", files).calls == ("InPlaceCuda csrc/knn/knn.cu:5",)
    (binding,) = index(files).explain("csrc/knn/knn_cpu.cpp").bindings
    assert binding.name == "nearest"
    rows = [row[2:6] for row in evidence_table([index(files).explain("_C.nearest")], Completeness()).rows()]
    assert rows == [
        ("binding", "_C.nearest", "csrc/ext.cpp", 2),
        ("function", "Nearest", "csrc/knn/knn.h", 3),
        ("call", "NearestCuda", "csrc/knn/knn.cu", 2),
        ("call", "NearestCpu", "csrc/knn/knn_cpu.cpp", 2),
    ]


def test_a_module_that_the_build_names_and_functions_that_a_file_declares() -> None:
    files = {
        "csrc/pybind.cpp": "int boxes(int a);\nint far(int a);\n"
        'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("boxes", &boxes); m.def("far", &far); }\n',
        "csrc/boxes.cpp": "\nint boxes(int a) { return a; }\n",
        "other/far.cpp": "int far(int a) { return a; }\n",
    }
    (binding,) = index(files).explain("package._ext.boxes").bindings
    assert binding.how == "PYBIND11_MODULE(TORCH_EXTENSION_NAME, its name is not known)"
    assert binding.defined is not None
    assert (binding.defined.path, binding.defined.line) == ("csrc/boxes.cpp", 2)
    assert found("pybind.far", files).defined is None
    assert "function of PYBIND11_MODULE(TORCH_EXTENSION_NAME, its name is not known)\n" in answer_text(
        index(files).explain("pybind.boxes")
    )


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


CLASSES = """\
static auto queue =
    torch::class_<Queue>("mine", "Queue")
        .def(torch::init<int>(), "", {torch::arg("size") = 1})
        .def_pickle([](const P& self) { return 1; }, [](int state) { return make(); })
        .def("push", &Queue::push, "", {torch::arg("value")});
TORCH_LIBRARY(other, m) {
  m.class_<Stack>("Stack").def("pop", &Stack::pop);
  m.def("run(Tensor a, int page=" PAGE ") -> Tensor");
}
TORCH_LIBRARY_FRAGMENT(TORCH_EXTENSION_NAME, m) { m.def("named(Tensor a) -> Tensor"); }
"""


def test_classes_of_torch_and_a_library_that_the_build_names() -> None:
    rows = index({"csrc/ext.cpp": CLASSES}).table().rows
    assert sorted((str(row[0]), str(row[1]), str(row[2]), row[4]) for row in rows) == [
        ("torch.classes.mine", "Queue", "class", 2),
        ("torch.classes.mine", "Queue.__init__", "method", 3),
        ("torch.classes.mine", "Queue.push", "method", 5),
        ("torch.classes.other", "Stack", "class", 7),
        ("torch.classes.other", "Stack.pop", "method", 7),
        ("torch.ops.ext", "named", "operator", 10),
        ("torch.ops.other", "run", "operator", 8),
    ]
    assert found("torch.classes.mine.Queue.push", {"csrc/ext.cpp": CLASSES}).how == "torch::class_"
    python = "queue = torch.classes.mine.Queue(1)\nother = torch.ops.mine.Queue(1)\n"
    (use,) = index({"csrc/ext.cpp": CLASSES, "a.py": python}).explain("torch.classes.mine.Queue").python_uses
    assert use.location.line == 1
    assert "torch.classes.mine.Queue" in index({"csrc/ext.cpp": CLASSES}).explain("other.name.Queue").suggestions


def test_a_function_of_torch_runs_its_methods() -> None:
    files = {
        "csrc/ext.cpp": 'PYBIND11_MODULE(_C, m) { m.def("knn", &knn); m.def("knn_backward", &back); }\n',
        "knn.py": (
            "from package import _C\nclass _Knn(Function):\n  def forward(ctx, x):\n    return _C.knn(x)\n"
            "  def backward(ctx, x):\n    return _C.knn_backward(x)\ndef knn(x):\n  return _Knn.apply(x)\n"
        ),
    }
    assert [each.name for each in index(files).explain("knn.py:knn").bindings] == ["knn", "knn_backward"]
