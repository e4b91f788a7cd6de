// Mirrors tensorflow/core/lib/core/status_test.cc.
#include "tensorflow/core/lib/core/status.h"
