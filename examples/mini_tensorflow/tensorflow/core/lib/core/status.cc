// Mirrors tensorflow/core/lib/core/status.cc.
#include "tensorflow/core/lib/core/status.h"
