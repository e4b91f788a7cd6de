// Mirrors tensorflow/core/kernels/matmul_op.h.
#include "tensorflow/core/framework/op_kernel.h"
