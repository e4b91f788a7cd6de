"""Which ``.cu.cc`` files hold the device code of a kernel for GPUs."""

from __future__ import annotations

import pytest

from tests.ops.tensorflow.small_cpp import records


def test_the_device_files_of_a_gpu_kernel() -> None:
    text = (
        "class AOp : OpKernel { void Compute(C* c) { functor::Shuffle<GPUDevice, T>()(c); } };\n"
        'REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_GPU), AOp);'
    )
    found = records(
        text,
        a_gpu_dot_cu_dot_cc="template struct functor::Shuffle<GPUDevice, float>;",
        b_gpu_dot_cu_dot_cc="template struct functor::Other<GPUDevice, float>;",
    )
    assert [each.device_files for each in found.kernels] == [("core/a_gpu.cu.cc",)]


def test_the_device_files_of_a_kernel_that_says_what_its_template_computes() -> None:
    text = (
        "class Unary : OpKernel { void Compute(C* c) { functor::UnaryFunctor<GPUDevice, F>()(c); } };\n"
        'REGISTER_KERNEL_BUILDER(Name("Cos").Device(DEVICE_GPU), Unary<GPUDevice, functor::cos<float>>);\n'
        'REGISTER_KERNEL_BUILDER(Name("Not").Device(DEVICE_GPU), Unary<GPUDevice, functor::logical_not>);\n'
        'REGISTER_KERNEL_BUILDER(Name("Sin").Device(DEVICE_GPU), Unary<GPUDevice, functor::sin<float>>);'
    )
    found = records(
        text,
        a_gpu_dot_cu_dot_cc="DEFINE_UNARY2(cos, float, double);",
        b_gpu_dot_cu_dot_cc="template struct UnaryFunctor<GPUDevice, functor::logical_not, 1>;",
    )
    assert [each.device_files for each in found.kernels] == [("core/a_gpu.cu.cc",), ("core/b_gpu.cu.cc",), ()]


def test_a_kernel_has_no_device_files_of_the_classes_beside_it() -> None:
    text = (
        "template <class Device> struct Maker { void run(C* c) { functor::Shuffle<GPUDevice, T>()(c); } };\n"
        "template <class Device> class BOp : OpKernel { void Compute(C* c) { functor::Other<Device, T>()(c); } };\n"
        "class AOp : OpKernel { void Compute(C* c) {} };\n"
        "class MadeOp : OpKernel { void Compute(C* c); };\n"
        "void MadeOp::Compute(C* c) { Maker<D>().run(c); }\n"
        'REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_GPU), AOp);\n'
        'REGISTER_KERNEL_BUILDER(Name("M").Device(DEVICE_GPU), MadeOp);\n'
        'REGISTER_KERNEL_BUILDER(Name("B").Device(DEVICE_GPU), BOp<GPUDevice>);\n'
        "class COp : OpKernel { void Compute(C* c) { functor::Unary<GPUDevice, functor::conj<T>> conj; conj(c); } };\n"
        'REGISTER_KERNEL_BUILDER(Name("C").Device(DEVICE_GPU), COp);\n'
        'REGISTER_KERNEL_BUILDER(Name("B").Device(DEVICE_GPU).HostMemory("x"), BOp<CPUDevice>);'
    )
    found = records(
        text,
        a_gpu_dot_cu_dot_cc="template struct functor::Shuffle<GPUDevice, float>;",
        b_gpu_dot_cu_dot_cc="template struct functor::Other<GPUDevice, float>;",
        c_gpu_dot_cu_dot_cc="DEFINE_UNARY1(conj, complex64);",
        d_gpu_dot_cu_dot_cc="template struct functor::Unary<GPUDevice, functor::logical_not, 1>;",
    )
    files = [("core/a_gpu.cu.cc",), ("core/b_gpu.cu.cc",), ("core/c_gpu.cu.cc",)]
    assert [each.device_files for each in found.kernels] == [(), *files, ()]


DEVICE_CODE = {
    "of a function that a header declares": (
        (
            "template <class D, class T> using AOp = Op<D, T, 1>;\n"
            "template <class D, class T, int N> struct Op : OpKernel { void Compute(C* c) { Copy<T>(c); } };\n"
        ),
        {
            "copy.h": "template <class T> void Copy(C* c);\ntemplate <class D> Status Move(const D& d);\n",
            "copy_gpu.cc": '#include "core/copy.h"\nvoid Copy(C* c) { Move(c->device()); }\n',
            "move.cu.cc": '#include "core/copy.h"\nStatus Move(const GPUDevice& d) { return go(d); }\n',
            "other.cu.cc": "Status Move(const GPUDevice& d) { return other(d); }\n",
        },
        ["move.cu.cc"],
    ),
    "of a function that the kernel's file declares": (
        (
            "void Launch(const float* in);\nvoid Twice(const float* in);\n"
            "template <class D, class T> struct AOp : OpKernel {\n"
            "  void Compute(C* c) { Launch(c); Twice(c); Row(c); }\n};\n"
        ),
        {
            "copy.h": "struct Rows { void Row(const float* in); };",
            "row.cu.cc": "void Row(const float* in) { other(in); }\n",
            "a.cu.cc": "void Launch(const float* in) { Kernel<<<1, 2>>>(in); }\n",
            "b.cu.cc": "void Twice(const float* in) { one(in); }\n",
            "c.cu.cc": "void Twice(const float* in) { other(in); }\n",
        },
        ["a.cu.cc"],
    ),
    "that macros make": (
        (
            "#define LAUNCH(D) functor::Shuffle<D, T>()(c)\n"
            "template <class D, class T> struct AOp : OpKernel { void Compute(C* c) { LAUNCH(D); } };\n"
        ),
        {
            "copy.h": "template <class D, class T> struct Shuffle;\n",
            "shuffle.cu.h": "#define MAKE(T) FOR(T, 1)\n#define FOR(T, N) template struct Shuffle<GPUDevice, T, N>\n",
            "a.cu.cc": '#include "core/shuffle.h"\n#include "core/shuffle.cu.h"\nTF_CALL_float(MAKE);\n',
            "b.cu.cc": '#include "core/shuffle.cu.h"\nTF_CALL_half(MAKE);\n',
            "c.cu.cc": '#include "core/shuffle.cu.h"\nvoid f() { Shuffle<GPUDevice, float>()(1); }\n',
            "d.cu.cc": '#include "core/shuffle.cu.h"\nTF_CALL_REAL_NUMBER_TYPES(MAKE);\n',
        },
        ["a.cu.cc", "d.cu.cc"],
    ),
    "of macros that change": (
        (
            "#define CASE(T) functor::Cpu<CPUDevice, T>()(c)\n"
            "struct BOp : OpKernel { void Compute(C* c) { CASE(T); } };\n#undef CASE\n"
            "#define CASE(T) functor::Gpu<GPUDevice, T>()(c)\n"
            "template <class D, class T> struct AOp : OpKernel { void Compute(C* c) { CASE(T); } };\n#undef CASE\n"
            "#define CASE(T) functor::Other<GPUDevice, T>()(c)\n#undef CASE\n"
        ),
        {
            "copy.h": "",
            "gpu.cu.cc": "template struct Gpu<GPUDevice, float>;\n",
            "other.cu.cc": "template struct Other<GPUDevice, float>;\n",
        },
        ["gpu.cu.cc"],
    ),
    "of a header for several values": (
        "template <class D, class T> struct AOp : OpKernel { void Compute(C* c) { functor::Where<D, T>()(c); } };\n",
        {
            "copy.h": "",
            "where.cu.h": "template <class T> struct Where<GPUDevice, T> { void operator()(C* c) {} };\n",
            "where_1.cu.cc": '// One\n#define DIM 1\n#include "core/where.cu.h"\n',
            "more.cu.cc": '#include "core/where.cu.h"\nvoid f() {}\n',
        },
        ["where_1.cu.cc"],
    ),
    "of the class for GPUs": (
        (
            "template <class D, class T> struct AOp : OpKernel { void Compute(C* c) {} };\n"
            "template <class T> struct AOp<CPUDevice, T> : OpKernel { void Compute(C* c) { functor::Cpu<T>()(c); } };\n"
            "template <class T> struct AOp<GPUDevice, T> : OpKernel { void Compute(C* c) { functor::Gpu<T>()(c); } };\n"
        ),
        {
            "copy.h": "",
            "cpu.cu.cc": "template struct Cpu<float>;\n",
            "gpu.cu.cc": "template struct Gpu<float>;\n",
        },
        ["gpu.cu.cc"],
    ),
}


@pytest.mark.parametrize("form", DEVICE_CODE)
def test_device_code(form: str) -> None:
    text, files, expected = DEVICE_CODE[form]
    registration = 'REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_GPU), AOp<GPUDevice, float>);'
    others = {name.replace(".", "_dot_"): body for name, body in files.items()}
    (kernel,) = records(f'#include "core/copy.h"\n{text}{registration}', **others).kernels
    assert kernel.device_files == tuple(f"core/{each}" for each in expected)


@pytest.mark.parametrize("written", ["complex64", "std::complex<float>"])
def test_a_complex_type_has_two_spellings(written: str) -> None:
    text = (
        "template <class D, class T> struct AOp : OpKernel { void Compute(C* c) { functor::Where<D, T>()(c); } };\n"
        f'REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_GPU), AOp<GPUDevice, {written}>);\n'
        'REGISTER_KERNEL_BUILDER(Name("B").Device(DEVICE_GPU), AOp<GPUDevice, float>);\n'
    )
    found = records(
        text,
        a_dot_cu_dot_cc="template struct functor::Where<GPUDevice, std::complex<float>>;\n",
        b_dot_cu_dot_cc="template struct functor::Where<GPUDevice, complex64>;\n",
        c_dot_cu_dot_cc="template struct functor::Where<GPUDevice, float>;\n",
        d_dot_cu_dot_cc="template struct functor::Where<GPUDevice, T>;\nMAKE(float);\nMAKE(std::complex<float>);\n",
        e_dot_cu_dot_cc="template struct functor::Where<GPUDevice, T>;\nMAKE(std::complex<double>);\n",
    )
    names = ["".join(path.removeprefix("core/")[0] for path in each.device_files) for each in found.kernels]
    assert names == ["abd", "cd"]
