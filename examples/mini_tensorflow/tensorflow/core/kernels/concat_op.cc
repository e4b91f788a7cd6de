// Mirrors tensorflow/core/kernels/concat_op.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Concat").Device(DEVICE_CPU).TypeConstraint<float>("T"), ConcatOp<CPUDevice, float>);

}  // namespace tensorflow
