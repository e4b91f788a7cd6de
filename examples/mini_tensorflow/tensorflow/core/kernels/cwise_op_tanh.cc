// Mirrors tensorflow/core/kernels/cwise_op_tanh.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Tanh").Device(DEVICE_CPU).TypeConstraint<float>("T"), UnaryOp<CPUDevice, float>);

}  // namespace tensorflow
