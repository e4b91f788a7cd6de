# Mirrors tensorflow/python/ops/nn_impl.py, and nn_grad.py, where gradients in Python stand.
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.ops import math_ops
from tensorflow.python.util.tf_export import tf_export


@tf_export("nn.relu_layer")
def relu_layer(x, weights, name=None):
    """Relu of a matrix product: two ops, one of them through another function."""
    return gen_nn_ops.relu(math_ops.matmul(x, weights), name=name)


@ops.RegisterGradient("Relu")
def _ReluGrad(op, grad):
    return gen_nn_ops.relu_grad(grad, op.outputs[0])


ops.NotDifferentiable("RandomUniform")
