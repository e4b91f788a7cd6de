// Mirrors tensorflow/core/kernels/cast_op.h.
#include "tensorflow/core/framework/op_kernel.h"
