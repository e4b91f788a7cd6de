// Mirrors tensorflow/contrib/rnn/kernels/lstm_ops.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

template <typename T>
class LSTMBlockCellOp : public OpKernel {
 public:
  explicit LSTMBlockCellOp(OpKernelConstruction* context) : OpKernel(context) {}
  void Compute(OpKernelContext* context) override { context->output(0)->Assign(context->input(0)); }
};

#define REGISTER_KERNEL(T) \
  REGISTER_KERNEL_BUILDER(Name("LSTMBlockCell").Device(DEVICE_CPU).TypeConstraint<T>("T"), LSTMBlockCellOp<T>);

TF_CALL_half(REGISTER_KERNEL);
TF_CALL_float(REGISTER_KERNEL);
#undef REGISTER_KERNEL

}  // namespace tensorflow
