"""Gradients registered in Python."""

from bzlgraph.ops.model import NO_GRADIENT
from bzlgraph.ops.tensorflow.python.gradients import PythonGradients
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.tensorflow.small_tree import side


def test_a_registered_gradient_and_its_ops() -> None:
    (found,) = PythonGradients(side()).of("Blur2D")
    assert (found.function, found.ops, found.location.line) == ("nn_grad._BlurGrad", ("Blur2DBackprop",), 6)


def test_an_op_that_is_said_to_have_none() -> None:
    (found,) = PythonGradients(side()).of("Shape")
    assert (found.function, found.location.line) == (NO_GRADIENT, 10)
    assert PythonGradients(side()).of("Sharpen") == ()


def test_all_gradients_of_a_tree() -> None:
    found = PythonGradients(side()).by_op()
    assert [each.function for each in found["Blur2D"]] == ["nn_grad._BlurGrad"]
    assert [each.function for each in found["Shape"]] == [NO_GRADIENT]
    assert "Sharpen" not in found


def test_a_tree_with_ops_of_its_own_registers_gradients_anywhere() -> None:
    grad = b"""import tensorflow as tf
_module = tf.load_op_library("halves.so")


@tf.RegisterGradient("Small>Halve")
def _halve_grad(op, grad):
  return _module.small_double(grad)


tf.no_gradient("Small>Double")
"""
    own = PythonSources(MemorySource({"small/grad.py": grad}), registered=lambda: {"Small>Halve", "Small>Double"})
    (found,) = PythonGradients(own).of("Small>Halve")
    assert (found.function, found.ops, found.location.line) == ("grad._halve_grad", ("Small>Double",), 6)
    (none,) = PythonGradients(own).of("Small>Double")
    assert (none.function, none.location.line) == (NO_GRADIENT, 10)
    assert sorted(PythonGradients(own).by_op()) == ["Small>Double", "Small>Halve"]


def test_the_ops_of_a_gradient_are_those_of_the_functions_that_it_calls_too() -> None:
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.ops import nn_ops


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  return gen_nn_ops.blur2d_backprop(nn_ops.blur(grad, 1))
"""
    (found,) = PythonGradients(side(tensorflow__python__ops__halve_grad=grad)).of("Halve")
    assert found.ops == ("Blur2DBackprop", "Blur2D")


def test_what_a_function_makes_in_a_branch_counts_only_where_it_makes_nothing_else() -> None:
    """``_helper`` always makes Reshape, further away than the Blur2D of its branch."""
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import gen_nn_ops


def _blur(grad):
  return gen_array_ops.reshape(grad, [1])


def _helper(grad, wide):
  grad = _blur(grad)
  if wide:
    grad = gen_nn_ops.sharpen(grad)
  return grad


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  return _helper(grad, False)
"""
    (found,) = PythonGradients(side(tensorflow__python__ops__halve_grad=grad)).of("Halve")
    assert found.ops == ("Reshape",)


def test_what_the_result_of_a_function_is_made_of_counts_beside_its_sizes() -> None:
    helper = """
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import gen_nn_ops


def turned(x, order):
  return gen_nn_ops.sharpen(x, order)


def turn(x, rank=None):
  if rank is None:
    rank = gen_array_ops.halve(x)
  if x.wide:
    return turned(x, rank)
  return x
"""
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import turning


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  return turning.turn(grad, op.get_attr("rank"))
"""
    made = side(tensorflow__python__ops__halve_grad=grad, tensorflow__python__ops__turning=helper)
    (found,) = PythonGradients(made).of("Halve")
    assert found.ops == ("Halve", "Sharpen")


def test_what_only_a_branch_of_a_gradient_makes_is_told_so() -> None:
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import gen_nn_ops


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  if op.get_attr("wide"):
    grad = gen_nn_ops.sharpen(grad)
  return gen_array_ops.reshape(grad, [1])
"""
    (found,) = PythonGradients(side(tensorflow__python__ops__halve_grad=grad)).of("Halve")
    assert (found.ops, found.possible) == (("Sharpen", "Reshape"), ("Sharpen",))


def test_a_gradient_that_a_call_makes_is_told_by_its_maker() -> None:
    """``_maker(2, blur)`` is another function than ``blur``, which it is made with."""
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.ops.nn_ops import blur


def _maker(rank, function):
  def _grad(op, grad):
    return gen_nn_ops.sharpen(function(grad))
  return _grad


ops.RegisterGradient("Halve")(_maker(2, blur))
ops.RegisterGradient("EagerHalve")(decorated("text", blur))
"""
    gradients = PythonGradients(side(tensorflow__python__ops__halve_grad=grad))
    (made,), (named,) = gradients.of("Halve"), gradients.of("EagerHalve")
    assert (made.function, made.ops) == ("halve_grad._maker", ("Sharpen",))
    assert named.function == "halve_grad.blur"


def test_helpers_of_the_file_make_the_ops_of_the_gradient() -> None:
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import array_ops
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import gen_nn_ops


def _both(op, grad, function):
  shape = gen_array_ops.shape(op.inputs[0])
  if op.skip:
    return None
  return array_ops.widen(gen_nn_ops.sharpen(function(grad)))


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  return _both(op, grad, gen_nn_ops.blur2d)
"""
    (found,) = PythonGradients(side(tensorflow__python__ops__halve_grad=grad)).of("Halve")
    assert set(found.ops) == {"Blur2D", "Shape", "Sharpen", "Reshape"}


def test_inputs_and_outputs_of_an_operation_are_tensors() -> None:
    grad = """
from tensorflow.python.framework import ops


def _twice(value):
  return value * 2


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  first, last = op.inputs[0], op.outputs[-1]
  rest = [each[0] for each in op.inputs]
  return _twice(first)
"""
    (found,) = PythonGradients(side(tensorflow__python__ops__halve_grad=grad)).of("Halve")
    assert set(found.ops) == {"Mul", "StridedSlice"}


def test_a_value_that_a_chain_of_calls_gives_has_the_methods_of_what_began_it() -> None:
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import gen_nn_ops


class Row:
  def turned(self, flow):
    return Row()

  def write(self, value):
    return gen_nn_ops.sharpen(value)


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  row = Row().turned(grad)
  return row.write(grad)
"""
    (found,) = PythonGradients(side(tensorflow__python__ops__halve_grad=grad)).of("Halve")
    assert found.ops == ("Sharpen",)


ROWS = """
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import gen_nn_ops


class Old:
  def turned(self):
    return gen_nn_ops.blur2d(1)

  def write(self, value):
    return gen_nn_ops.sharpen(value)


class New:
  def turned(self):
    raise NotImplementedError

  def write(self, value):
    return gen_array_ops.halve(value)


class Row:
  def __init__(self):
    if control_flow_util.EnableControlFlowV2(graph):
      kind = New
    else:
      kind = Old
    self._kept = kind()

  def turned(self):
    return self._kept.turned()

  def write(self, value):
    return self._kept.write(value)
"""


def test_what_the_class_of_2_x_refuses_is_done_by_the_other_class() -> None:
    grad = """
from tensorflow.python.framework import ops
from tensorflow.python.ops import row_ops


@ops.RegisterGradient("Halve")
def _HalveGrad(op, grad):
  row = row_ops.Row().turned()
  return row.write(grad)


@ops.RegisterGradient("Sharpen")
def _SharpenGrad(op, grad):
  row = row_ops.Row()
  return row.write(grad)
"""
    found = PythonGradients(side(tensorflow__python__ops__halve_grad=grad, tensorflow__python__ops__row_ops=ROWS))
    assert [set(found.of(op)[-1].ops) for op in ("Halve", "Sharpen")] == [{"Blur2D", "Sharpen"}, {"Halve"}]
