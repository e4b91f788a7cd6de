// Mirrors tensorflow/core/framework/op_kernel_test.cc.
