// Mirrors tensorflow/core/framework/op_kernel.cc.
#include "tensorflow/core/framework/op_kernel.h"
