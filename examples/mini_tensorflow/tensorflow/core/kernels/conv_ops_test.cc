// Mirrors tensorflow/core/kernels/conv_ops_test.cc; left out of conv_ops by its name.
#include "tensorflow/core/kernels/ops_testutil.h"
