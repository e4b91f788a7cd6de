// Mirrors tensorflow/core/ops/random_ops.cc.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {

REGISTER_OP("RandomUniform").Input("input: T").Output("output: T").Attr("T: type");

}  // namespace tensorflow
