// Mirrors tensorflow/core/kernels/relu_op.cc: a macro that registers several ops for a type.
#include "tensorflow/core/kernels/relu_op.h"

namespace tensorflow {

#define REGISTER_RELU_KERNELS(type)                                                                               \
  REGISTER_KERNEL_BUILDER(Name("Relu").Device(DEVICE_CPU).TypeConstraint<type>("T"), ReluOp<CPUDevice, type>);    \
  REGISTER_KERNEL_BUILDER(Name("ReluGrad").Device(DEVICE_CPU).TypeConstraint<type>("T"), ReluGradOp<CPUDevice, type>)

TF_CALL_REAL_NUMBER_TYPES(REGISTER_RELU_KERNELS);
#undef REGISTER_RELU_KERNELS

#if GOOGLE_CUDA
#define REGISTER_GPU_KERNELS(type) \
  REGISTER_KERNEL_BUILDER(Name("Relu").Device(DEVICE_GPU).TypeConstraint<type>("T"), ReluOp<GPUDevice, type>)

TF_CALL_float(REGISTER_GPU_KERNELS);
#undef REGISTER_GPU_KERNELS
#endif  // GOOGLE_CUDA

}  // namespace tensorflow
