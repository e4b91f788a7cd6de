"""From an op of TensorFlow through the patterns of TFLite's converter to the kernel that is registered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bzlgraph.ops.tensorflow.lite_kernels import LiteKernels

MLIR = "tensorflow/compiler/mlir/lite"
FILES = {
    f"{MLIR}/ir/tfl_ops.td": """
def TFL_BlurOp : TFL_FilterOp<"blur_2d", "Blurs", [Pure]> {}
def TFL_SumOp: TFL_Op<"sum", []> {}
def TFL_LessOp
  : TFL_Op<"less"> {}
def TFL_QuantizeOp : TFL_Op<"quantize"> {}
def TFL_ReadVariableOp : TFL_Op<"read_variable"> {}
def TFL_LostOp : TFL_Op<"lost"> {}
""",
    f"{MLIR}/transforms/legalize.td": """
// Pat<(TF_SumOp $x), (TFL_BlurOp $x)>
def : Pat<(TF_BlurOp:$r $x, (Is $y)), (TFL_BlurOp $x, $y)>;
def Fused : Pat<(TF_SumOp (TF_BlurOp $x)), (TFL_LessOp $x)>;
def Reordered : Pat<(TF_SumOp (TFL_QuantizeOp $x)), (TFL_QuantizeOp (TF_SumOp $x))>;
def : Pat<(TF_LostOp $x), (TFL_LostOp $x)>;
def : Pat<(TF_ReadVariableOp $x), (TFL_ReadVariableOp $x)>;
foreach pair = [[TF_LessOp, TFL_LessOp]] in { def : Pat<(pair[0] $x), (pair[1] $x)>; }
""",
    f"{MLIR}/transforms/legalize.cc": """
LogicalResult ConvertSum::matchAndRewrite(Operation* op) const {
  auto sum = cast<TF::SumOp>(op);
  rewriter.create<TF::ReshapeOp>(op);
  rewriter.replaceOpWithNewOp<SumOp>(op);
}
class ConvertHalve : public Convert<ConvertHalve, TF::HalveOp> {
  Value make() { return rewriter.create<TFL::BlurOp>(rewriter.create<TF::FillOp>()); }
};
void Others(Operation* op) {
  if (auto fill = dyn_cast<TF::FillOp>(op)) rewriter.create<TFL::QuantizeOp>(op);
}
""",
    "tensorflow/lite/core/kernels/register.cc": """
  AddBuiltin(BuiltinOperator_BLUR_2D, Register_BLUR(), 1, 3);
  AddBuiltin(::tflite::BuiltinOperator_SUM,
             ops::builtin::Register_SUM());
  AddBuiltin(BuiltinOperator_READ_VARIABLE, Register_READ_VARIABLE());
""",
    "tensorflow/lite/kernels/blur.cc": "\nTfLiteRegistration* Register_BLUR() {\n  return nullptr;\n}\n",
    "tensorflow/lite/kernels/sum.cc": "Registration* Register_SUM();\n\nRegistration* Register_SUM() { return x; }\n",
    "tensorflow/lite/kernels/read.cc": "TfLiteRegistration* Register_READ_VARIABLE() { return Register_SUM(); }\n",
    "tensorflow/lite/kernels/register.cc": "",
}


def files(folder: str, ends: tuple[str, ...]) -> Iterator[str]:
    return (path for path in FILES if path.startswith(folder) and path.endswith(ends))


@pytest.mark.parametrize(
    ("op", "kernels"),
    [
        ("Blur", [("tensorflow/lite/kernels/blur.cc", 2, "Register_BLUR")]),
        ("Sum", [("tensorflow/lite/kernels/sum.cc", 3, "Register_SUM")]),
        ("Halve", [("tensorflow/lite/kernels/blur.cc", 2, "Register_BLUR")]),
        ("ReadVariableOp", [("tensorflow/lite/kernels/read.cc", 1, "Register_READ_VARIABLE")]),
        ("Less", []),  # not registered
        ("Fill", []),  # a definition that is about no single op
        ("Lost", []),
    ],
)
def test_the_kernels_of_an_op(op: str, kernels: list[tuple[str, int, str]]) -> None:
    assert list(LiteKernels(files, lambda path: FILES[path].encode()).of(op)) == kernels
