// Mirrors tensorflow/core/lib/strings/str_util.cc.
#include "tensorflow/core/lib/strings/str_util.h"
