// Mirrors tensorflow/core/kernels/conv_ops_gpu_3.cu.cc: the half that nvcc compiles.
#if GOOGLE_CUDA
#include "tensorflow/core/kernels/conv_ops.h"

namespace tensorflow {
template struct LaunchConv2DOp<Eigen::GpuDevice, float>;
}  // namespace tensorflow
#endif  // GOOGLE_CUDA
