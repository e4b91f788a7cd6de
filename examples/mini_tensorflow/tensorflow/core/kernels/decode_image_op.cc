// Mirrors tensorflow/core/kernels/decode_image_op.cc.
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

REGISTER_KERNEL_BUILDER(Name("DecodeImage").Device(DEVICE_CPU).TypeConstraint<float>("T"), DecodeImageOp<CPUDevice, float>);

}  // namespace tensorflow
