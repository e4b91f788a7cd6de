// Mirrors tensorflow/core/framework/op_kernel.h: what a kernel is, and how it is registered; and register_types.h.
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

// A macro for each type, and lists of them: m is called with every type of the list.
#define TF_CALL_half(m) m(Eigen::half)
#define TF_CALL_float(m) m(float)
#define TF_CALL_double(m) m(double)
#define TF_CALL_complex64(m) m(complex64)

#define TF_CALL_REAL_NUMBER_TYPES(m) TF_CALL_half(m) TF_CALL_float(m) TF_CALL_double(m)

}  // namespace tensorflow
#endif  // MINI_TENSORFLOW_OP_KERNEL_H_
