// Mirrors tensorflow/core/kernels/cwise_op_gpu_tanh.cu.cc: the half that nvcc compiles.
#if GOOGLE_CUDA
#include "tensorflow/core/kernels/cwise_ops.h"

namespace tensorflow {
template struct functor::UnaryFunctor<GPUDevice, functor::tanh<float>>;
template struct functor::UnaryFunctor<GPUDevice, functor::tanh<double>>;
}  // namespace tensorflow
#endif  // GOOGLE_CUDA
