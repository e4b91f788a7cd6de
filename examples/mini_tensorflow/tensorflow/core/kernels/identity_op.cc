// Mirrors tensorflow/core/kernels/identity_op.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Identity").Device(DEVICE_CPU).TypeConstraint<float>("T"), IdentityOp<CPUDevice, float>);

}  // namespace tensorflow
