// Mirrors tensorflow/core/lib/strings/str_util_test.cc.
#include "tensorflow/core/lib/strings/str_util.h"
