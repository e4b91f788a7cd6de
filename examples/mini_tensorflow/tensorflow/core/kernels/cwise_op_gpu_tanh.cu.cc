// Mirrors tensorflow/core/kernels/cwise_op_gpu_tanh.cu.cc: the half that nvcc compiles.
#if GOOGLE_CUDA
#include "tensorflow/core/framework/op_kernel.h"
#endif  // GOOGLE_CUDA
