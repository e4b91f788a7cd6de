// Mirrors tensorflow/core/kernels/relu_op_gpu.cu.cc: the half that nvcc compiles.
#if GOOGLE_CUDA
#include "tensorflow/core/kernels/relu_op.h"

namespace tensorflow {
template struct functor::Relu<GPUDevice, float>;
}  // namespace tensorflow
#endif  // GOOGLE_CUDA
