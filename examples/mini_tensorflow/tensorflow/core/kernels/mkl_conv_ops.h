// Mirrors tensorflow/core/kernels/mkl_conv_ops.h.
#include "tensorflow/core/framework/op_kernel.h"
