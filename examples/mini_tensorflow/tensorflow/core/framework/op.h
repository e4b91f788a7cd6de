// Mirrors tensorflow/core/framework/op.h.
#include "tensorflow/core/lib/core/status.h"
