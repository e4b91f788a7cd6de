// Mirrors tensorflow/core/ops/array_ops.cc.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {

REGISTER_OP("Identity").Input("input: T").Output("output: T").Attr("T: type");

}  // namespace tensorflow
