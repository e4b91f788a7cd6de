// Mirrors tensorflow/cc/ops/standard_ops.h.
