# Mirrors tensorflow/python/ops/nn.py: all of tf.nn under one name.
from tensorflow.python.ops.gen_nn_ops import *
from tensorflow.python.ops.nn_impl import *
from tensorflow.python.ops.nn_ops import *
