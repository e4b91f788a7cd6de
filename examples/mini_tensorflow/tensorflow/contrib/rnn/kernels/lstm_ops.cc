// Mirrors tensorflow/contrib/rnn/kernels/lstm_ops.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {
REGISTER_KERNEL_BUILDER(Name("LSTMBlockCell").Device(DEVICE_CPU), LSTMBlockCellOp);
}  // namespace tensorflow
