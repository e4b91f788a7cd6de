// Mirrors tensorflow/contrib/rnn/ops/lstm_ops.cc.
#include "tensorflow/core/framework/op.h"

namespace tensorflow {
REGISTER_OP("LSTMBlockCell").Input("x: T").Output("h: T").Attr("T: {half, float}");
}  // namespace tensorflow
