// Mirrors tensorflow/core/common_runtime/executor.h.
