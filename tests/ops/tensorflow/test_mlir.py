"""What MLIR does of a kernel's work: templates of which its code is generated, patterns that rewrite its op for XLA."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.tensorflow.cpp.index import CppIndex
from bzlgraph.ops.tensorflow.mlir_patterns import patterns_in
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files

TD = """
// def : Pat<(TF_HiddenOp $x), (Out $x)>;
class SamePat<Op from> : Pat<(from $l, $r), (Out $l, (TF_ConstOp))>;
def : SamePat<TF_EqualOp, TF_OtherOp>;
def LowerHalf : Pat<
  (TF_HalfOp (TF_InnerOp $x)),
  [(TF_MadeOp $x), (TF_MulOp $x)]>;
foreach Pair = [[TF_AbsOp, Out_AbsOp],
                [TF_CosOp, TF_SinOp]] in
  def : Pat<(Pair[0] $x), (Pair[1] $x)>;
foreach Same = [TF_IdentityOp, TF_StopOp, ] in
  def : Pat<(Same $x), (replace $x)>;
"""
CPP = """
class ConvertSumOp : public OpRewritePattern<TF::SumOp> {
  void run() { create<TF::MadeOp>(); }
};
template <typename Op, int n>
class ConvertPool : public OpRewritePattern<Op> {};
using ConvertPool2D =
    ConvertPool<TF::PoolOp, 2>;
class ConvertMean : public Reduction<ConvertMean, TF::MeanOp, mhlo::AddOp> {};
class ConvertPair : public Base<TF::LeftOp, TF::RightOp> {};
class LowerPack : public RewritePattern {
  LowerPack(Context* c)
      : RewritePattern(PackOp::getOperationName(), 1, c) {}
};
class LowerOwn : public OpRewritePattern<OwnOp> {};
void Fill(Set* all) { all->add<ConvertSumOp, ConvertPool<TF::Pool3DOp, 3>>(); isa<TF::AskedOp>(op); }
"""
BASE = """
#define FUNCTION(op, platform, type) _mlir_ciface_##op##_##platform##_##type##_##type
#define GENERATE(op, platform, type)                                              \\
  extern "C" void FUNCTION(op, platform, type)(int * x);                          \\
  class Mlir##op##platform##type##Op : public MLIROpKernel {                      \\
    int Invoke(int* x) override { FUNCTION(op, platform, type)(x); return 0; }    \\
  };                                                                              \\
  REGISTER_KERNEL_BUILDER(Name(#op).Device(DEVICE_##platform), Mlir##op##platform##type##Op);
class MLIROpKernel : public OpKernel {
  void Compute(OpKernelContext* c) override { Invoke(0); }
  virtual int Invoke(int* x) = 0;
};
"""
RULES = """
def _fill_in(ctx): pass
fill_in = rule(_fill_in, attrs = {
    "template": attr.label(allow_single_file = True), "platform": attr.string(), "out": attr.output(),
})
def kernels(name, op, platform):
    made = op + "_" + platform
    fill_in(name = "fill_" + made, template = "defs/" + op + ".mlir.tmpl", platform = platform, out = made + ".mlir")
    native.genrule(name = made + "_o", srcs = [made + ".mlir"], outs = [made + ".o"], cmd = "compile")
    native.cc_library(name = name, srcs = [made + ".o"])
"""
BUILD = """
load(":rules.bzl", "kernels")
kernels(name = "cpu_abs_kernels", op = "abs", platform = "cpu")
kernels(name = "gpu_abs_kernels", op = "abs", platform = "gpu")
kernels(name = "cpu_absent_kernels", op = "absent", platform = "cpu")
cc_library(name = "ops", srcs = ["ops.cc"], deps = [":cpu_abs_kernels", ":gpu_abs_kernels", ":cpu_absent_kernels"])
"""
LOWER_TF = "tensorflow/compiler/mlir/tensorflow/transforms/lower_tf"
FILES = {
    "WORKSPACE": "",
    "core/base.h": BASE,
    "core/rules.bzl": RULES,
    "core/BUILD": BUILD,
    "core/ops.cc": '#include "core/base.h"\nGENERATE(Abs, CPU, DT_INT8)\nGENERATE(Abs, GPU, DT_INT8)\n',
    "core/defs/abs.mlir.tmpl": "// abs\nfunc.func @Abs_platform_elem_type_output_type(%x: tensor<*xelem_type>) {}\n",
    "core/defs/absent.mlir.tmpl": "func @AbsentAbs_platform_elem_type_output_type(%x: tensor<*xelem_type>) {}\n",
    "xla/kernel.cc": (
        "class MlirXlaOpKernel : public XlaOpKernel {\n  void Compile(XlaOpKernelContext* c) override {}\n};\n"
        'REGISTER_XLA_OP(Name("Sum"), MlirXlaOpKernel);\nREGISTER_XLA_OP(Name("Pack"), MlirXlaOpKernel);\n'
        'REGISTER_XLA_OP(Name("Abs"), MlirXlaOpKernel);\nREGISTER_XLA_OP(Name("Half"), MlirXlaOpKernel);\n'
        'REGISTER_XLA_OP(Name("Old"), MlirXlaOpKernel);\n'
    ),
    "tensorflow/compiler/mlir/tf2xla/transforms/legalize_tf.cc": CPP,
    "tensorflow/compiler/mlir/tf2xla/transforms/legalize_tf_patterns.td": TD,
    "core/relu.cc": '#include "core/base.h"\nGENERATE(Relu, GPU, DT_HALF)\nGENERATE(Relu, GPU, DT_UINT8)\n',
    "core/defs/relu.mlir.tmpl": "func.func @Relu_platform_elem_type_output_type(%x: tensor<*xelem_type>) {}\n",
    "core/defs/relu_float.mlir.tmpl": "func.func @Relu_platform_elem_type_output_type(%x: tensor<*xelem_type>) {}\n",
    "tensorflow/compiler/mlir/tensorflow/transforms/canonicalize.td": (
        "def AbsToAbs : Pat<(TF_AbsOp $x), (TF_AbsOp $x)>;\n\ndef OldToSum : Pat<(TF_OldOp $x), (TF_SumOp $x)>;\n"
    ),
    f"{LOWER_TF}.td": "def LowerHalfOp : Pat<(TF_HalfOp $x), (x)>;\ndef LowerAbsOp : Pat<(TF_AbsOp $x), (x)>;\n",
    f"{LOWER_TF}.cc": (
        "class LowerPack : public OpRewritePattern<PackOp> {};\n"
        "void PopulateLoweringTFPatterns(Set* all) {\n  all->add<LowerPack, LowerAbsOp>();\n}\n"
        "void PopulateTFLoweringBeforeHLOPatterns(Set* all) {\n  all->add<LowerHalfOp>();\n}\n"
    ),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> CppIndex:
    root = tmp_path_factory.mktemp("mlir")
    write_files(root, FILES)
    return CppIndex(Loader(open_workspace(Path(root))))


def work(index: CppIndex, op: str, device: str) -> list[tuple[str, str, tuple[str, ...]]]:
    kernels = [each for each in index.kernels(op, to_the_end=True) if each.device == device]
    return [(work.name, str(work.location), work.targets) for each in kernels for work in each.work]


def test_the_op_that_a_td_pattern_rewrites_is_its_root() -> None:
    assert [tuple(each) for each in patterns_in("a.td", TD)] == [
        ("Equal", 4, ""),
        ("Half", 6, "LowerHalf"),
        ("Abs", 8, ""),
        ("Cos", 9, ""),
        ("Identity", 11, ""),
        ("Stop", 11, ""),
    ]


def test_a_td_pattern_outside_of_definitions_has_no_name() -> None:
    text = "Pat<(TF_LostOp $x)>;\ndef Named : Pat<(TF_AOp $x), (x)>;\nclass Made<dag d> : Pat<(TF_BOp $x), d>;\n"
    assert [tuple(each) for each in patterns_in("a.td", text)] == [("Lost", 1, ""), ("A", 2, "Named"), ("B", 3, "")]
    assert [tuple(each) for each in patterns_in("b.td", "Pat<(TF_LostOp $x)>")] == [("Lost", 1, "")]


def test_a_pattern_in_cpp_is_a_class_about_one_op_or_a_template_given_one() -> None:
    assert sorted(tuple(each) for each in patterns_in("a.cc", CPP)) == [
        ("Mean", 9, "ConvertMean"),
        ("Own", 15, "LowerOwn"),
        ("Pack", 11, "LowerPack"),
        ("Pool", 6, "ConvertPool"),
        ("Pool3D", 6, "ConvertPool"),
        ("Sum", 2, "ConvertSumOp"),
    ]


def test_a_generated_kernel_goes_on_in_its_template_by_the_rules_for_its_device(index: CppIndex) -> None:
    template = "@Abs_platform_elem_type_output_type", "core/defs/abs.mlir.tmpl:2"
    assert work(index, "Abs", "CPU") == [(*template, ("//core:cpu_abs_kernels",))]
    assert work(index, "Abs", "GPU") == [(*template, ("//core:gpu_abs_kernels",))]


def test_of_several_templates_the_one_for_the_type_is_told(index: CppIndex) -> None:
    assert [each[1] for each in work(index, "Relu", "GPU")] == [
        "core/defs/relu_float.mlir.tmpl:1",
        "core/defs/relu.mlir.tmpl:1",
    ]


def test_templates_and_patterns_know_their_ops(index: CppIndex) -> None:
    assert index.ops_in("core/defs/abs.mlir.tmpl") == ("Abs",)
    assert index.ops_in("core/defs/absent.mlir.tmpl") == ()
    assert index.ops_in("tensorflow/compiler/mlir/tf2xla/transforms/legalize_tf.cc") == ("Pack", "Sum")
    assert index.ops_in(f"{LOWER_TF}.td") == ("Half",)


def test_an_op_that_mlir_compiles_for_xla_goes_on_in_the_patterns_that_run(index: CppIndex) -> None:
    folder = "tensorflow/compiler/mlir/tf2xla/transforms"
    assert work(index, "Sum", "XLA") == [("ConvertSumOp", f"{folder}/legalize_tf.cc:2", ())]
    assert work(index, "Pack", "XLA") == [("LowerPack", f"{folder}/legalize_tf.cc:11", ())]
    assert work(index, "Abs", "XLA") == [("pattern of TF_AbsOp", f"{folder}/legalize_tf_patterns.td:8", ())]
    canonical = "tensorflow/compiler/mlir/tensorflow/transforms/canonicalize.td"
    assert work(index, "Old", "XLA") == [("OldToSum", f"{canonical}:3", ())]
    assert work(index, "Half", "XLA") == [
        ("LowerHalf", f"{folder}/legalize_tf_patterns.td:6", ()),
        ("LowerHalfOp", f"{LOWER_TF}.td:1", ()),
    ]
