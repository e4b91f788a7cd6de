"""The C++ half joined with BUILD files: targets of files, ranks of kernels, and the ways back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.tensorflow.cpp.index import CppIndex
from bzlgraph.ops.tensorflow.tracer import open_tracer
from bzlgraph.ops.tracer import Answer, OpTrace
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files

FILES = {
    "WORKSPACE": "",
    "core/BUILD": 'cc_library(name = "framework", srcs = ["//core/framework:exported.cc"])\n',
    "core/framework/BUILD": 'exports_files(["exported.cc"])\n',
    "core/framework/exported.cc": 'REGISTER_OP("Export");\n',
    "core/kernels/rules.bzl": (
        "def kernel_library(name, prefix):\n"
        '    native.cc_library(name = name, srcs = native.glob([prefix + "*.cc"], exclude = [prefix + "*.cu.cc"]))\n'
        '    native.cc_binary(name = "lib" + name + ".so", srcs = native.glob([prefix + "*.cc"]), linkshared = 1)\n'
    ),
    "core/kernels/BUILD": (
        'load(":rules.bzl", "kernel_library")\n'
        'kernel_library(name = "add_op", prefix = "add")\n'
        'filegroup(name = "mobile_srcs", srcs = ["add_op.cc"])\n'
        'cc_library(name = "mobile", srcs = select({"//core:mobile": [":mobile_srcs"], "//conditions:default": []}))\n'
        'cc_library(name = "mkl", srcs = select({"//core:x86": ["mkl_op.cc"], "//core:arm": ["mkl_op.cc"]}))\n'
    ),
    "core/kernels/add_op.cc": (
        'REGISTER_OP("Add").SetShapeFn(Same);\n'
        "class AddOp : public OpKernel {\n  void Compute(Context* c) override { functor::Add<GPUDevice>()(c); }\n};\n"
        "#if GOOGLE_CUDA\n"
        'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_GPU), AddOp);\n'
        "#endif\n"
        'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_CPU).TypeConstraint<int>("T"), AddOp);\n'
        'REGISTER_GRADIENT_OP("Add", AddGrad);\n'
    ),
    "core/kernels/mkl_op.cc": (
        '#if MKL || DNN\nREGISTER_KERNEL_BUILDER(Name("MklAdd").Device(DEVICE_CPU), MklOp);\n#endif\n'
    ),
    "core/kernels/add_op_gpu.cu.cc": "template struct functor::Add<GPUDevice>;\n",
    "tensorflow/compiler/jit/device.cc": 'REGISTER_KERNEL_BUILDER(Name("Add").Device("A_FIRST"), Passing);\n',
}


def index_of(root: Path, more: Mapping[str, str]) -> CppIndex:
    """Of ``FILES`` and more, or others in their places."""
    write_files(root, {**FILES, **more})
    return CppIndex(Loader(open_workspace(root)))


@pytest.fixture
def index(tmp_path: Path) -> CppIndex:
    return index_of(tmp_path, {})


def test_kernels_are_ranked_and_have_all_their_places(index: CppIndex) -> None:
    cpu, gpu, passing = index.kernels("Add")
    assert (cpu.device, gpu.device, passing.device) == ("CPU", "GPU", "A_FIRST")
    assert (str(cpu.location), str(cpu.compute), cpu.compute_class) == (
        "core/kernels/add_op.cc:8",
        "core/kernels/add_op.cc:3",
        "AddOp",
    )
    assert cpu.constraints == ("T: int",)
    assert gpu.condition == "GOOGLE_CUDA"
    assert (cpu.device_files, gpu.device_files) == ((), ("core/kernels/add_op_gpu.cu.cc",))
    assert (passing.compute, passing.targets) == (None, ())


def test_a_files_library_comes_first_and_its_twin_is_left_out(index: CppIndex) -> None:
    cpu = index.kernels("Add")[0]
    assert cpu.targets == ("//core/kernels:add_op", "//core/kernels:mobile")
    assert cpu.build_condition == ""


def test_every_branch_that_has_a_file_is_its_condition(index: CppIndex) -> None:
    (kernel,) = index.kernels("MklAdd")
    assert kernel.build_condition == "//core:x86 or //core:arm"
    assert kernel.when == "(MKL || DNN) and (//core:x86 or //core:arm)"


def test_an_exported_file_is_built_by_a_package_above(index: CppIndex) -> None:
    (registration,) = index.registrations("Export")
    assert registration.targets == ("//core:framework",)


def test_registrations_and_gradients(index: CppIndex) -> None:
    (registration,) = index.registrations("Add")
    assert str(registration.shape_function) == "core/kernels/add_op.cc:1"
    assert [(each.function, each.location.line) for each in index.gradients("Add")] == [("AddGrad", 9)]
    assert set(index.ops()) == {"Add", "Export"}


def test_the_ways_back(index: CppIndex) -> None:
    assert index.ops_in("core/kernels/add_op.cc") == ("Add",)
    assert index.ops_in("core/kernels/add_op_gpu.cu.cc") == ("Add",)
    assert index.ops_of_class("AddOp") == ("Add",)
    assert index.ops_of_target("//core/kernels:add_op") == ("Add",)
    assert index.ops_of_target("//nowhere:x") == index.ops_of_target("!bad") == index.ops_in("none.cc") == ()
    assert index.gaps() == ()


def test_a_copy_that_nothing_builds_comes_after_what_is_built(tmp_path: Path) -> None:
    text = FILES["core/kernels/add_op.cc"]
    index = index_of(tmp_path, {"ci/builds/add_op.cc": text})
    assert [each.location.path for each in index.registrations("Add")] == [
        "core/kernels/add_op.cc",
        "ci/builds/add_op.cc",
    ]
    assert [(each.device, each.location.path) for each in index.kernels("Add")[:2]] == [
        ("CPU", "core/kernels/add_op.cc"),
        ("GPU", "core/kernels/add_op.cc"),
    ]


def test_the_first_kernel_of_each_device_is_of_what_people_install(index: CppIndex) -> None:
    assert [(each.device, str(each.compute)) for each in index.first_kernels("Add")] == [
        ("CPU", "core/kernels/add_op.cc:3"),
        ("GPU", "core/kernels/add_op.cc:3"),
    ]


def test_a_kernel_that_either_branch_registers_has_no_condition(tmp_path: Path) -> None:
    text = (
        "class AddOp : public OpKernel {\n  void Compute(OpKernelContext* c) override {}\n};\n#ifdef WIDE\n"
        'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_CPU).TypeConstraint<wide>("T"), AddOp);\n#else\n'
        'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_CPU), AddOp);\n#endif\n'
        '#if CUDA\nREGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_GPU), AddOp);\n#endif\n'
    )
    index = index_of(tmp_path, {"core/kernels/add_op.cc": text})
    found = index.first_kernels("Add")
    assert [(each.device, each.condition) for each in found] == [("CPU", ""), ("GPU", "CUDA")]


def test_the_condition_of_a_kernel_is_that_of_all_its_types(tmp_path: Path) -> None:
    made = 'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_GPU).TypeConstraint<{0}>("T"), AddOp<GPUDevice, {0}>);\n'
    text = (
        "class AddOp : public OpKernel {\n  void Compute(OpKernelContext* c) override {}\n};\n"
        "class AnyOp : public OpKernel {\n  void Compute(OpKernelContext* c) override {}\n};\n"
        'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_GPU).TypeConstraint<Variant>("T"), AnyOp);\n'
        f"#if CUDA || ROCM\n#if CUDA\n{made.format('big')}#endif\n{made.format('half')}#endif\n"
    )
    found = index_of(tmp_path, {"core/kernels/add_op.cc": text}).first_kernels("Add")
    assert [(each.kernel_class, each.condition) for each in found] == [("AddOp<GPUDevice, big>", "CUDA || ROCM")]


def test_a_kernel_with_a_label_comes_after_what_is_chosen_without_one(tmp_path: Path) -> None:
    text = (
        "class AOp : public OpKernel {\n  void Compute(OpKernelContext* c) override {}\n};\n"
        "class BOp : public OpKernel {\n  void Compute(OpKernelContext* c) override {}\n};\n"
        'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_GPU).Label("old"), AOp);\n'
        'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_GPU), BOp);\n'
    )
    index = index_of(tmp_path, {"core/kernels/add_op.cc": text})
    assert [each.kernel_class for each in index.first_kernels("Add")] == ["BOp"]
    shown = answer_text(Answer("Add", "tensorflow", stories=(OpTrace("Add", kernels=index.kernels("Add")),)))
    assert [line.split("  ")[1].strip() for line in shown.splitlines() if "kernel GPU" in line] == ["BOp", "AOp"]
    assert "only by its label, old" in shown


def test_an_op_has_a_state_by_its_registration(tmp_path: Path) -> None:
    made = index_of(tmp_path, {"core/kernels/draw_op.cc": 'REGISTER_OP("Draw").Input("x: T").SetIsStateful();\n'})
    assert [made.is_stateful(op) for op in ("Draw", "Add", "Gone")] == [True, False, None]
    assert open_tracer(made.loader, None).side.stateful("Draw")  # which the walk asks


def test_ops_that_a_loop_registers_are_told_by_its_place(tmp_path: Path) -> None:
    loop = 'REGISTER_OP("Fixed");\nvoid All() {\n  for (auto each : kAll) OpRegistry::Global()->Register(each);\n}\n'
    elsewhere = "void Init() { OpRegistry::Global()->Register(lists); }\n"
    for name, content in {"WORKSPACE": "", "ops.cc": loop, "framework.cc": elsewhere}.items():
        (tmp_path / name).write_text(content)
    index = CppIndex(Loader(open_workspace(tmp_path)))
    assert index.registered_at_run_time() == ("ops.cc:3",)
