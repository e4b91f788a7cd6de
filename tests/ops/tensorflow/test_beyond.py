"""Where a kernel's work goes on behind its Compute: methods of its own class, iterators, functors of its device."""

from __future__ import annotations

import pytest

from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.tokens import tokenize
from bzlgraph.ops.model import KernelRegistration, Work
from bzlgraph.ops.tensorflow.cpp.records import read_records
from bzlgraph.ops.tensorflow.cpp.work.beyond import Beyond
from bzlgraph.ops.tensorflow.cpp.work.classes import Classes
from bzlgraph.ops.tensorflow.cpp.work.running import running
from bzlgraph.workspace.sources.source import MemorySource

FUNCTORS = """
namespace functor {
template <typename Device, typename T> struct Fill;
template <typename T> struct FillBase { void operator()(int x) { fill(x); } };
template <typename T> struct Fill<CPUDevice, T> : FillBase<T> {};
template <typename Device, typename T> struct Blur { static void Compute(int x) { x++; } };
template <typename T> struct abs : base<T> {};
template <class G, typename T> class Uniform;
template <class G> class Uniform<G, half> { int operator()(G* g) { return half(g); } };
template <class G> class Uniform<G, float> { int operator()(G* g) { return float(g); } };
template <typename T> struct Traits { static int v() { return 1; } };
}
"""


def work(kernel: str, device: str = "CPU", **files: str) -> list[str]:
    """Where the kernel of a.cc goes on: ``name line`` of each."""
    found = made_for(kernel, device, **files)
    return [f"{each.name} {each.location.short if each.location else ''}" for each in found]


def made_for(kernel: str, device: str = "CPU", **files: str) -> tuple[Work, ...]:
    texts = {f"core/{name.replace('_dot_', '.')}": text for name, text in files.items()}
    texts["core/a.cc"] += f'\nREGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_{device}), {kernel});\n'
    source = MemorySource({path: text.encode() for path, text in texts.items()})
    (found,) = read_records(source, source.entries, None, jobs=1).kernels
    return beyond(source, texts, found)


def beyond(source: MemorySource, texts: dict[str, str], kernel: KernelRegistration) -> tuple[Work, ...]:
    return Beyond(Classes(IncludeTree(frozenset(texts), source.read))).of(kernel)


def test_a_functor_of_the_kernels_device_is_followed_into_its_base() -> None:
    text = """#include "core/f.h"
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override {
    functor::Fill<Device, T> fill;
    int n = functor::Traits<T>::v();
    fill(n);
  }
};
"""
    assert work("AOp<CPUDevice, float>", a_dot_cc=text, f_dot_h=FUNCTORS) == ["functor::Fill core/f.h:4"]


def test_a_static_method_and_what_the_device_code_defines() -> None:
    text = """#include "core/f.h"
class AOp : public OpKernel {
  void Compute(Context* c) override { Run<2>(c); functor::Blur<Device, int>::Compute(1); }
  template <int N> void Run(Context* c) { launch_(c); }
  Launch<Device, float> launch_;
};
"""
    device = "template <typename T>\nstruct Launch<GPUDevice, T> {\n  void operator()(Context* c) { go(c); }\n};\n"
    header = FUNCTORS + "template <typename D, typename T> struct Launch { void operator()(Context* c); };\n"
    given = {"a_dot_cc": text, "f_dot_h": header, "a_gpu_dot_cu_dot_cc": device}
    assert work("AOp", "GPU", **given) == ["functor::Blur::Compute core/f.h:6", "Launch core/a_gpu.cu.cc:3"]
    assert work("AOp", "CPU", **given) == ["functor::Blur::Compute core/f.h:6"]


@pytest.mark.parametrize(("device", "given"), [("CPU", "CPUDevice"), ("DEFAULT", "CPUDevice"), ("GPU", "GPUDevice")])
def test_the_name_that_a_body_gives_to_a_functor_is_looked_up(device: str, given: str) -> None:
    text = """#include "core/f.h"
template <typename Device, typename R> struct Reduce { static void Do(int x) { x--; } };
template <typename R> struct Reduce<CPUDevice, R> { static void Do(int x) { x++; } };
template <typename Device, typename R> class AOp : public OpKernel {
  void Compute(Context* c) override {
    typedef functor::Reduce<Device, R> Functor;
    Functor::Do(c->size());
  }
};
"""
    line = {"CPUDevice": 3, "GPUDevice": 2}[given]
    assert work(f"AOp<{given}, Sum>", device, a_dot_cc=text) == [f"functor::Reduce::Do core/a.cc:{line}"]


def test_a_method_of_a_variable_whose_type_is_for_the_device() -> None:
    text = """#include "core/f.h"
template <typename Device, typename T> struct Launch;
template <typename T> struct Launch<CPUDevice, T> {
  Launch(int n) : n_(n) {}
  void launch(Context* c) { c->go(n_); }
};
template <typename T> struct Launch<GPUDevice, T> {
  void launch(Context* c) { c->start(); }
};
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override {
    Launch<Device, T> launcher(size_);
    Shape<T> shape(size_);
    shape.launch(c);
    launcher.launch(c);
  }
};
"""
    assert work("AOp<CPUDevice, float>", a_dot_cc=text, f_dot_h=FUNCTORS) == ["Launch::launch core/a.cc:5"]
    assert work("AOp<GPUDevice, float>", "GPU", a_dot_cc=text, f_dot_h=FUNCTORS) == ["Launch::launch core/a.cc:8"]


def test_a_method_of_the_kernels_own_specialisation_is_followed_and_of_no_other() -> None:
    text = """#include "core/f.h"
template <typename T, typename C> class Unary : public OpKernel {
  void Compute(Context* c) override { static_cast<C*>(this)->Operate(c); }
};
template <typename Device> class AOp<Device, qint8> : public Unary<qint8, AOp<Device, qint8>> {
  void Operate(Context* c) { eights(c); }
};
template <typename Device, typename T> class AOp : public Unary<T, AOp<Device, T>> {
  void Operate(Context* c) { functor::Fill<Device, T>()(c); }
};
"""
    given = {"a_dot_cc": text, "f_dot_h": FUNCTORS}
    assert work("AOp<CPUDevice, float>", **given) == ["AOp::Operate core/a.cc:9", "functor::Fill core/f.h:4"]
    assert work("AOp<CPUDevice, qint8>", **given) == ["AOp::Operate core/a.cc:6"]


def test_what_only_a_macro_beside_the_kernels_own_has_compiled_is_not_told() -> None:
    text = """#include "core/f.h"
#ifdef GOOGLE_CUDA
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override {
#ifdef USE_LIBXSMM
    functor::Blur<Device, T>::Compute(1);
#else
    functor::Fill<Device, T>()(c);
#endif
#if GOOGLE_CUDA
    functor::Uniform<T>()(c);
#endif
  }
};
"""
    found = work("AOp<CPUDevice, float>", a_dot_cc=text + "#endif", f_dot_h=FUNCTORS)
    assert [each.partition(" ")[0] for each in found] == ["functor::Fill", "functor::Uniform"]


def test_a_specialisation_for_another_type_is_not_taken() -> None:
    text = """#include "core/l.h"
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override { Launch<Device, T>()(c); }
};
"""
    header = """template <typename D, typename T> struct Launch;
template <> struct Launch<GPUDevice, int32> { void operator()(Context* c) { no(c); } };
template <typename T>
void Launch<GPUDevice, T>::operator()(Context* c) { yes(c); }
template <typename T> void Launch<Eigen::ThreadPoolDevice, T>::operator()(Context* c) { yes(c); }
"""
    given = {"a_dot_cc": text, "l_dot_h": header}
    assert work("AOp<GPUDevice, Eigen::half>", "GPU", **given) == ["Launch core/l.h:4"]
    assert work("AOp<GPUDevice, ::tensorflow::int32>", "GPU", **given) == ["Launch core/l.h:2"]
    assert work("AOp<CPUDevice, float>", **given) == ["Launch core/l.h:5"]
    given["l_dot_h"] += "template <> struct Launch<CPUDevice, std::complex<float>> { void operator()(C* c) { a(c); } };"
    assert work("AOp<CPUDevice, complex64>", **given) == ["Launch core/l.h:6"]
    assert work("AOp<CPUDevice, std::complex<float>>", **given) == ["Launch core/l.h:6"]
    assert work("AOp<CPUDevice, complex128>", **given) == ["Launch core/l.h:5"]


def test_a_shared_base_calls_the_methods_of_the_kernels_own_class() -> None:
    base = """
class Base : public OpKernel {
  void Compute(Context* c) override { if (IsReal()) Work(c); c->Other(); static_cast<T*>(this)->Last(); }
  void Helper() {}
};
"""
    text = """#include "core/base.h"
class AOp : public Base {
  bool IsReal() override { return true; }
  void Work(Context* c) override;
  void Other() {}
  void Last() { x = 1; }
};
void AOp::Work(Context* c) { c->set(1); }
"""
    assert work("AOp", a_dot_cc=text, base_dot_h=base) == ["AOp::Work core/a.cc:8", "AOp::Last core/a.cc:6"]


def test_a_dataset_works_in_its_iterators() -> None:
    base = "class DatasetOpKernel : public OpKernel { void Compute(Context* c) final { MakeDataset(c, &made); } };\n"
    text = """#include "core/base.h"
class OtherOp : public DatasetOpKernel {
  class Dataset { class Iterator { Status GetNextInternal(int n) { return other(n); } }; };
};
class AOp : public DatasetOpKernel { void MakeDataset(Context* c, Made* made) override; class Dataset; };
class AOp::Dataset : public DatasetBase {
  class Iterator : public DatasetIterator<Dataset> {
    Status GetNextInternal(int n) override { return next(n); }
  };
};
void AOp::MakeDataset(Context* c, Made* made) { *made = new Dataset(c); }
"""
    assert work("AOp", a_dot_cc=text, base_dot_h=base) == [
        "AOp::MakeDataset core/a.cc:11",
        "AOp::Dataset::Iterator::GetNextInternal core/a.cc:8",
    ]


def test_functors_that_the_registration_gives() -> None:
    text = """#include "core/f.h"
template <typename Device, typename F> class UnaryOp : public OpKernel {
  void Compute(Context* c) override { run(c); }
};
"""
    given = {"a_dot_cc": text, "f_dot_h": FUNCTORS}
    assert work("UnaryOp<CPUDevice, functor::abs<Eigen::half>>", **given) == ["functor::abs core/f.h:7"]
    assert work("UnaryOp<CPUDevice, Eigen::internal::SumReducer<float>>", **given) == ["Eigen::internal::SumReducer "]
    assert work("UnaryOp<CPUDevice, ::tensorflow::uint64>", **given) == []
    assert work("UnaryOp<CPUDevice, functor::Uniform<Gen, float>>", **given) == ["functor::Uniform core/f.h:10"]
    assert work("UnaryOp<CPUDevice, functor::Uniform<Gen, double>>", **given) == []


def test_a_resource_is_no_functor_where_only_a_handle_of_it_is_made() -> None:
    text = """#include "core/r.h"
class Counter : public Counting { int next() { return 1; } };
template <typename T> class HandleOp : public OpKernel {
  void Compute(Context* c) override { c->set(MakeHandle<T>(c, name_)); }
};
template <typename R> class MakerOp : public OpKernel {
  void Compute(Context* c) override { c->set(new R(c)); }
};
template <typename R> class CallerOp : public OpKernel {
  void Compute(Context* c) override { R::Run(c); }
};
struct Chooser { int operator()(int x) { return x; } };
"""
    given = {"a_dot_cc": text, "r_dot_h": "class Counting : public ResourceBase { virtual int next() = 0; };"}
    assert work("HandleOp<Counter>", **given) == []
    assert work("HandleOp<Chooser>", **given) == ["Chooser core/a.cc:12"]
    assert "Counter core/a.cc:2" in work("MakerOp<Counter>", **given)
    assert "Counter core/a.cc:2" in work("CallerOp<Counter>", **given)


def test_what_a_handle_is_made_of_is_no_functor_though_no_base_says_so() -> None:
    text = """class Pantry { int take() { return 1; } };
template <typename R> class StubOp : public OpKernel {
  void Compute(Context* c) override { c->set(MakeResourceHandle<R>(c, "", "stub")); }
};
template <typename R> class KeptOp : public OpKernel {
  void Compute(Context* c) override { c->set(MakeResourceHandle<R>(c, "", "kept")); c->keep(new R(c)); }
};
template <typename R> class OtherOp : public OpKernel {
  void Compute(Context* c) override { c->set(MakeResourceHandle<Shelf>(c, "", "other")); Do<R>(c); }
};
"""
    assert work("StubOp<Pantry>", a_dot_cc=text) == []
    assert "Pantry core/a.cc:1" in work("KeptOp<Pantry>", a_dot_cc=text)
    assert "Pantry core/a.cc:1" in work("OtherOp<Pantry>", a_dot_cc=text)


def test_the_compute_of_a_class_is_never_that_of_a_namesake_elsewhere() -> None:
    files = {
        "core/a.cc": "template <class T> class ArgOp : public OpKernel { void Compute(C* c) override { f(c); } };\n"
        'class MaxOp : public ArgOp<int> {};\nREGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), MaxOp);\n',
        "core/b.h": "class ArgOp : public OpKernel { void Compute(C* c) override; };\n",
        "core/b.cc": '#include "core/b.h"\nvoid ArgOp::Compute(C* c) { g(c); }\n'
        'REGISTER_KERNEL_BUILDER(Name("B").Device(DEVICE_CPU), ArgOp);\n',
    }
    source = MemorySource({path: text.encode() for path, text in files.items()})
    found = read_records(source, source.entries, None, jobs=1).kernels
    assert {each.op: each.compute.short for each in found if each.compute} == {"A": "core/a.cc:1", "B": "core/b.cc:2"}
    assert {each.compute_method for each in found} == {"Compute"}


def test_the_method_that_computes_is_named() -> None:
    text = """class AOp : public AsyncOpKernel { void ComputeAsync(C* c, D done) override { f(c); } };
REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp);
"""
    source = MemorySource({"core/a.cc": text.encode()})
    (found,) = read_records(source, source.entries, None, jobs=1).kernels
    assert found.compute_method == "ComputeAsync"


def test_what_a_base_leaves_to_the_kernel_comes_before_what_it_only_may_define() -> None:
    text = """#include "core/b.h"
class AOp : public Linear<float> {
  Shapes OutputShapes(const Shapes& given) const final { return Shapes({made(given)}); }
  void ComputeMatrix(Context* c) final { solve(c); }
};
"""
    base = """template <class T> class Linear : public OpKernel {
  void Compute(Context* c) override { out = OutputShapes(in); ComputeMatrix(c); }
 protected:
  virtual Shapes OutputShapes(const Shapes& given) const { return Shapes({given[0]}); }
  virtual void ComputeMatrix(Context* c) = 0;
};
"""
    assert work("AOp", a_dot_cc=text, b_dot_h=base) == [
        "AOp::ComputeMatrix core/a.cc:4",
        "AOp::OutputShapes core/a.cc:3",
    ]


def test_a_method_is_not_that_of_a_class_of_another_file() -> None:
    """XLA has a TransposeOp of its own; what core defines outside of its one is not seen from there."""
    texts = {
        "core/t.h": "class TOp : public OpKernel {\n  void Compute(Context* c) override;\n};\n",
        "core/t.cc": '#include "core/t.h"\n\nvoid TOp::Compute(Context* c) { run(c); }\n'
        'REGISTER_KERNEL_BUILDER(Name("T").Device(DEVICE_CPU), TOp);\n',
        "xla/t.cc": "class TOp : public XlaOpKernel {\n  void Compile(Context* c) override { go(c); }\n};\n"
        'REGISTER_XLA_OP(Name("T"), TOp);\n',
    }
    source = MemorySource({path: text.encode() for path, text in texts.items()})
    found = {each.device: each.compute for each in read_records(source, source.entries, None, jobs=1).kernels}
    assert (str(found["CPU"]), str(found["XLA"])) == ("core/t.cc:3", "xla/t.cc:2")


def test_a_branch_that_the_registration_decides_against_is_not_followed() -> None:
    base = """class Base : public OpKernel {
  void Compute(Context* c) override { if (IsReal()) c->check(); Work(c); }
  virtual bool IsReal() const = 0;
  virtual void Work(Context* c) = 0;
};
"""
    text = """#include "core/base.h"
template <bool Forward, bool Real>
class AOp : public Base {
  bool IsReal() const override { return Real; }
  bool IsForward() const { return Forward; }
  void Work(Context* c) override {
    if (!IsReal()) { c->plain(); } else if (IsForward()) { There(c); } else { Back(c); }
    if constexpr (Forward) There(c);
    if (big) Big(c);
  }
  void There(Context* c) { go(c); }
  void Back(Context* c) { come(c); }
  void Big(Context* c) { grow(c); }
};
"""
    given = {"a_dot_cc": text, "base_dot_h": base}
    assert work("AOp<false, false>", **given) == ["AOp::Work core/a.cc:6", "AOp::Big core/a.cc:13"]
    there = ["AOp::Work core/a.cc:6", "AOp::There core/a.cc:11", "AOp::Big core/a.cc:13"]
    assert sorted(work("AOp<true, true>", **given)) == sorted(there)
    assert "AOp::Back core/a.cc:12" in work("AOp<false, true>", **given)


def test_what_only_another_device_comes_to_is_not_followed() -> None:
    names = ["OnGpu", "Plain", "Either", "OnCpu", "Later"]
    functor = "template <typename Device, typename T> struct {} {{ void operator()(Context* c) {{ go(c); }} }};\n"
    text = f"""namespace functor {{ {"".join(map(functor.format, names))} }}
template <typename Device, typename T>
class AOp : public OpKernel {{
  void Compute(Context* c) override {{
    bool on_gpu = std::is_same<Device, GPUDevice>::value && wide(c);
    if (on_gpu && big) {{ functor::OnGpu<Device, T>()(c); return; }}
    if (!on_gpu) {{ functor::Plain<Device, T>()(c); }}
    bool either = std::is_same<Device, GPUDevice>::value || big;
    if (either) functor::Either<Device, T>()(c);
    if constexpr (std::is_same_v<Device, CPUDevice>) functor::OnCpu<Device, T>()(c);
    bool later = std::is_same<Device, GPUDevice>::value;
    later = big;
    if (later) functor::Later<Device, T>()(c);
  }}
}};
"""

    def told(device: str) -> list[str]:
        found = work(f"AOp<{device}Device, float>", device, a_dot_cc=text)
        return [each.split()[0].removeprefix("functor::") for each in found]

    assert told("CPU") == ["Plain", "Either", "OnCpu", "Later"]
    assert told("GPU") == ["OnGpu", "Plain", "Either", "Later"]


def test_functors_come_in_the_order_of_their_first_calls_and_those_of_a_fixed_type_only_alone() -> None:
    text = """#include "core/f.h"
template <typename Device, typename F> class AOp : public OpKernel {
  void Compute(Context* c) override {
    if (same) { functor::Each<Device, F, 1>()(c); return; }
    functor::Fill<Device, bool>()(c);
    functor::Other<Device, typename F::type>()(c);
    functor::Each<Device, F, 2>()(c);
  }
};
template <typename Device> class BOp : public OpKernel {
  void Compute(Context* c) override { functor::Fill<Device, bool>()(c); }
};
"""
    header = """namespace functor {
template <typename Device, typename T> struct Fill { void operator()(int x) { fill(x); } };
template <typename Device, typename F, int N> struct Each { void operator()(int x) { each(x); } };
template <typename Device, typename T> struct Other { void operator()(int x) { other(x); } };
}
"""
    given = {"a_dot_cc": text, "f_dot_h": header}
    assert work("AOp<CPUDevice, int>", **given) == ["functor::Each core/f.h:3", "functor::Other core/f.h:4"]
    assert work("BOp<CPUDevice>", **given) == ["functor::Fill core/f.h:2"]


def test_what_compute_calls_is_told_apart_from_what_that_calls() -> None:
    base = """class Base : public OpKernel {
  void Compute(Context* c) override { Check(c); functor::Fill<Device, int>()(c); Helper(c); }
  virtual void Check(Context* c) = 0;
  void Helper(Context* c) { Work(c); }
};
"""
    text = """#include "core/base.h"
#include "core/f.h"
class AOp : public Base {
  void Check(Context* c) override { c->ok(); }
  void Work(Context* c) { functor::Blur<Device, int>::Compute(1); }
};
"""
    found = made_for("AOp", a_dot_cc=text, base_dot_h=base, f_dot_h=FUNCTORS)
    assert {each.name: each.depth for each in found} == {
        "AOp::Check": 1,
        "AOp::Work": 1,
        "functor::Fill": 1,
        "functor::Blur::Compute": 2,
    }


@pytest.mark.parametrize("chain", ["if (known) a(); " + "else if (x) b(); " * 5000, "if (known) " * 5000 + "a();"])
def test_a_chain_of_tests_that_is_too_long_is_left_whole(chain: str) -> None:
    tokens = list(tokenize(chain))
    assert running(tokens, lambda name, _called: True if name == "known" else None) == tokens


def test_a_method_of_what_is_made_at_once() -> None:
    text = """class AOp : OpKernel {
  void Compute(Context* c) { functor::Do<Device, T>().Left(c); }
};
"""
    functor = """namespace functor {
template <class T> struct Do<CPUDevice, T> {
  void operator()(Context* c) { no(c); }
  void Left(Context* c) { yes(c); }
};
}
"""
    assert work("AOp<CPUDevice, float>", "CPU", a_dot_cc='#include "core/f.h"\n' + text, f_dot_h=functor) == [
        "functor::Do::Left core/f.h:4"
    ]


def test_a_macro_of_the_file_is_what_it_stands_for() -> None:
    text = """#include "core/f.h"
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override {
#define CASE(N) \\
    case N: { functor::Fill<Device, T> fill; fill(N); break; }
    switch (c->dims()) { CASE(1); CASE(2); }
#undef CASE
    CASE(3);
  }
};
#define CASE(N) functor::Blur<Device, T>::Compute(N)
"""
    assert work("AOp<CPUDevice, float>", a_dot_cc=text, f_dot_h=FUNCTORS) == ["functor::Fill core/f.h:4"]


def test_a_value_of_an_enumeration_may_be_written_without_its_name() -> None:
    text = """#include "core/u.h"
template <typename Device, typename T, UpdateType OP> class AOp : public OpKernel {
  void Compute(Context* c) override { functor::Update<Device, T, OP> update; update(c); }
};
"""
    header = """enum UpdateType { ADD, SUB };
template <typename Device, typename T, UpdateType OP> struct Update { void operator()(Context* c); };
template <typename T> struct Update<CPUDevice, T, ADD> { void operator()(Context* c) { add(c); } };
template <typename T> struct Update<CPUDevice, T, SUB> { void operator()(Context* c) { sub(c); } };
"""
    given = {"a_dot_cc": text, "u_dot_h": header}
    assert work("AOp<CPUDevice, float, UpdateType::SUB>", **given) == ["functor::Update core/u.h:4"]


def test_functions_that_are_given_the_device_are_followed() -> None:
    text = """#include "core/a_cases.h"
#include "core/f.h"
#include "core/helpers.h"
namespace functor { template <typename Device> void DoCopy(const Device& d) { copy(d); } }
template <typename Device, typename T> void CheckAll(Context* c) { look(c); }
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override {
    CheckAll<Device, T>(c);
    Help<Device, T>(c);
    HandleCase<Device, T, 2>(c);
    Other(c);
    return ::functor::DoCopy(c->device());
  }
};
"""
    cases = """
template <typename D, typename V, int N>
void HandleCase(Context* c) { functor::Fill<D, V>()(N); HandleCase<D, V, N>(c); }
"""
    helpers = "template <typename Device, typename T> void Help(Context* c) { help(c); }\nvoid Other(int c) { c++; }\n"
    given = {"a_dot_cc": text, "a_cases_dot_h": cases, "f_dot_h": FUNCTORS, "helpers_dot_h": helpers}
    expected = ["HandleCase core/a_cases.h:3", "functor::Fill core/f.h:4", "functor::DoCopy core/a.cc:4"]
    assert work("AOp<CPUDevice, float>", **given) == expected


def test_files_that_are_named_after_the_kernels_are_looked_into() -> None:
    text = """#include "core/f.h"
namespace functor { template <typename Device, typename T> struct Slice { void operator()(Context* c); }; }
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override { functor::Slice<Device, T>()(c); }
};
"""
    cpu = "template <typename T> struct Slice<CPUDevice, T> { void operator()(Context* c) { slow(c); } };\n"
    gpu = "template <typename Device> struct Slice<Device, float> { void operator()(Context* c) { fast(c); } };\n"
    given = {"a_dot_cc": text, "f_dot_h": FUNCTORS, "a_cpu_impl_dot_h": cpu, "a_gpu_dot_cu_dot_cc": gpu}
    assert work("AOp<CPUDevice, float>", **given) == ["functor::Slice core/a_cpu_impl.h:1"]
    assert work("AOp<GPUDevice, float>", "GPU", **given) == ["functor::Slice core/a_gpu.cu.cc:1"]


def test_a_functor_that_a_class_gives_to_its_base() -> None:
    text = """#include "core/f.h"
template <typename Device, typename T, typename F> class BaseOp : public OpKernel {
  void Compute(Context* c) override { F()(c); }
};
template <typename D, typename T> class AOp : public BaseOp<D, T, functor::Fill<D, T> > {};
"""
    assert work("AOp<CPUDevice, float>", a_dot_cc=text, f_dot_h=FUNCTORS) == ["functor::Fill core/f.h:5"]


def test_a_function_that_is_named_after_the_device() -> None:
    text = """#include "core/lib.h"
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override { ConcatGPU<T>(c); ConcatCPU<T>(c); }
};
"""
    header = "template <typename T> void ConcatCPU(Context* c);\ntemplate <typename T> void ConcatGPU(Context* c);\n"
    cpu = "template <typename T> void ConcatCPU(Context* c) { slow(c); }\n"
    gpu = "\ntemplate <typename T> void ConcatGPU(Context* c) { fast(c); }\n"
    given = {"a_dot_cc": text, "lib_dot_h": header, "lib_cpu_dot_cc": cpu, "lib_gpu_dot_cc": gpu}
    assert work("AOp<CPUDevice, float>", **given) == ["ConcatCPU core/lib_cpu.cc:1"]
    assert work("AOp<GPUDevice, float>", "GPU", **given) == ["ConcatGPU core/lib_gpu.cc:2"]


def test_of_overloads_the_one_that_others_hand_on_to() -> None:
    text = """#include "core/f.h"
template <typename D, typename T> void Handle(Context* c, int n) { functor::Fill<D, T>()(n); }
template <typename D, typename T> void Handle(Context* c) { Handle<D, T>(c, 1); }
template <typename Device, typename T> class AOp : public OpKernel {
  void Compute(Context* c) override { Handle<Device, T>(c); }
};
"""
    expected = ["Handle core/a.cc:2", "functor::Fill core/f.h:4"]
    assert work("AOp<CPUDevice, float>", a_dot_cc=text, f_dot_h=FUNCTORS) == expected
