// Mirrors tensorflow/core/common_runtime/gpu_device.cc.
#include "tensorflow/core/framework/op_kernel.h"
