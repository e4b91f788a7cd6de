// Mirrors tensorflow/core/lib/strings/numbers_test.cc.
#include "tensorflow/core/lib/strings/numbers.h"
