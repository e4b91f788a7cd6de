// Mirrors tensorflow/core/common_runtime/session.cc.
#include "tensorflow/core/framework/op_kernel.h"
