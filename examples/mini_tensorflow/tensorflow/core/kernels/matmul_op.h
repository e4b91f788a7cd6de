// Mirrors tensorflow/core/kernels/matmul_op.h and linalg_ops_common.h.
#ifndef MINI_TENSORFLOW_MATMUL_OP_H_
#define MINI_TENSORFLOW_MATMUL_OP_H_
#include "tensorflow/core/framework/op_kernel.h"

namespace tensorflow {

// What all kernels of matrices have in common: the batches; the matrix itself is the subclass's.
template <typename Scalar>
class LinearAlgebraOp : public OpKernel {
 public:
  explicit LinearAlgebraOp(OpKernelConstruction* context) : OpKernel(context) {}
  void Compute(OpKernelContext* context) override;

 protected:
  virtual void ComputeMatrix(OpKernelContext* context, const Tensor& input, Tensor* output) = 0;
};

#define REGISTER_LINALG_OP_CPU(OpName, OpClass, Scalar) \
  REGISTER_KERNEL_BUILDER(Name(OpName).Device(DEVICE_CPU).TypeConstraint<Scalar>("T"), OpClass)
#define REGISTER_LINALG_OP(OpName, OpClass, Scalar) REGISTER_LINALG_OP_CPU(OpName, OpClass, Scalar)

}  // namespace tensorflow
#endif  // MINI_TENSORFLOW_MATMUL_OP_H_
