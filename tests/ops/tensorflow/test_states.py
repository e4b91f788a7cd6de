"""Which of two ops a condition makes: whether the functions that it is given make ops with a state decides."""

import pytest

from tests.ops.tensorflow.small_tree import side

TEXT = """
from tensorflow.python.framework import func_graph
from tensorflow.python.ops import gen_array_ops, gen_nn_ops

def cond(pred, true_fn=None, false_fn=None, fn=None):
  if fn is not None:
    true_fn = fn
  elif true_fn is None:
    raise TypeError
  return cond_of_graphs(pred, true_fn, false_fn)

def cond_of_graphs(pred, true_fn, false_fn):
  true_graph = func_graph.func_graph_from_py_func("true", true_fn, [])
  false_graph = func_graph.func_graph_from_py_func("false", false_fn, [])
  return build(pred, true_graph, false_graph)

def build(pred, true_graph, false_graph):
  some = [op for op in true_graph.get_operations() if _is_op_stateful(op)]
  others = [op for op in false_graph.get_operations() if op._is_stateful]
  if some or others:
    op_fn = gen_array_ops.cut
  else:
    op_fn = gen_array_ops.less
  def make(inputs):
    return op_fn(pred, inputs)
  return run(make)

def loop(test, body):
  def wrapped(*args):
    return test(*args)
  graph = func_graph.func_graph_from_py_func("test", wrapped, [])
  return build(0, graph, func_graph.func_graph_from_py_func("body", body, []))

def looped(x):
  return loop(lambda: gen_nn_ops.sharpen(x), x)

def nothing():
  return gen_array_ops.halve(0)

def draw(x):
  return gen_nn_ops.sharpen(x)

def plain(x):
  return cond(x, lambda: gen_array_ops.halve(x), nothing)

def drawn(x):
  def do_it():
    return draw(x)
  return cond(x, nothing, do_it)

def drawn_in_a_lambda(x):
  return cond(x, nothing, lambda: [draw(each) for each in x])

def perhaps(x, wild=False):
  def do_it():
    if x.ok:
      return draw(x)
    return x
  return cond(x, nothing, do_it)

def decided(x, wild):
  def do_it():
    return draw(x) if wild else x
  return cond(x, nothing, do_it)

def tame(x):
  return decided(x, False)

def handed_on(x, test):
  return cond(x, lambda: test(x), nothing)

def by_name(x):
  return cond(x, fn=nothing, false_fn=gen_nn_ops.sharpen)

def wrapper(x):
  return cond(x, nothing, gen_array_ops.halve)

def nested(x):
  return cond(x, nothing, lambda: drawn(x))

def nested_plain(x):
  return cond(x, nothing, lambda: plain(x))

def unknown(x, layer):
  return cond(x, nothing, lambda: layer(x))

def again(x, n):
  return cond(x, nothing, lambda: again(x, n))
"""


@pytest.mark.parametrize(
    ("name", "made", "sure"),
    [
        ("plain", {"Less"}, True),
        ("drawn", {"Cut"}, True),
        ("drawn_in_a_lambda", {"Cut"}, True),  # for each member
        ("perhaps", {"Cut", "Less"}, False),
        ("decided", {"Cut", "Less"}, False),
        ("tame", {"Less"}, True),
        ("handed_on", {"Cut", "Less"}, False),  # what a user gives does anything
        ("by_name", {"Cut"}, True),
        ("wrapper", {"Less"}, True),
        ("nested", {"Cut"}, True),  # an op that runs others has the state of those
        ("nested_plain", {"Less"}, True),
        ("unknown", {"Cut", "Less"}, False),
        ("again", {"Cut", "Less"}, False),
        ("cond", {"Cut", "Less"}, False),
        ("looped", {"Cut"}, True),
    ],
)
def test_ops_of_branches_decide(name: str, made: set[str], sure: bool) -> None:
    tree = side(tensorflow__python__ops__more_ops=TEXT)
    tree.stateful = lambda op: op in ("Cut", "Sharpen")
    uses = tree.walker.uses(tree.exports.find(f"more_ops.{name}")[0].symbol, implied=False)
    found = {use.op: use.certain for use in uses if use.op in ("Cut", "Less")}
    assert found == dict.fromkeys(made, sure)


def test_nothing_is_decided_where_nobody_knows_which_ops_have_a_state() -> None:
    tree = side(tensorflow__python__ops__more_ops=TEXT)
    uses = tree.walker.uses(tree.exports.find("more_ops.plain")[0].symbol, implied=False)
    assert {"Cut", "Less"} <= {use.op for use in uses}


def test_the_file_of_a_generated_function_is_not_looked_for() -> None:
    text = """
from tensorflow.python.ops import gen_nn_ops

def outer(x):
  return inner(x)

def inner(x, name=None):
  return gen_nn_ops.sharpen(x, name=name)
"""
    tree = side(tensorflow__python__ops__more_ops=text)
    uses = tree.walker.uses(tree.exports.find("more_ops.outer")[0].symbol, implied=False)
    assert [use.op for use in uses] == ["Sharpen"]
    assert tree.all_gaps() == ()
