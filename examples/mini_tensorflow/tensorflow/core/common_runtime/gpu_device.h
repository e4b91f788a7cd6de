// Mirrors tensorflow/core/common_runtime/gpu_device.h.
