// Mirrors tensorflow/core/common_runtime/direct_session.cc.
#include "tensorflow/core/framework/op_kernel.h"
