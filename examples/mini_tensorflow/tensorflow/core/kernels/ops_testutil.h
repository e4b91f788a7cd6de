// Mirrors tensorflow/core/kernels/ops_testutil.h.
#include "tensorflow/core/framework/op_kernel.h"
