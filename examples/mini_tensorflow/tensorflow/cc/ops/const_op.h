// Mirrors tensorflow/cc/ops/const_op.h.
