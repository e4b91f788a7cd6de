// Mirrors tensorflow/core/kernels/cwise_op_abs.cc: a macro of a header, which is given the name and the types.
#include "tensorflow/core/kernels/cwise_ops.h"

namespace tensorflow {

REGISTER3(UnaryOp, CPU, "Abs", functor::abs, Eigen::half, float, double);

}  // namespace tensorflow
