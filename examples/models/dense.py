"""A layer in a user's own package: ``bzlgraph op --python_path=my_model=examples/models dense.py:Dense.call``."""

import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, weights):
        self.weights = weights

    def project(self, x):
        return tf.matmul(x, self.weights)

    def call(self, x):
        return tf.abs(self.project(x))
