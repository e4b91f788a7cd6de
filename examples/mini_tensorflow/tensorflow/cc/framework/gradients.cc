// Mirrors tensorflow/cc/framework/gradients.cc, and tensorflow/cc/gradients/nn_grad.cc, where gradients in C++ stand.
#include "tensorflow/cc/framework/gradients.h"

namespace tensorflow {

Status ReluGradHelper(const Scope& scope, const Operation& op, const std::vector<Output>& inputs,
                      std::vector<Output>* outputs) {
  outputs->push_back(internal::ReluGrad(scope, inputs[0], op.output(0)));
  return scope.status();
}
REGISTER_GRADIENT_OP("Relu", ReluGradHelper);

}  // namespace tensorflow
