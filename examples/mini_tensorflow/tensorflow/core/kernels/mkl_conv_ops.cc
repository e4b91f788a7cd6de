// Mirrors tensorflow/core/kernels/mkl_conv_ops.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Conv2D").Device(DEVICE_CPU).TypeConstraint<float>("T"), MklConv2DOp<CPUDevice, float>);

}  // namespace tensorflow
