// Mirrors tensorflow/core/kernels/matmul_op.cc, matrix_inverse_op.cc and linalg_ops_common.cc: a macro of the file,
// called by a list of types; and a macro of a header whose class stands in brackets.
#include "tensorflow/core/kernels/matmul_op.h"

namespace tensorflow {

template <typename Device, typename T, bool use_cublas>
class MatMulOp : public OpKernel {
 public:
  explicit MatMulOp(OpKernelConstruction* context) : OpKernel(context) {}
  void Compute(OpKernelContext* context) override;
};

template <typename Device, typename T, bool use_cublas>
void MatMulOp<Device, T, use_cublas>::Compute(OpKernelContext* context) {
  context->output(0)->Multiply(context->input(0), context->input(1));
}

#define REGISTER_CPU(T) \
  REGISTER_KERNEL_BUILDER(Name("MatMul").Device(DEVICE_CPU).TypeConstraint<T>("T"), MatMulOp<CPUDevice, T, false>);

TF_CALL_REAL_NUMBER_TYPES(REGISTER_CPU);
TF_CALL_complex64(REGISTER_CPU);
#undef REGISTER_CPU

template <typename Scalar>
void LinearAlgebraOp<Scalar>::Compute(OpKernelContext* context) {
  ComputeMatrix(context, context->input(0), context->output(0));
}

template <typename Scalar>
class MatrixInverseOp : public LinearAlgebraOp<Scalar> {
 public:
  using LinearAlgebraOp<Scalar>::LinearAlgebraOp;

 protected:
  void ComputeMatrix(OpKernelContext* context, const Tensor& input, Tensor* output) override;
};

REGISTER_LINALG_OP("MatrixInverse", (MatrixInverseOp<float>), float);
REGISTER_LINALG_OP("MatrixInverse", (MatrixInverseOp<double>), double);

}  // namespace tensorflow
