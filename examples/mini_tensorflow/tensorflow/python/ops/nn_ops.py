# Mirrors tensorflow/python/ops/nn_ops.py: the public functions around the generated ones.
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.util.tf_export import tf_export


@tf_export("nn.conv2d", v1=[])
def conv2d_v2(input, filters, strides, padding, name=None):
    """A 2-D convolution."""
    return gen_nn_ops.conv2d(input, filters, strides, padding, name=name)
