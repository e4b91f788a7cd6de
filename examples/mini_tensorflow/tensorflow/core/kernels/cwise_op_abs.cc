// Mirrors tensorflow/core/kernels/cwise_op_abs.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Abs").Device(DEVICE_CPU).TypeConstraint<float>("T"), UnaryOp<CPUDevice, float>);

}  // namespace tensorflow
