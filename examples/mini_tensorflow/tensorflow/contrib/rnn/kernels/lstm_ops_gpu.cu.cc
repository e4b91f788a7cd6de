// Mirrors tensorflow/contrib/rnn/kernels/lstm_ops_gpu.cu.cc.
