# Mirrors tensorflow/python/kernel_tests/conv_ops_test.py.
from tensorflow.python.ops import nn_ops

nn_ops.conv2d_v2(input=None, filters=None)
