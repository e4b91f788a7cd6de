// Mirrors tensorflow/core/ops/user_ops.cc: an op that says hello.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {
REGISTER_OP("Fact").Output("fact: string");
}  // namespace tensorflow
