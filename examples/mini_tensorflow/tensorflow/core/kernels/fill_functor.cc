// Mirrors tensorflow/core/kernels/fill_functor.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("Fill").Device(DEVICE_CPU).TypeConstraint<float>("T"), FillFunctor<CPUDevice, float>);

}  // namespace tensorflow
