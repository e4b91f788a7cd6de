"""Registrations in C++, each form in a source written for it: op, device, class, macros on the way, line, condition."""

from __future__ import annotations

import pytest

from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tensorflow.cpp.records import read_records
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.tensorflow.small_cpp import records


def kernels(text: str, **more: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(each.op, each.device, each.kernel_class, each.through) for each in records(text, **more).kernels]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp);', [("A", "CPU", "AOp", ())]),
        (
            (
                'REGISTER_KERNEL_BUILDER(Name("A").Device(tensorflow::DEVICE_GPU).HostMemory("x").TypeConstraint<float>("T"),'
                " (AOp<GPUDevice, std::pair<int, float>>));"
            ),
            [("A", "GPU", "AOp<GPUDevice, std::pair<int, float>>", ())],
        ),
        ('REGISTER_KERNEL_BUILDER(Name("A" "B").Device("MY_DEVICE"), AOp)', [("AB", "MY_DEVICE", "AOp", ())]),
        (
            (
                'static const char* const kName = "Named";\n'
                "REGISTER_KERNEL_BUILDER(Name(kName).Device(DEVICE_DEFAULT), X::Y);"
            ),
            [("Named", "DEFAULT", "X::Y", ())],
        ),
        (  # what a class says its name is, is not a constant of that name
            'const char OpName[] = "Other";\nREGISTER_KERNEL_BUILDER(Name(A::OpName()).Device(DEVICE_CPU), A);',
            [],
        ),
        (
            (
                '#define REGISTER(T) \\\n  REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp<T>);\n'
                "REGISTER(int)\nREGISTER(float);\n#undef REGISTER\nREGISTER(double)"
            ),
            [("A", "CPU", "AOp<int>", ("REGISTER",)), ("A", "CPU", "AOp<float>", ("REGISTER",))],
        ),
        (
            (
                '#include "core/types.h"\n#define R(T) REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp<T>);\n'
                "TF_CALL_FLOATS(R)"
            ),
            [
                ("A", "CPU", "AOp<Eigen::half>", ("TF_CALL_FLOATS", "TF_CALL_half", "R")),
                ("A", "CPU", "AOp<float>", ("TF_CALL_FLOATS", "TF_CALL_float", "R")),
            ],
        ),
        (
            '#include "types.h"\nREGISTER2("A", CPU, AOp, int, float);',
            [
                ("A", "CPU", "AOp<CPUDevice, int>", ("REGISTER2", "REGISTER1")),
                ("A", "CPU", "AOp<CPUDevice, float>", ("REGISTER2", "REGISTER1")),
            ],
        ),
        (
            (
                "#define REGISTER(op, n) REGISTER_KERNEL_BUILDER(Name(#op #n).Device(DEVICE_CPU), op##n##Kernel)\n"
                "REGISTER(Add, V2);"
            ),
            [("AddV2", "CPU", "AddV2Kernel", ("REGISTER",))],
        ),
        (
            (
                '#define R(kind) REGISTER_##kind("A")\n'
                "#define REGISTER_CPU(n) REGISTER_KERNEL_BUILDER(Name(n).Device(DEVICE_CPU), AOp);\nR(CPU)"
            ),
            [("A", "CPU", "AOp", ("R", "REGISTER_CPU"))],
        ),
        (
            '#define R(T) REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp<T>);\n#define ALL R(a) R(b)\nALL',
            [("A", "CPU", "AOp<a>", ("ALL", "R")), ("A", "CPU", "AOp<b>", ("ALL", "R"))],
        ),
        ('REGISTER_XLA_OP(Name("A").TypeConstraint("T", DT_FLOAT), AOp);', [("A", "XLA", "AOp", ())]),
        (
            (
                'void f() { auto* b = TF_NewKernelBuilder("A", tensorflow::DEVICE_CPU, nullptr, &A_Compute, nullptr);\n'
                'TF_RegisterKernelBuilder("AOp", b, status); }'
            ),
            [("A", "CPU", "AOp", ())],
        ),
        ('// REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp);\nconst char* s = "REGISTER_OP(\\"A\\")";', []),
        ("REGISTER_KERNEL_BUILDER(Name(argument).Device(DEVICE_CPU), AOp);", []),
        ("#define REGISTER_KERNEL_BUILDER(a, ...) something(a)\n", []),
    ],
)
def test_each_form_of_a_kernel(text: str, expected: list[tuple[str, str, str, tuple[str, ...]]]) -> None:
    assert kernels(text) == expected


def test_a_kernel_is_shown_where_it_is_invoked() -> None:
    text = '\n#define R(T) \\\n  REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp<T>)\n\nR(int);\nR(float);\n'
    found = records(text).kernels
    assert [str(each.location) for each in found] == ["core/a.cc:5", "core/a.cc:6"]


def test_types_and_labels_are_kept() -> None:
    text = (
        'REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU).Label("fast").TypeConstraint<int>("T")'
        '.TypeConstraint("U", {DT_INT32, DT_HALF}), AOp);'
    )
    (kernel,) = records(text).kernels
    assert kernel.constraints == ("T: int", "U: DT_INT32 | DT_HALF")
    assert kernel.label == "fast"


def test_conditions_are_kept_and_branches_that_cannot_meet_are_none() -> None:
    text = """
#if GOOGLE_CUDA
#define DEVICE DEVICE_GPU
#else
#define DEVICE DEVICE_CPU
#endif
#define R(C) REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE), C);
R(Either)
#ifdef GOOGLE_CUDA
R(OnlyCuda)
#endif
#ifdef IS_MOBILE_PLATFORM
R(Never)
#endif
"""
    found = {(each.kernel_class, each.device, each.condition) for each in records(text).kernels}
    assert ("OnlyCuda", "GPU", "GOOGLE_CUDA") in found
    assert {each for each in found if each[0] == "Either"} == {
        ("Either", "GPU", "GOOGLE_CUDA"),
        ("Either", "CPU", "!GOOGLE_CUDA"),
    }
    assert len(found) == 3


def test_ops_with_their_shape_functions() -> None:
    text = """
REGISTER_OP("A").Input("x: T")
    .SetShapeFn(shape_inference::UnchangedShape);
#define OP(name) REGISTER_OP(#name).SetShapeFn([](C* c) { return c->Done(); })
OP(B);
REGISTER_OP("C");
"""
    found = [(each.op, each.location.line, str(each.shape_function), each.through) for each in records(text).ops]
    assert found == [("A", 2, "core/a.cc:3", ()), ("B", 5, "core/a.cc:4", ("OP",)), ("C", 6, "None", ())]


def test_gradients() -> None:
    text = 'REGISTER_GRADIENT_OP("A", AGrad);\nREGISTER_NO_GRADIENT_OP("B");\nREGISTER_OP_GRADIENT("C", CGrad);'
    found = [(each.op, each.function) for each in records(text).gradients]
    assert found == [("A", "AGrad"), ("B", "none: not differentiable"), ("C", "CGrad")]


COMPUTES = {
    "in the class": (
        "class AOp : public OpKernel {\n void Compute(C* c) override { }\n};",
        "AOp",
        "core/a.cc:2",
        "Compute",
    ),
    "outside of it": (
        (
            "template <class T> class AOp : public OpKernel {\n void Compute(C* c) override;\n};\n"
            "template <class T>\nvoid AOp<T>::Compute(C* c) {\n}"
        ),
        "AOp<int>",
        "core/a.cc:5",
        "Compute",
    ),
    "asynchronous": (
        "struct AOp : AsyncOpKernel {\n\n void ComputeAsync(C* c, D d) override {}\n};",
        "AOp",
        "core/a.cc:3",
        "ComputeAsync",
    ),
    "in a base": (
        "class BOp : public OpKernel {\n void Compute(C* c) {}\n};\nclass AOp : public BOp { };",
        "AOp",
        "core/a.cc:2",
        "Compute",
    ),
    "in a header's base": (
        '#include "core/b.h"\nclass AOp : public ns::Base<int> { };',
        "AOp",
        "core/b.h:3",
        "Compute",
    ),
    "under an alias": (
        "class BOp : public OpKernel {\n void Compute(C* c) {}\n};\nusing AOp = BOp;",
        "AOp",
        "core/a.cc:2",
        "Compute",
    ),
    "under a typedef": (
        "class BOp : public OpKernel {\n void Compute(C* c) {}\n};\ntypedef BOp AOp;",
        "AOp",
        "core/a.cc:2",
        "Compute",
    ),
    "in another file": ('#include "core/b.h"\n', "OutOp<float>", "core/c.cc:2", "Compute"),
    "in a specialisation": (
        (
            "template <class D, class T> struct AOp : OpKernel {\n void Compute(C* c) {}\n};\n"
            "template <class T> struct AOp<GPUDevice, T> : OpKernel {\n void Compute(C* c) {}\n};"
        ),
        "AOp<GPUDevice, int>",
        "core/a.cc:5",
        "Compute",
    ),
    "in a specialisation for a device in another spelling": (
        (
            "template <class D, class T> struct AOp : OpKernel {\n void Compute(C* c) {}\n};\n"
            "template <class T> struct AOp<Eigen::GpuDevice, T> : OpKernel {\n void Compute(C* c) {}\n};"
        ),
        "AOp<GPUDevice, int>",
        "core/a.cc:5",
        "Compute",
    ),
    "in the most special one": (
        (
            "template <class T, class F> struct AOp : OpKernel {\n void Compute(C* c) {}\n};\n"
            "template <class T, class S> struct AOp<T, f::Max<S>> : OpKernel {\n void Compute(C* c) {}\n};\n"
            "template <class S> struct AOp<int64_t, f::Max<S>> : OpKernel {\n void Compute(C* c) {}\n};\n"
            "template <class S> struct AOp<int64_t, f::Min<S>> : OpKernel {\n void Compute(C* c) {}\n};"
        ),
        "AOp<tensorflow::int64, f::Max<float>>",
        "core/a.cc:8",
        "Compute",
    ),
    "in a specialisation, outside of it": (
        (
            "template <class D, class T> struct AOp : OpKernel {\n void Compute(C* c) override;\n};\n"
            "template <class T> struct AOp<CPUDevice, T> : OpKernel {\n void Compute(C* c) override;\n};\n"
            "template <class D, class T> void AOp<D, T>::Compute(C* c) {}\n"
            "template <class T> void AOp<CPUDevice, T>::Compute(C* c) {}"
        ),
        "AOp<Eigen::ThreadPoolDevice, int>",
        "core/a.cc:8",
        "Compute",
    ),
    "in a specialisation of a base": (
        (
            "template <class D, class T> struct BOp : OpKernel {\n void Compute(C* c) {}\n};\n"
            "template <class T> struct BOp<GPUDevice, T> : OpKernel {\n void Compute(C* c) {}\n};\n"
            "template <class D, class T> struct AOp : BOp<D, T> {};"
        ),
        "AOp<GPUDevice, int>",
        "core/a.cc:5",
        "Compute",
    ),
    "made by a macro": (
        (
            "#define MAKE(name) \\\n  class name##Op : public OpKernel { \\\n"
            "   void Compute(C* c) override {} \\\n  };\nMAKE(A)"
        ),
        "AOp",
        "core/a.cc:3",
        "Compute",
    ),
    "of the compiler": (
        "class AOp : public XlaOpKernel { void Compile(X* x) override {} };",
        "AOp",
        "core/a.cc:1",
        "Compile",
    ),
}


@pytest.mark.parametrize("form", COMPUTES)
def test_where_a_kernel_computes(form: str) -> None:
    text, kernel_class, place, method = COMPUTES[form]
    header = (
        "namespace ns { template <class T>\nclass Base : public OpKernel {\n void Compute(C* c) { }\n}; }\n"
        "template <class T> class OutOp : public OpKernel {\n void Compute(C* c) override;\n};\n"
    )
    outside = '#include "core/b.h"\ntemplate <class T> void OutOp<T>::Compute(C* c) {}\n'
    registration = f'\nREGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), {kernel_class});\n'
    found = records(text + registration, b_dot_h=header, c_dot_cc=outside)
    (kernel,) = found.kernels
    assert str(kernel.compute) == place
    assert kernel.compute is not None
    line = {"core/a.cc": text, "core/b.h": header, "core/c.cc": outside}[kernel.compute.path].splitlines()
    assert method in line[kernel.compute.line - 1]


def test_a_kernel_of_the_c_api_names_its_function() -> None:
    text = (
        "static void A_Compute(void* k, TF_OpKernelContext* c) {\n}\n"
        'void f() { TF_NewKernelBuilder("A", "CPU", nullptr, &A_Compute, nullptr); }'
    )
    found = records(text)
    assert [str(each.compute) for each in found.kernels] == ["core/a.cc:1"]


def test_broken_files_are_gaps_and_the_others_are_read() -> None:
    bomb = "#define A0 x x\n" + "\n".join(f"#define A{n} A{n - 1} A{n - 1}" for n in range(1, 40))
    found = records(
        'REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), AOp);',
        binary_dot_cc='REGISTER_OP("B")\0',
        bomb_dot_cc=f'{bomb}\n#define R(x) REGISTER_OP("C") x\nR(A39)',
        unclosed_dot_cc='REGISTER_OP("D"\n#if',
    )
    assert {each.op for each in found.kernels} == {"A"}
    assert sorted(gap.what for gap in found.gaps) == ["core/binary.cc", "core/bomb.cc", "core/unclosed.cc"]


def test_records_are_kept_and_read_again(tmp_path: object) -> None:
    from pathlib import Path

    from bzlgraph.workspace.sources.source import DiskSource

    assert isinstance(tmp_path, Path)
    tree = tmp_path / "tree"
    tree.mkdir()
    file = tree / "a.cc"
    file.write_text('REGISTER_OP("A");\n#define R(x) REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_CPU), x)\nR(AOp);')
    source = DiskSource(tree)
    first = read_records(source, source.entries, tmp_path / "cache", jobs=1)
    assert read_records(source, source.entries, tmp_path / "cache", jobs=1) == first
    assert all(isinstance(each, KernelRegistration) for each in first.kernels)
    file.write_text('REGISTER_OP("Other");')
    assert [each.op for each in read_records(source, source.entries, tmp_path / "cache", jobs=1).ops] == ["Other"]


def test_several_processes_find_what_one_finds() -> None:
    source = MemorySource(
        {f"d{n % 7}/f{n}.cc": f'REGISTER_OP("Op{n}");\nclass K{n} : OpKernel {{ void Compute() {{}} }};\n'
         f'REGISTER_KERNEL_BUILDER(Name("Op{n}").Device(DEVICE_CPU), K{n});'.encode() for n in range(80)}
    )  # fmt: skip
    one, two = (read_records(source, source.entries, None, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert len([each for each in one.kernels if each.compute is not None]) == 80


def test_types_of_attributes_are_kept_whatever_macro_writes_them() -> None:
    text = """
#define UNARY() Input("x: T").Attr("T: {half, " "float}").SetShapeFn([](Context* c) { return c->Same(); })
REGISTER_OP("Abs").UNARY();
REGISTER_OP("Pad").Attr("mode: {'SAME', 'VALID'}").Attr("N: int").Attr("Ts: list(type)").Attr("I: {int32}");
REGISTER_XLA_OP(Name("Pad").AllowResourceTypes().AllowStringType(), PadOp);
"""
    found = records(text)
    types = {each.op: (each.type_attributes, str(each.shape_function)) for each in found.ops}
    assert types == {"Abs": (("T: {half, float}",), "core/a.cc:2"), "Pad": (("Ts: list(type)", "I: {int32}"), "None")}
    assert [each.allows for each in found.kernels] == [("resource", "string")]


def test_types_of_an_op_of_the_c_api() -> None:
    text = """
void Register() {
  TF_OpDefinitionBuilder* builder = TF_NewOpDefinitionBuilder("Bits");
  TF_OpDefinitionBuilderAddInput(builder, "input: T");
  TF_OpDefinitionBuilderAddAttr(builder, "T: {half, "
                                "float}");
  TF_RegisterOpDefinition(builder, status);
}
"""
    (op,) = records(text).ops
    assert op.type_attributes == ("T: {half, float}",)


def test_ops_that_take_nothing_are_told_apart() -> None:
    text = '#define ONE() Input("x: T")\nREGISTER_OP("Abs").ONE();\nREGISTER_OP("Now").Output("ts: double");\n'
    assert {each.op: each.without_input for each in records(text).ops} == {"Abs": False, "Now": True}


def test_ops_with_a_state_are_told_apart() -> None:
    text = '#define LATE() SetIsStateful()\nREGISTER_OP("Abs");\nREGISTER_OP("Draw").LATE();\n'
    text += 'REGISTER_OP("Now").Output("ts: double").SetIsStateful();\n'
    assert {each.op: each.stateful for each in records(text).ops} == {"Abs": False, "Draw": True, "Now": True}


@pytest.mark.parametrize("end", ["REGISTER_KERNEL_BUILDER(", 'REGISTER_OP("B"', 'MINE("B"'])
def test_what_is_cut_off_is_a_gap_and_the_rest_is_read(end: str) -> None:
    found = records(f'#define MINE(name) REGISTER_OP(name)\nREGISTER_OP("A");\n{end}')
    assert "A" in [each.op for each in found.ops]
    (gap,) = found.gaps
    assert "is never closed" in gap.hides
    assert gap.location is not None
    assert gap.location.line == 3


SHIM = """\
template <Runtime Rt> class AddOp : public OpKernelShim<AddOp, Rt> {
  static constexpr char kOpName[] = "Text>Add";
  static const char* OpName() { return kOpName; }
};
template <Runtime Rt> class SubOp : public OpKernelShim<SubOp, Rt> {
  static const char kOpName[];
};
template <Runtime Rt> const char SubOp<Rt>::kOpName[] = "Sub";
class AddKernel : public tflite::shim::TfOpKernel<AddOp> {};
template <typename T> class SubKernel : public tflite::shim::TfOpKernel<SubOp, T> {};
using SubInstance = SubKernel<int32_t>;
"""


def test_ops_of_the_shim_are_named_by_the_class_that_does_the_work() -> None:
    """As tensorflow/text has them for TensorFlow and TFLite."""
    text = """\
#include "core/shim.h"
REGISTER_TF_OP_SHIM(text::AddKernel);
REGISTER_TF_OP_SHIM(SubKernel<float>);
REGISTER_TF_OP_SHIM(Unknown);
REGISTER_TF_OP_SHIM("Old", SubKernel<float>);
REGISTER_KERNEL_BUILDER(Name(AddKernel::OpName()).Device(DEVICE_CPU), AddKernel);
REGISTER_KERNEL_BUILDER(Name(SubInstance::OpName()).Device(DEVICE_CPU), SubKernel<float>);
"""
    found = records(text, shim_dot_h=SHIM)
    assert [(each.op, each.location.line) for each in found.ops] == [("Text>Add", 2), ("Sub", 3), ("Old", 5)]
    assert [(each.op, each.kernel_class) for each in found.kernels] == [
        ("Text>Add", "AddKernel"), ("Sub", "SubKernel<float>"),
    ]  # fmt: skip
