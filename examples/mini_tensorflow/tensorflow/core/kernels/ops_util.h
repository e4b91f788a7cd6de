// Mirrors tensorflow/core/kernels/ops_util.h.
#include "tensorflow/core/framework/op_kernel.h"
