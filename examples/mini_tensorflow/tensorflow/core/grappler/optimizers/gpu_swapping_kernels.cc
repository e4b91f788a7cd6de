// Mirrors tensorflow/core/grappler/optimizers/gpu_swapping_kernels.cc.
