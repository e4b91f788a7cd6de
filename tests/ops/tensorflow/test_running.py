"""What surely runs, what may, and what ran before: functions inside of others, attributes."""

import pytest

from tests.ops.tensorflow.small_tree import side

INSIDE = """
def f(x, last):
  def swap(y):
    return gen_array_ops.shape(y)
  def always(y):
    return gen_nn_ops.sharpen(y)
  y = run(always, x)
  if last:
    return y
  return gen_array_ops.halve(swap(x))
"""


def test_a_function_inside_is_as_certain_as_its_calls() -> None:
    text = f"from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n{INSIDE}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op: use.certain for use in uses} == {"Sharpen": True, "Shape": False, "Halve": False}


KEPT = """
class Kept:
  def __init__(self, x):
    self._made = gen_array_ops.halve(x)
    self._run = gen_nn_ops.sharpen
    self._weight = self.add(x)

  def add(self, x):
    return gen_array_ops.eager_halve(x)

  def weigh(self):
    return gen_array_ops.shape(self._weight)

  def read(self):
    return gen_array_ops.shape(self._made)

  def run(self, x):
    return self._run(x)
"""


@pytest.mark.parametrize(("method", "ops"), [("read", {"Shape"}), ("weigh", {"Shape"}), ("run", {"Sharpen"})])
def test_what_made_an_attribute_does_not_run_where_it_is_read(method: str, ops: set[str]) -> None:
    text = f"from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n{KEPT}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = made.walker.uses(made.exports.find(f"more_ops.Kept.{method}")[0].symbol, implied=False)
    assert {use.op for use in uses} == ops


QUEUE = """
def made(x, capacity):
  queue = data_flow_ops.RandomShuffleQueue(capacity)
  return 2 * capacity

def left(queue, x, least):
  return queue.size() * least

def asks_made(x):
  return made(x, x.rows())

def asks_left(x):
  return left(x.queue(), x, x.least())
"""


@pytest.mark.parametrize(
    ("name", "decides"), [("made", "if capacity is a tensor"), ("left", "if least or another operand is a tensor")]
)
def test_what_decides_whether_an_operator_makes_an_op(name: str, decides: str) -> None:
    text = f"from tensorflow.python.ops import data_flow_ops, gen_array_ops, gen_nn_ops\n{QUEUE}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = {
        use.op: use for use in made.walker.uses(made.exports.find(f"more_ops.asks_{name}")[0].symbol, implied=False)
    }
    assert (uses["Mul"].possible, uses["Mul"].conditions[0].text) == (True, decides)


GIVEN_BACK = """
def halver(size):
  gen_nn_ops.sharpen(size)
  def halve(x):
    return gen_array_ops.halve(x)
  return halve

halves = halver(2)

def at_once(x):
  return halver(2)(x)

def given(x, run=gen_array_ops.halve):
  gen_nn_ops.sharpen(x)

def wrapped(f):
  gen_nn_ops.sharpen(f)
  @custom_gradient
  def halve(x):
    return gen_array_ops.halve(x)
  return tf_decorator.make_decorator(f, halve)

class Estimator(Base):
  def __init__(self, x):
    def model(y):
      return gen_array_ops.halve(y)
    super(Estimator, self).__init__(model_fn=model, size=gen_nn_ops.sharpen(x))
"""


@pytest.mark.parametrize(
    ("name", "certain", "decides"),
    [
        ("halver", False, ["if halve is called"]),
        ("halves", True, []),
        ("at_once", True, []),
        ("given", False, ["if run is not given and is called"]),
        ("Estimator", False, ["when model is called"]),
        ("wrapped", False, ["if halve is called"]),
    ],
)
def test_what_is_given_back_or_rule_cache_when_it_is_called(name: str, certain: bool, decides: list[str]) -> None:
    text = f"from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n{GIVEN_BACK}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = {use.op: use for use in made.walker.uses(made.exports.find(f"more_ops.{name}")[0].symbol, implied=False)}
    assert [each.text for each in uses["Halve"].conditions] == decides
    assert (uses["Halve"].certain, uses["Sharpen"].certain) == (certain, True)


METRIC = """
class Rate:
  def __init__(self, parts):
    self.hits = self.add_weight("hits")
    self.misses = self.add_weight("misses")
    self.size = 2
    self.parts = len(parts)
    self.kept = None
    super(Rate, self).__init__(parents=[self.hits])

  def reset(self):
    self.kept = gen_array_ops.shape(1)

  def result(self):
    return gen_array_ops.halve(self.hits * self.misses)

  def count(self):
    gen_nn_ops.sharpen(1)
    return self.size * self.parts * self.kept
"""


@pytest.mark.parametrize(("method", "ops"), [("__init__", set()), ("result", {"Halve", "Mul"}), ("count", {"Sharpen"})])
def test_attributes_that_are_variables_have_operators(method: str, ops: set[str]) -> None:
    text = f"from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n{METRIC}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = made.walker.uses(made.exports.find(f"more_ops.Rate.{method}")[0].symbol, implied=False)
    assert {use.op for use in uses} == ops


COMPARED = """
def f(x):
  return gen_nn_ops.sharpen(x), 0 < gen_nn_ops.sharpen(x), abs(gen_nn_ops.sharpen(x)) <= 1

def g(xs, names):
  for x in xs[1:]:
    gen_array_ops.halve(x)
  return [gen_nn_ops.sharpen(x) for x in names.kept]
"""


def test_a_comparison_is_that_of_its_tensor() -> None:
    text = f"from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n{COMPARED}"
    made = side(tensorflow__python__ops__more_ops=text)
    made.walker.making.known = lambda op: True
    uses = made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)
    assert {use.op for use in uses} == {"Sharpen", "Greater", "Abs", "LessEqual"}


def test_a_loop_over_what_may_have_no_member_may_have_no_turn() -> None:
    text = f"from tensorflow.python.ops import gen_array_ops, gen_nn_ops\n{COMPARED}"
    made = side(tensorflow__python__ops__more_ops=text)
    uses = made.walker.uses(made.exports.find("more_ops.g")[0].symbol, implied=False)
    assert {use.op: (use.certain, use.conditions[0].text) for use in uses} == {
        "Sharpen": (False, "for any x in names.kept"),
        "Halve": (False, "for any x in xs[1:]"),
    }
