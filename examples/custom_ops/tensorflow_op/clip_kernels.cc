#include "tensorflow/core/framework/op_kernel.h"

template <typename T>
class ClipToUnitOp : public tensorflow::OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(tensorflow::OpKernelContext* context) override { Clip<T>(context); }
};

#define REGISTER_CLIP(T)                                                  \
  REGISTER_KERNEL_BUILDER(                                                \
      Name("ClipToUnit").Device(DEVICE_CPU).TypeConstraint<T>("T"), ClipToUnitOp<T>)
REGISTER_CLIP(float);
REGISTER_CLIP(double);
