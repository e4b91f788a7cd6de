// Mirrors tensorflow/core/kernels/fill_functor.h.
#include "tensorflow/core/framework/op_kernel.h"
