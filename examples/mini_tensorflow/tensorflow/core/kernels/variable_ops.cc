// Mirrors tensorflow/core/kernels/variable_ops.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("VariableV2").Device(DEVICE_CPU).TypeConstraint<float>("T"), VariableOp<CPUDevice, float>);

}  // namespace tensorflow
