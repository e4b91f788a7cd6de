"""Gradients registered in Python."""

from bzlgraph.ops.model import NO_GRADIENT
from bzlgraph.ops.tensorflow.python.gradients import PythonGradients
from tests.ops.tensorflow.small_tree import side


def test_a_registered_gradient_and_its_ops() -> None:
    (found,) = PythonGradients(side()).of("Blur2D")
    assert (found.function, found.ops, found.location.line) == ("nn_grad._BlurGrad", ("Blur2DBackprop",), 6)


def test_an_op_that_is_said_to_have_none() -> None:
    (found,) = PythonGradients(side()).of("Shape")
    assert (found.function, found.location.line) == (NO_GRADIENT, 10)
    assert PythonGradients(side()).of("Sharpen") == ()
