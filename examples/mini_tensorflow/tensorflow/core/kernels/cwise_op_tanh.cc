// Mirrors tensorflow/core/kernels/cwise_op_tanh.cc: a macro of a header, which is given the name and the types.
#include "tensorflow/core/kernels/cwise_ops.h"

namespace tensorflow {

REGISTER2(UnaryOp, CPU, "Tanh", functor::tanh, float, double);

#if GOOGLE_CUDA
REGISTER2(UnaryOp, GPU, "Tanh", functor::tanh, float, double);
#endif  // GOOGLE_CUDA

}  // namespace tensorflow
