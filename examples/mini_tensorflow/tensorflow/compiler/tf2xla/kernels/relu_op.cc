// Mirrors tensorflow/compiler/tf2xla/kernels/relu_op.cc and unary_ops.cc: ops as XLA compiles them; a macro makes a
// class and its registration out of one name.
#include "tensorflow/compiler/tf2xla/xla_compiler.h"

namespace tensorflow {

class ReluOp : public XlaOpKernel {
 public:
  explicit ReluOp(OpKernelConstruction* context) : XlaOpKernel(context) {}
  void Compile(XlaOpKernelContext* context) override { context->SetOutput(0, xla::Max(context->Input(0), Zero())); }
};
REGISTER_XLA_OP(Name("Relu").TypeConstraint("T", kFloatTypes), ReluOp);

#define XLAJIT_MAKE_UNARY(NAME, COMPUTATION)                                                             \
  class NAME##Op : public XlaOpKernel {                                                                  \
   public:                                                                                               \
    explicit NAME##Op(OpKernelConstruction* context) : XlaOpKernel(context) {}                           \
    void Compile(XlaOpKernelContext* context) override { context->SetOutput(0, COMPUTATION); }           \
  };                                                                                                     \
  REGISTER_XLA_OP(Name(#NAME), NAME##Op);

XLAJIT_MAKE_UNARY(Abs, xla::Abs(context->Input(0)));
XLAJIT_MAKE_UNARY(Tanh, xla::Tanh(context->Input(0)));

}  // namespace tensorflow
