// Mirrors tensorflow/core/kernels/conv_ops.h.
#ifndef MINI_TENSORFLOW_CONV_OPS_H_
#define MINI_TENSORFLOW_CONV_OPS_H_
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

template <typename Device, typename T>
struct LaunchConv2DOp {
  void operator()(OpKernelContext* context, const Tensor& input, const Tensor& filter, Tensor* output);
};

}  // namespace tensorflow
#endif  // MINI_TENSORFLOW_CONV_OPS_H_
