// Mirrors tensorflow/core/framework/op.cc.
#include "tensorflow/core/framework/op.h"
