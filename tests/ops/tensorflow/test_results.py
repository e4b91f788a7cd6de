"""What a function's result is made of: which ops a public function is about."""

from dataclasses import replace

import pytest

from bzlgraph.base.span import Location
from bzlgraph.ops.model import OpUse, PythonStep
from bzlgraph.ops.tensorflow.headlines import main_ops
from tests.ops.tensorflow.small_tree import side

HEAD = "from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n"


def returned(text: str, name: str) -> list[str]:
    made = side(tensorflow__python__ops__more_ops=HEAD + text)
    return list(made.walker.walk(made.exports.find(f"more_ops.{name}")[0].symbol).returned)


def test_a_function_inside_gives_the_member_that_is_taken() -> None:
    text = """
def product(x, y, axes):
  def flat(a):
    if axes is None:
      return gen_array_ops.shape(a), gen_nn_ops.sharpen(axes)
    return a, gen_nn_ops.blur2d(axes, 1)
  one, dims = flat(x)
  return gen_array_ops.reshape(gen_array_ops.halve(one), dims)
"""
    assert sorted(returned(text, "product")) == ["Halve", "Reshape", "Shape"]


def test_a_function_inside_that_is_handed_on_gives_the_result() -> None:
    text = """
def chosen(x):
  def there(y):
    return gen_array_ops.halve(y)
  def unused(y):
    return gen_nn_ops.sharpen(y)
  return cond(x > 0, there, other=lambda: x)
"""
    assert returned(text, "chosen") == ["Halve"]


def test_a_function_that_gives_back_another_is_about_what_that_gives() -> None:
    text = "\ndef maker(x):\n  def inner(y):\n    return gen_array_ops.halve(y)\n  return inner\n"
    assert returned(text, "maker") == ["Halve"]


def test_a_function_of_a_table_gives_the_result_of_its_call() -> None:
    text = """
def chosen(x, n):
  table = {1: gen_array_ops.halve, 2: gen_nn_ops.sharpen}
  op = table[n]
  return op(x, gen_array_ops.shape(n))
"""
    assert sorted(returned(text, "chosen")) == ["Halve", "Sharpen"]


def test_the_test_of_a_loop_is_not_what_it_gives_and_members_of_a_list_are() -> None:
    text = """
def loop(x, n):
  test = lambda i: gen_array_ops.shape(i)
  _, found = while_loop(test, lambda i: gen_array_ops.halve(i), [x])
  return [gen_nn_ops.sharpen(each) for each in found] if n else found
"""
    assert sorted(returned(text, "loop")) == ["Halve", "Sharpen"]


def test_a_function_that_gives_an_object_gives_what_this_is_made_with() -> None:
    text = """
class Queue:
  def __init__(self, size):
    self._size = gen_array_ops.shape(size)
    handle = gen_nn_ops.sharpen(gen_array_ops.shape(size))
    super(Queue, self).__init__(size, handle)
    gen_array_ops.reshape(size, [1])

def queue(x):
  check = gen_array_ops.halve(x)
  made = Queue(x)
  made.name = check
  return made

def perhaps(x):
  return Queue(x) if x.wide else x
"""
    assert sorted(returned(text, "queue")) == ["Shape", "Sharpen"]
    assert returned(text, "perhaps") == []


@pytest.mark.parametrize("text", ["with_dependencies([{}], {})", "cond({}, lambda: {}, f)", "group([{}], {})"])
def test_what_only_happens_before_is_not_what_is_given(text: str) -> None:
    made = text.format("gen_nn_ops.sharpen(x)", "gen_array_ops.halve(x)")
    given = ["Halve"] if not text.startswith("group") else ["Sharpen"]  # whose arguments are alike
    assert returned(f"\ndef f(x):\n  return {made}\n", "f") == given


@pytest.mark.parametrize(("returned", "first"), [(["While", "Shape"], "While"), (["While", "Halve"], "Halve")])
def test_a_function_that_gives_what_a_loop_does_is_about_the_loop(returned: list[str], first: str) -> None:
    place = Location("a.py", 1, 0)
    uses = [OpUse(each, f"gen_ops.{each}", place) for each in ("Shape", "LogicalAnd", "Halve")]
    uses.append(OpUse("While", "gen_ops.While", place, certain=False))
    assert main_ops(uses, (), returned)[0] == first
    assert "LogicalAnd" in main_ops(uses, (), returned)


def test_an_operator_that_surely_gives_the_result_counts_and_checks_do_not() -> None:
    place, step = Location("a.py", 1, 0), PythonStep("check_ops.assert_positive", Location("b.py", 1, 0))
    uses = [
        OpUse("RealDiv", "", place),
        OpUse("NoOp", "gen_ops.no_op", place, (step,)),
        OpUse("Less", "gen_ops.less", place, (step,)),
        OpUse("Sum", "gen_ops._sum", place, (replace(step, name="math_ops.reduce_sum"),)),
    ]
    assert main_ops(uses, (), ["RealDiv", "Sum"]) == ("Sum", "RealDiv")
    assert main_ops(uses[1:3], (), []) == ("NoOp", "Less")


def test_what_a_loop_does_comes_behind_the_loop() -> None:
    place, step = Location("a.py", 1, 0), PythonStep("f.g", Location("b.py", 1, 0))
    uses = [OpUse(op, f"gen_ops.{op}", place, (step,), certain=False) for op in ("Select", "While")]
    assert main_ops([OpUse("All", "gen_ops._all", place, certain=False), *uses], (), ["Select", "While"])[0] == "While"


@pytest.mark.parametrize("op", ["Switch", "Merge", "Enter", "Exit", "NextIteration", "While", "Reshape", "PadV2"])
def test_what_only_leads_values_through_branches_and_loops_is_not_what_a_function_is_about(op: str) -> None:
    uses = [OpUse(each, f"gen_ops.{each}", Location("a.py", 1, 0), (), True) for each in (op, "Halve")]
    assert main_ops(uses, (), [op, "Halve"]) == ("Halve",)


def test_a_member_of_a_table_of_the_module_gives_the_result() -> None:
    text = """
def _halved(x):
  return gen_array_ops.halve(x)

TABLE = {"half": _halved}

def chosen(x, kind):
  return TABLE[kind](gen_nn_ops.sharpen(x), 1)
"""
    assert sorted(returned(text, "chosen")) == ["Halve", "Sharpen"]


@pytest.mark.parametrize(("sure", "main"), [(True, ("Halve", "Less")), (False, ("Halve", "Cut", "Less"))])
def test_what_may_be_made_beside_a_sure_result_is_not_what_it_is_about(sure: bool, main: tuple[str, ...]) -> None:
    place = Location("a.py", 1, 0)
    uses = [
        OpUse("Cut", "gen_ops.cut", place, certain=False),
        OpUse("Less", "gen_ops.less", place, certain=True),
        OpUse("Halve", "gen_ops.halve", place, (PythonStep("a.f", place),), certain=sure),
    ]
    assert main_ops(uses, (), ["Halve"]) == main


def test_where_one_branch_alone_is_nearest_the_other_is_named_too() -> None:
    text = """
def reached(x):
  return gen_nn_ops.sharpen(gen_array_ops.shape(x))

def either(x, kind):
  if kind == 1:
    return gen_array_ops.halve(x)
  return reached(x)
"""
    made = side(tensorflow__python__ops__more_ops=HEAD + text)
    walk = made.walker.walk(made.exports.find("more_ops.either")[0].symbol)
    assert main_ops(tuple(walk.found.values())) == ("Halve", "Sharpen")
