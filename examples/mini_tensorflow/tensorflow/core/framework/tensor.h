// Mirrors tensorflow/core/framework/tensor.h.
#include "tensorflow/core/lib/core/status.h"
