"""Operators of Python make an op where one of their operands is a tensor."""

import pytest

from tests.ops.tensorflow.small_tree import ops_of, side

SCALED = """
def scaled(x, n, sizes):
  \"\"\"Scales.

  Args:
    x: A `Tensor` of numbers.
    n: An int or a `Tensor`.
    sizes: A list of ints, one for each dimension of the tensor.
  \"\"\"
  return {body}

def by(a, k=2):
  return a * k

def of(a, k):
  return by(-k, a)

def together(inputs):
  output = inputs[0]
  for i in range(1, len(inputs)):
    output *= inputs[i]
  return output

def widened(inputs, wide):
  if not isinstance(inputs, list):
    raise ValueError
  for each in inputs:
    wide = gen_array_ops.halve(each)
  return together(inputs)

def listed(x):
  made = [gen_array_ops.halve(x)]
  return together(made)

def mixed(x, n):
  made = [gen_array_ops.halve(x), n]
  return together(made)

def joined(x):
  dims = sizes_of(x)
  return dims[1:] + dims[:1]

def sizes_of(x):
  dims = x.shape.as_list()
  dims[0] = gen_array_ops.halve(x)
  return dims

def refilled(sizes, x):
  made = []
  for _ in sizes:
    made.append(gen_array_ops.halve(x))
  return together(made)

def without(inputs):
  return inputs[1:] * len(inputs)
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("x * 2", {"Mul": ""}),
        ("sizes * 2, sizes[0] * 2", {}),
        ("n * 2", {"Mul": "if n is a tensor"}),
        ("x * n", {"Mul": ""}),  # a tensor and anything
        ("by(3)", {}),
        ("by(sizes[0] + 1, k=len(sizes)), gen_array_ops.halve(x)", {"Halve": ""}),
        ("by(gen_array_ops.halve(x))", {"Halve": "", "Mul": ""}),
        ("by(x + 1)", {"Mul": ""}),
        ("by(n, x)", {"Mul": ""}),
        ("by(n)", {"Mul": "if a or k is a tensor"}),
        ("of(2, x)", {"Mul": ""}),
        ("of(2, n)", {"Mul": "if a or k is a tensor"}),
        ("together(x)", {"Mul": ""}),
        ("together(n)", {"Mul": "if a member of inputs is a tensor"}),
        ("listed(x)", {"Halve": "", "Mul": ""}),
        ("mixed(x, n)", {"Halve": "", "Mul": "if a member of inputs is a tensor"}),
        ("joined(x)", {"Halve": ""}),
        ("refilled(sizes, x), refilled(sizes, n)", {"Halve": "", "Mul": ""}),
        ("widened(n, n)", {"Halve": "", "Mul": ""}),  # what is halved one by one are tensors
        ("refilled(sizes, x)", {"Halve": "", "Mul": ""}),
        ("together(sizes)", {}),
        ("without(x)", {}),
        ("by(n), by(x)", {"Mul": ""}),  # known by one way is known
    ],
)
def test_an_operator_makes_an_op_where_it_works_on_a_tensor(body: str, found: dict[str, str]) -> None:
    text = f"from tensorflow.python.ops import gen_array_ops\n{SCALED.format(body=body)}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = made.walker.uses(made.exports.find("more_ops.scaled")[0].symbol, implied=False)
    assert {use.op: use.conditions[0].text if use.possible else "" for use in uses} == found


def test_whole_numbers_decide_as_texts_do() -> None:
    text = "def g(x, n=2):\n  return gen_array_ops.halve(x) if n == {n} else gen_array_ops.shape(x)\n"
    calls = {
        "g(x)": {"Halve"},
        "g(x, 3)": {"Shape"},
        "g(x, m())": {"Halve", "Shape"},
        "g(x, m() + 1)": {"Halve", "Shape"},
    }
    assert {call: ops_of(f"{text.format(n=2)}def f(x):\n  return {call}\n", "f") for call in calls} == calls
    ordered = text.replace("n == {n}", "n >= {n}").format(n=3)
    assert ops_of(f"{ordered}def f(x):\n  return g(x, 4)\n", "f") == {"Halve", "Shape"}


SEVERAL = """
py_all = all

def all(x):
  return gen_array_ops.shape(x)

def cut(x):
  return gen_array_ops.cut(x)

def both(x):
  return gen_array_ops.halve(x), x

def along(x, axis=-1):
  if axis < 0:
    axis %= rank(x)
  return run(axis, gen_array_ops.halve(x))

def run(axis, x):
  return sharpen_ops.sharpen(axis, x)

def renamed(x, wide=None, broad=None):
  wide = deprecation.deprecated_argument_lookup("wide", wide, "broad", broad)
  return gen_array_ops.halve(x) if wide else gen_array_ops.shape(x)
"""


@pytest.mark.parametrize(
    ("body", "ops"),
    [
        ("cut(x)[0]", {"Cut"}),  # an op with two outputs gives a tuple
        ("gen_array_ops.cut(x)[1]", {"Cut"}),
        ("both(x)[0]", {"Halve"}),
        ("gen_array_ops.halve(x)[0]", {"Halve", "StridedSlice"}),
        ("py_all(x)", set()),  # Python's own, above the function of that name
        ("all(x)", {"Shape"}),
        ("along(x, 1)", {"Halve"}),
        ("along(x, axis())", {"Halve"}),  # what is below 0 in a test is no tensor
        ("renamed(x)", {"Shape"}),
        ("renamed(x, broad=True)", {"Halve", "Shape"}),
    ],
)
def test_what_is_no_single_tensor_makes_no_op(body: str, ops: set[str]) -> None:
    assert ops_of(f"{SEVERAL}\ndef f(x):\n  return {body}\n", "f") == ops


def test_texts_are_split_too() -> None:
    assert ops_of("def f(op):\n  parts = op.name.split('/')\n  return parts[0] + parts[1]\n", "f") == set()


@pytest.mark.parametrize(
    "body",
    [
        "warn('no %s' % x)",
        "raise_(f'{x}' + x)",
        "dims = sorted(x)\n  return dims[-1] + 1",
        "x = tuple(x)\n  return x[0] * 2",
        "y = x[0:1, 0]\n  if y < 2: raise_()",
        "some = [g(each) for each in x]\n  return some + x[1:, 0] + x",
    ],
)
def test_values_of_python_make_no_op(body: str) -> None:
    assert ops_of(f"def f(x):\n  {body}\n", "f") <= {"StridedSlice"}
