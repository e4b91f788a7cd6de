// Mirrors tensorflow/core/user_ops/fact.cc: the smallest kernel there is.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

class FactOp : public OpKernel {
 public:
  explicit FactOp(OpKernelConstruction* context) : OpKernel(context) {}
  void Compute(OpKernelContext* context) override {}
};

REGISTER_KERNEL_BUILDER(Name("Fact").Device(DEVICE_CPU), FactOp);

}  // namespace tensorflow
