// Mirrors tensorflow/core/lib/strings/numbers.cc.
#include "tensorflow/core/lib/strings/numbers.h"
