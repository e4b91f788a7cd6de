// Mirrors tensorflow/examples/adding_an_op/zero_out_op_kernel_1.cc.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {
REGISTER_OP("ZeroOut").Input("to_zero: int32").Output("zeroed: int32");
REGISTER_KERNEL_BUILDER(Name("ZeroOut").Device(DEVICE_CPU), ZeroOutOp);
}  // namespace tensorflow
