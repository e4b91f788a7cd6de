// Mirrors tensorflow/core/common_runtime/executor.cc.
#include "tensorflow/core/framework/op_kernel.h"
