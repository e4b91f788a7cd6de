// Mirrors tensorflow/core/ops/io_ops.cc.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {

REGISTER_OP("ReadFile").Input("input: T").Output("output: T").Attr("T: type");

}  // namespace tensorflow
