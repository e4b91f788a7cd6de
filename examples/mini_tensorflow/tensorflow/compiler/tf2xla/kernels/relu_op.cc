// Mirrors tensorflow/compiler/tf2xla/kernels/relu_op.cc.
#include "tensorflow/compiler/tf2xla/xla_compiler.h"

namespace tensorflow {
REGISTER_XLA_OP(Name("Relu"), ReluOp);
}  // namespace tensorflow
