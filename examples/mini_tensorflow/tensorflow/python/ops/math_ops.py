# Mirrors tensorflow/python/ops/math_ops.py: functions of their own around the generated ones, old names included.
from tensorflow.python.ops import gen_math_ops
from tensorflow.python.util import deprecation
from tensorflow.python.util.tf_export import tf_export


@tf_export("linalg.matmul", "matmul")
def matmul(a, b, name=None):
    """A matrix product."""
    return gen_math_ops.mat_mul(a, b, name=name)


@tf_export("math.abs", v1=["math.abs", "abs"])
@deprecation.deprecated_endpoints("abs")
def abs(x, name=None):  # pylint: disable=redefined-builtin
    """The absolute value."""
    return gen_math_ops._abs(x, name=name)
