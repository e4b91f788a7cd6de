// Mirrors tensorflow/core/kernels/conv_ops.cc: registered per type on the CPU, and on the GPU in a build with CUDA.
#include "tensorflow/core/kernels/conv_ops.h"

namespace tensorflow {

template <typename Device, typename T>
class Conv2DOp : public OpKernel {
 public:
  explicit Conv2DOp(OpKernelConstruction* context) : OpKernel(context) {}

  void Compute(OpKernelContext* context) override {
    launcher_(context, context->input(0), context->input(1), context->output(0));
  }

 private:
  LaunchConv2DOp<Device, T> launcher_;
};

#define REGISTER_CPU(T) \
  REGISTER_KERNEL_BUILDER(Name("Conv2D").Device(DEVICE_CPU).TypeConstraint<T>("T"), Conv2DOp<CPUDevice, T>);

REGISTER_CPU(float);
REGISTER_CPU(double);
#undef REGISTER_CPU

#if GOOGLE_CUDA
REGISTER_KERNEL_BUILDER(Name("Conv2D").Device(DEVICE_GPU).TypeConstraint<float>("T"), Conv2DOp<GPUDevice, float>);
#endif  // GOOGLE_CUDA

}  // namespace tensorflow
