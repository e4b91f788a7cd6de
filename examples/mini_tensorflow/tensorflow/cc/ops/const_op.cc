// Mirrors tensorflow/cc/ops/const_op.cc.
