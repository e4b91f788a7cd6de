// Mirrors tensorflow/core/framework/tensor.cc.
#include "tensorflow/core/framework/tensor.h"
