// Mirrors tensorflow/core/kernels/relu_op.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Relu").Device(DEVICE_CPU).TypeConstraint<float>("T"), ReluOp<CPUDevice, float>);

}  // namespace tensorflow
