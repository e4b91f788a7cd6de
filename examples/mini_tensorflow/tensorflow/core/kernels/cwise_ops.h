// Mirrors tensorflow/core/kernels/cwise_ops_common.h: one class for all functions of one number, and their macros.
#ifndef MINI_TENSORFLOW_CWISE_OPS_H_
#define MINI_TENSORFLOW_CWISE_OPS_H_
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {
namespace functor {

template <typename T>
struct abs;
template <typename T>
struct tanh;

template <typename Device, typename Functor>
struct UnaryFunctor {
  void operator()(const Device& device, Tensor* output, const Tensor& input);
};

}  // namespace functor

template <typename Device, typename Functor>
class UnaryOp : public OpKernel {
 public:
  explicit UnaryOp(OpKernelConstruction* context) : OpKernel(context) {}

  void Compute(OpKernelContext* context) override {
    functor::UnaryFunctor<Device, Functor>()(context->device<Device>(), context->output(0), context->input(0));
  }
};

// REGISTER3(UnaryOp, CPU, "Abs", functor::abs, half, float, double): one kernel for each type.
#define REGISTER(OP, D, N, F, T) \
  REGISTER_KERNEL_BUILDER(Name(N).Device(DEVICE_##D).TypeConstraint<T>("T"), OP<D##Device, F<T>>);
#define REGISTER2(OP, D, N, F, T0, T1) \
  REGISTER(OP, D, N, F, T0)            \
  REGISTER(OP, D, N, F, T1)
#define REGISTER3(OP, D, N, F, T0, T1, T2) \
  REGISTER2(OP, D, N, F, T0, T1)           \
  REGISTER(OP, D, N, F, T2)

}  // namespace tensorflow
#endif  // MINI_TENSORFLOW_CWISE_OPS_H_
