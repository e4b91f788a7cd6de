import tensorflow as tf

_clip_ops = tf.load_op_library("_clip_ops.so")


def clip(x):
    return _clip_ops.clip_to_unit(x)
