// Mirrors tensorflow/core/kernels/relu_op.h and relu_op_functor.h.
#ifndef MINI_TENSORFLOW_RELU_OP_H_
#define MINI_TENSORFLOW_RELU_OP_H_
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {
namespace functor {

template <typename Device, typename T>
struct Relu {
  void operator()(const Device& device, const Tensor& features, Tensor* activations);
};

}  // namespace functor

// Computes whatever the subclass Operation does with each element.
template <typename T, typename Operation>
class UnaryElementWiseOp : public OpKernel {
 public:
  explicit UnaryElementWiseOp(OpKernelConstruction* context) : OpKernel(context) {}

  void Compute(OpKernelContext* context) override {
    static_cast<Operation*>(this)->Operate(context, context->input(0), context->output(0));
  }
};

template <typename Device, typename T>
class ReluOp : public UnaryElementWiseOp<T, ReluOp<Device, T>> {
 public:
  using UnaryElementWiseOp<T, ReluOp<Device, T>>::UnaryElementWiseOp;

  void Operate(OpKernelContext* context, const Tensor& input, Tensor* output) {
    functor::Relu<Device, T>()(context->device<Device>(), input, output);
  }
};

template <typename Device, typename T>
class ReluGradOp : public OpKernel {
 public:
  explicit ReluGradOp(OpKernelConstruction* context) : OpKernel(context) {}
  void Compute(OpKernelContext* context) override { Gradient(context->input(0), context->input(1), context->output(0)); }
};

}  // namespace tensorflow
#endif  // MINI_TENSORFLOW_RELU_OP_H_
