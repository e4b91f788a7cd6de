// Mirrors tensorflow/core/kernels/conv_ops_using_gemm.cc: the same convolution through a matrix product.
#include "tensorflow/core/kernels/conv_ops.h"
#include "public/gemmlowp.h"
