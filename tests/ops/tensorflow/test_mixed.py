"""What is a tensor on some ways only: static where it is known, else made by an op. Nothing of it is certain."""

import pytest

from tests.ops.tensorflow.small_tree import side

HEAD = "from tensorflow.python.ops import array_ops, gen_array_ops, gen_nn_ops\n"
SIZE = "size = x.shape[0]\n  if size is None:\n    size = gen_array_ops.shape(x)\n  "
CHOOSING = "def inner():\n    return gen_nn_ops.sharpen(x)\n  return "


def certain(body: str, more: str = "") -> dict[str, bool]:
    """The ops of ``f(x, n)`` with that body, and whether each is certain."""
    made = side(tensorflow__python__ops__more_ops=f"{HEAD}{more}\ndef f(x, n):\n  {body}\n")
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert not any(use.possible for use in found)
    return {use.op: use.certain for use in found if use.op != "Shape"}


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        (f"{SIZE}return size * 2", {"Mul": False}),
        (f"{SIZE}return (size * 2) * size", {"Mul": False}),
        (f"{SIZE}other = size\n  return other * 2", {"Mul": False}),
        (f"{SIZE}return size[0]", {"StridedSlice": False}),
        (f"{SIZE}size = gen_array_ops.shape(size)\n  return size * 2", {"Mul": True}),
        (f"{SIZE}y = gen_array_ops.shape(x)\n  return size * y", {"Mul": True}),
        ("size = gen_array_ops.shape(x) if n is None else 3\n  return size * 2", {"Mul": False}),
        ("return (gen_array_ops.shape(x) if n is None else n.shape[0]) * 2", {"Mul": False}),
        ("size = gen_array_ops.shape(x)\n  size = other.known(size)\n  return size * 2", {"Mul": False}),
        (f"{SIZE}if size is not None:\n    return gen_array_ops.halve(size)", {"Halve": False}),
    ],
)
def test_operators_on_it_may_make_ops(body: str, ops: dict[str, bool]) -> None:
    assert certain(body) == ops


@pytest.mark.parametrize(
    ("call", "sure"), [("smart_cond(n, inner, lambda: x)", False), ("cond(n, inner, other)", True)]
)
def test_a_test_that_may_be_known_runs_one_function(call: str, sure: bool) -> None:
    assert certain(CHOOSING + call) == {"Sharpen": sure}


def test_a_slice_of_what_is_a_list_by_then_may_make_no_op() -> None:
    inner = "def inner():\n    return n[1:]\n  return run(inner)"
    assert certain(f"gen_nn_ops.sharpen(n)\n  n = [gen_array_ops.shape(x)]\n  {inner}") == {
        "Sharpen": True,
        "StridedSlice": False,
    }


def test_what_is_cast_may_be_a_number() -> None:
    text = "def g(n):\n  return array_ops.cast(n), n * 2\n\ndef f(x, n):\n  return g(n)\n"
    told = text.replace(
        "  return g", '  """Halves.\n\n  Args:\n    x: A `Tensor`.\n    n: How wide.\n  """\n  return g'
    )
    made = side(tensorflow__python__ops__more_ops=HEAD + told)
    found = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op: use.possible for use in found} == {"Mul": True}


def test_a_number_by_default_is_no_tensor_of_a_function_of_arrays() -> None:
    more = "@np_doc('g')\ndef g(x, k=0):\n  return x * k, k[0]\n"
    assert certain("return g(x, n)", more) == {"Mul": True}
