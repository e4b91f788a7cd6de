// Mirrors tensorflow/core/kernels/relu_op.h.
#include "tensorflow/core/framework/op_kernel.h"
