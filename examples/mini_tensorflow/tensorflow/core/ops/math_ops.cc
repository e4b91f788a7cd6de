// Mirrors tensorflow/core/ops/math_ops.cc: a macro registers the ops that look alike.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {

#define UNARY_OP(NAME) \
  REGISTER_OP(NAME).Input("x: T").Output("y: T").Attr("T: {half, float, double}")

UNARY_OP("Abs");
UNARY_OP("Tanh");
#undef UNARY_OP

REGISTER_OP("Cast").Input("x: SrcT").Output("y: DstT").Attr("SrcT: type").Attr("DstT: type");
REGISTER_OP("MatMul").Input("a: T").Input("b: T").Output("product: T").Attr("T: {half, float, double}");
REGISTER_OP("MatrixInverse").Input("input: T").Output("output: T").Attr("T: {float, double}");

}  // namespace tensorflow
