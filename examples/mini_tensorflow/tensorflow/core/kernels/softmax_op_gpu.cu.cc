// Mirrors tensorflow/core/kernels/softmax_op_gpu.cu.cc: the half that nvcc compiles.
#if GOOGLE_CUDA
#include "tensorflow/core/framework/op_kernel.h"
#endif  // GOOGLE_CUDA
