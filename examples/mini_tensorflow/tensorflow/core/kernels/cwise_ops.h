// Mirrors tensorflow/core/kernels/cwise_ops.h.
#include "tensorflow/core/framework/op_kernel.h"
