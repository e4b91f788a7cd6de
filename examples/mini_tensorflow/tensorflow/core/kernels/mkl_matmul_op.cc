// Mirrors tensorflow/core/kernels/mkl_matmul_op.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("MatMul").Device(DEVICE_CPU).TypeConstraint<float>("T"), MklMatMulOp<CPUDevice, float>);

}  // namespace tensorflow
