// Mirrors tensorflow/core/kernels/cwise_ops_test.cc.
#include "tensorflow/core/kernels/ops_testutil.h"
