"""What the types of tensors decide: ``x.dtype``, a type that a function is given, and what a cast gives."""

import pytest

from tests.ops.tensorflow.small_tree import side

TEXT = """
from tensorflow.python.framework import dtypes, ops
from tensorflow.python.ops import array_ops, gen_array_ops, gen_nn_ops, math_ops

def cast(x, dtype):
  base_type = dtypes.as_dtype(dtype).base_dtype
  if is_tensor(x) and base_type == x.dtype:
    return x
  x = ops.convert_to_tensor(x)
  if x.dtype != base_type:
    return gen_array_ops.halve(x)
  return x

def spread(start, limit=None, delta=1, dtype=None):
  if limit is None:
    start, limit = 0, start
  if not is_tensor(limit):
    limit = ops.convert_to_tensor(limit, dtype=dtype)
  if dtype is None:
    order = [dtypes.int32, dtypes.float32]
    chosen = max([each.dtype for each in [start, limit, delta]], key=order.index)
  else:
    chosen = dtype
  return cast(start, chosen), cast(limit, chosen), cast(delta, chosen)

def whole(x, dtype=dtypes.float32):
  return gen_array_ops.halve(x) if dtype.is_integer else gen_nn_ops.sharpen(x)

def adjust(image):
  before = image.dtype
  if before in (dtypes.float16, dtypes.float32):
    wide = image
  else:
    wide = math_ops.cast(image, dtypes.float32)
  return whole(wide, wide.dtype)

def member(xs):
  return cast(xs[0], xs[1].dtype)

def surely(x):
  if x.dtype.is_complex:
    return gen_array_ops.halve(x)
  return gen_nn_ops.sharpen(x)

def flat(x):
  x = ops.convert_to_tensor(x)
  if is_tensor(x) and (x.shape.dims is None or x.shape.dims):
    return gen_array_ops.halve(x)
  return x

def narrow(x):
  if x.dtype not in (dtypes.int32, dtypes.int64):
    return gen_nn_ops.sharpen(x)
  return whole(x, x.dtype)

def alike(x):
  doubled = x * 2
  return gen_array_ops.halve(x) if doubled.dtype != x.dtype else gen_nn_ops.sharpen(x)

def vector(shape):
  return gen_nn_ops.sharpen(shape) if shape._shape_tuple() else gen_array_ops.halve(shape)

def filled(shape):
  if not isinstance(shape, Tensor):
    try:
      shape = constant_op._tensor_shape_tensor_conversion_function(TensorShape(shape))
    except TypeError:
      shape = ops.convert_to_tensor(shape, dtype=dtypes.int32)
  return vector(shape)

def twice(x):
  return joined(x * 2)

def joined(x):
  if x.dtype == dtypes.string:
    return gen_array_ops.halve(x)
  return gen_nn_ops.sharpen(x)

"""


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("cast(x, dtypes.int32)", {"Halve": False}),
        ("cast(math_ops.cast(x, dtypes.int32), dtypes.int32)", {}),
        ("cast(array_ops.rank(x), dtypes.float32)", {"Halve": True}),
        ("spread(array_ops.rank(x))", {}),
        ("spread(0, array_ops.shape(x)[0])", {}),
        ("spread(0, array_ops.rank(x), dtype=dtypes.int64)", {"Halve": False}),
        ("spread(0, x)", {"Halve": False}),
        ("spread(0, array_ops.rank(x), 0.5)", {"Halve": False}),
        ("whole(x)", {"Sharpen": True}),
        ("whole(x, x.dtype)", {"Halve": False, "Sharpen": False}),
        ("whole(x, dtypes.uint8)", {"Halve": True}),
        ("adjust(x)", {"Sharpen": True}),
        ("member(x)", {"Halve": False}),
        ("surely(x)", {"Halve": False, "Sharpen": False}),
        ("surely(x > 0)", {"Sharpen": True}),
        ("flat(x)", {"Halve": False}),
        ("flat(math_ops.reduce_all(x > 0))", {}),
        ("flat(math_ops.reduce_all(x > 0, 1))", {"Halve": False}),
        ("flat(math_ops.logical_not(array_ops.rank(x) > 1))", {}),
        ("flat(array_ops.rank(x) > x)", {"Halve": False}),
        ("flat(math_ops.cast(array_ops.shape(x)[0], dtypes.bool))", {}),
        ("flat(array_ops.constant(0, shape=[2]))", {"Halve": False}),
        ("flat(array_ops.constant(0, dtypes.int32, shape=[2]))", {"Halve": False}),
        ("narrow(x)", {"Halve": False, "Sharpen": False}),
        ("joined(g(x))", {"Halve": False, "Sharpen": False}),
        ("joined(g(x) * x)", {"Sharpen": True}),
        ("joined(1 / g(x) + x)", {"Sharpen": True}),  # both have one type
        ("twice(x)", {"Sharpen": True}),
        ("alike(x)", {"Sharpen": True}),
        ("vector([x, 1])", {"Sharpen": True}),
        ("vector(x.shape)", {"Sharpen": True}),
        ("vector(array_ops.shape(x)[:2])", {"Sharpen": True}),
        ("vector(x)", {"Halve": False, "Sharpen": False}),
        ("vector(1)", {"Halve": True}),
        ("filled([x])", {"Sharpen": True}),
        ("filled(x)", {"Halve": False, "Sharpen": False}),
        ("joined(g(x) + x)", {"Halve": False, "Sharpen": False}),
    ],
)
def test_types_decide(body: str, made: dict[str, bool]) -> None:
    text = f"{TEXT}def f(x):\n  return {body}\n"
    tree = side(tensorflow__python__ops__typed_ops=text)
    found = tree.walker.uses(tree.exports.find("typed_ops.f")[0].symbol, implied=False)
    assert {use.op: use.certain for use in found if use.op in ("Halve", "Sharpen")} == made
