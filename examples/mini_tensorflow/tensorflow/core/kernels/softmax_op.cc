// Mirrors tensorflow/core/kernels/softmax_op.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Softmax").Device(DEVICE_CPU).TypeConstraint<float>("T"), SoftmaxOp<CPUDevice, float>);

}  // namespace tensorflow
