// Mirrors tensorflow/core/kernels/eigen_spatial_convolutions.h.
#include "tensorflow/core/framework/op_kernel.h"
