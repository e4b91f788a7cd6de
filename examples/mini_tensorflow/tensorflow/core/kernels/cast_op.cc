// Mirrors tensorflow/core/kernels/cast_op.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Cast").Device(DEVICE_CPU).TypeConstraint<float>("T"), CastOp<CPUDevice, float>);

}  // namespace tensorflow
