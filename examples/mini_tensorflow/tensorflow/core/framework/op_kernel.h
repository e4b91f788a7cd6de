// Mirrors tensorflow/core/framework/op_kernel.h: what a kernel is, and how it is registered.
#ifndef MINI_TENSORFLOW_OP_KERNEL_H_
#define MINI_TENSORFLOW_OP_KERNEL_H_
#include "tensorflow/core/framework/tensor.h"

namespace tensorflow {

class OpKernelConstruction;
class OpKernelContext {
 public:
  const Tensor& input(int index);
  Tensor* output(int index);
};

class OpKernel {
 public:
  explicit OpKernel(OpKernelConstruction* context);
  virtual ~OpKernel() = default;
  virtual void Compute(OpKernelContext* context) = 0;
};

#define REGISTER_KERNEL_BUILDER(kernel_builder, ...) \
  REGISTER_KERNEL_BUILDER_UNIQ_HELPER(__COUNTER__, kernel_builder, __VA_ARGS__)

}  // namespace tensorflow
#endif  // MINI_TENSORFLOW_OP_KERNEL_H_
