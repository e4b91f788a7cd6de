// Mirrors tensorflow/core/ops/state_ops.cc.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {

REGISTER_OP("VariableV2").Input("input: T").Output("output: T").Attr("T: type");

}  // namespace tensorflow
