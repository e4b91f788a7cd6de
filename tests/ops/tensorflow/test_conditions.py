"""What decides whether a function makes an op: the tests on the way, as they are written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bzlgraph.export.op_formats.text import MAY, answer_text
from bzlgraph.ops.model import OpUse
from bzlgraph.ops.tracer import Answer, OpTrace
from tests.ops.tensorflow.small_tree import side

HEAD = """\
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import gen_nn_ops

def only(x):
  if x.dtype == 'bool':
    return gen_array_ops.halve(x)
  return x

"""


def uses(body: str, parameters: str = "x, n, xs, mode") -> dict[str, OpUse]:
    """Op -> its use in a function with that body."""
    text = f"{HEAD}def f({parameters}):\n" + "".join(f"  {line}\n" for line in body.splitlines())
    made = side(tensorflow__python__ops__more_ops=text)
    return {use.op: use for use in made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)}


@pytest.mark.parametrize(
    ("body", "told", "certain"),
    [
        ("return gen_array_ops.halve(x)", [], True),
        ("if n:\n  return gen_array_ops.halve(x)", ["if n"], False),
        ("if n > 2 or x.ok:\n  pass\nelse:\n  gen_array_ops.halve(x)", ["if not (n > 2 or x.ok)"], False),
        ("if n:\n  return x\nreturn gen_array_ops.halve(x)", ["if not n"], False),
        ("if not n:\n  return x\nelif x.a:\n  return n\nreturn gen_array_ops.halve(x)", ["if not x.a", "if n"], False),
        ("if n is not None:\n  return x\nreturn gen_array_ops.halve(x)", ["if n is None"], False),
        ("if n in xs:\n  return x\nreturn gen_array_ops.halve(x)", ["if n not in xs"], False),
        ("if n == 2:\n  return x\nreturn gen_array_ops.halve(x)", ["if not (n == 2)"], False),
        ("if n:\n  raise ValueError\nreturn gen_array_ops.halve(x)", [], True),
        ("if not executing_eagerly():\n  if n:\n    return x\nreturn gen_array_ops.halve(x)", ["if not n"], False),
        ("if executing_eagerly():\n  return n\nelif n:\n  return x\nreturn gen_array_ops.halve(x)",
            ["if not n"], False),
        ("if x.a:\n  if n:\n    return x\nreturn gen_array_ops.halve(x)", ["unless line 12 returns"], False),
        ("if n:\n  for each in xs:\n    if each:\n      return x\n    return n\nreturn gen_array_ops.halve(x)",
            ["unless line 13 or 14 returns"], False),
        ("if x.a:\n  if n:\n    return x\n  else:\n    return n\nreturn gen_array_ops.halve(x)", ["if not x.a"], False),
        ("for i, each in xs:\n  gen_array_ops.halve(each)", ["for each i, each in xs"], True),
        ("for each in xs:\n  if each.a:\n    continue\n  gen_array_ops.halve(each)",
            ["if not each.a", "for each each in xs"], False),
        ("while x.more():\n  gen_array_ops.halve(x)", ["while x.more()"], True),
        ("return [gen_array_ops.halve(each) for each in xs if each]", ["if each", "for each each in xs"], False),
        ("match n:\n  case [a]:\n    return x\n  case [a, b] if mode:\n    return gen_array_ops.halve(x)",
            ["if n matches [a, b] if mode"], False),
        ("match n:\n  case [a]:\n    return x\nreturn gen_array_ops.halve(x)", ["unless line 12 returns"], False),
        ("try:\n  x.go()\nexcept (Odd, Bad):\n  gen_array_ops.halve(x)", ["on (Odd, Bad)"], False),
        ("try:\n  x.go()\nexcept:\n  gen_array_ops.halve(x)", ["on any error"], False),
        ("return lambda: gen_array_ops.halve(x)", ["when the lambda of line 10 is called"], False),
        ("def g():\n  return gen_array_ops.halve(x)\nreturn g if n else x", ["when g is called"], False),
        ("return n and x.a and gen_array_ops.halve(x)", ["if x.a", "if n"], False),
        ("return n is None or gen_array_ops.halve(x)", ["if n is not None"], False),
        ("return {'a': gen_array_ops.halve, 'b': x}[mode](x)", [], True),
        ("t = {'a': gen_array_ops.halve(x), 'b': x}\nreturn t[mode]", ["if mode == 'a'"], False),
        ("if (n and\n    x.a):  # why\n  gen_array_ops.halve(x)", ["if n and x.a"], False),
        ("g = x.g\nif n:\n  g = gen_array_ops.halve\nreturn g(x)", ["if n"], False),
    ],
)  # fmt: skip
def test_what_decides_is_told_as_it_is_written(body: str, told: list[str], certain: bool) -> None:
    use = uses(body)["Halve"]
    assert ([each.text for each in use.conditions], use.certain) == (told, certain)


def test_those_of_all_functions_on_the_way_nearest_to_the_op_first() -> None:
    first, second = uses("if n:\n  return only(x)")["Halve"].conditions
    assert (first.text, first.function, first.location.line) == ("if x.dtype == 'bool'", "more_ops.only", 5)
    assert (second.text, second.function, second.location.line) == ("if n", "more_ops.f", 10)


def test_other_ways_are_counted_and_one_that_is_always_gone_is_what_counts() -> None:
    both = uses("if n:\n  return gen_array_ops.halve(x)\nreturn gen_array_ops.halve(n) if mode else x")["Halve"]
    assert ([each.text for each in both.conditions], both.other_ways) == (["if n"], 1)
    always = uses("y = only(x)\nreturn gen_array_ops.halve(y)")["Halve"]
    assert (always.certain, always.conditions, always.other_ways) == (True, (), 0)
    through = uses("if n:\n  return only(x)\nreturn only(xs) if mode else x")["Halve"]
    assert ([each.text for each in through.conditions], through.other_ways) == (["if x.dtype == 'bool'", "if n"], 1)
    less = uses("if n:\n  only(x)\nreturn only(xs)")["Halve"]
    assert ([each.text for each in less.conditions], less.other_ways) == (["if x.dtype == 'bool'"], 0)
    itself = uses("if n:\n  return again(x)\ndef again(x):\n  return gen_array_ops.halve(x) if x.a else again(x)")
    assert itself["Halve"].other_ways == 0
    late = uses("if n:\n  only(x)\nhelp(x)\ndef help(x):\n  return gen_array_ops.halve(x)")["Halve"]
    assert late.certain


def test_ways_beyond_the_most_that_are_followed_are_said_to_be_there() -> None:
    body = "".join(f"if x.a{at}:\n  only(x)\n" for at in range(6))
    found = uses(f"{body}if n:\n  gen_nn_ops.sharpen(x)")
    assert (found["Halve"].other_ways, found["Halve"].more_ways) == (3, True)
    assert (found["Sharpen"].other_ways, found["Sharpen"].more_ways) == (0, False)
    assert "or in at least 3 other ways" in answer_text(Answer("f", "tensorflow", uses=(found["Halve"],) * 2))
    few = replace(found["Sharpen"], more_ways=True)
    assert ", or perhaps in other ways" in answer_text(Answer("f", "tensorflow", uses=(few,) * 2))


def test_the_text_shows_the_nearest_and_all_of_them_with_places_on_demand() -> None:
    found = uses(
        f"if n:\n  if mode:\n    if {' and '.join(f'xs.name_{at}' for at in range(20))}:\n      return only(x)"
    )
    use = replace(found["Halve"], other_ways=2)
    answer = Answer("f", "tensorflow", uses=(use, replace(use, op="Cast"), OpUse("Add", "", use.location)))
    also, may, note = answer_text(answer).splitlines()
    assert also.split("  ")[0].strip() == "also creates"
    assert "Halve, Cast  if x.dtype == 'bool' in more_ops.only and if xs.name_0 and xs.name_1" in may
    assert " ... in more_ops.f, and 2 more conditions, or in 2 other ways" in may
    everything = answer_text(answer, everything=True)
    assert "if n (tensorflow/python/ops/more_ops.py:10) in more_ops.f" in everything
    assert "xs.name_19" in everything
    assert note.strip() == f"note: {MAY}"
    assert MAY not in answer_text(replace(answer, uses=answer.uses[2:])), "what every call makes is no branch"


def test_what_only_a_branch_calls_may_be_called() -> None:
    (called,) = uses("gen_nn_ops.sharpen(x)").values()
    story = OpTrace("Sharpen")
    for use, verb in ((called, "calls"), (replace(called, certain=False), "may call")):
        text = answer_text(Answer("f", "tensorflow", uses=(use,), stories=(story,)))
        assert text.splitlines()[0].split("  ")[0] == f" {verb} gen_nn_ops.sharpen"


def test_a_branch_for_sparse_tensors_may_make_the_same_op() -> None:
    """It is not entered, but an op does not depend on a tensor being dense if it makes that, too."""
    text = (
        f"{HEAD}def count(x):\n  if isinstance(x, SparseTensor):\n    return gen_array_ops.halve(x.values)\n"
        "  return gen_nn_ops.sharpen(gen_array_ops.halve(x))\ndef f(x):\n  return count(x)\n"
    )
    made = side(tensorflow__python__ops__more_ops=text)
    found = {use.op: use for use in made.walker.uses(made.exports.find("more_ops.f")[0].symbol, implied=False)}
    assert {op: [each.text for each in use.conditions] for op, use in found.items()} == {
        "Sharpen": ["if not isinstance(x, SparseTensor)"],
        "Halve": ["if not isinstance(x, SparseTensor)"],
    }
    assert (found["Halve"].more_ways, found["Sharpen"].more_ways) == (True, False)


KEPT = """\
class Kept:
  def __init__(self, x, way):
    self.run = None
    self.first = way
    if way:
      self.run = gen_array_ops.halve
    else:
      self.run = self.sharpen
    self.other = Maker(x)
  def sharpen(self, x):
    return gen_nn_ops.sharpen(x)
  def __call__(self, x):
    return self.run(x)
  def again(self, x):
    return self.other(x)
class Maker:
  def __init__(self, x):
    self.x = x
  def __call__(self, x):
    return gen_nn_ops.blur2d(x)
"""


def told_of(name: str) -> dict[str, tuple[bool, list[str]]]:
    made = side(tensorflow__python__ops__more_ops=HEAD + KEPT)
    (found,) = made.exports.find(f"more_ops.{name}")
    uses = made.walker.uses(found.symbol, implied=False)
    return {use.op: (use.certain, [each.text for each in use.conditions]) for use in uses}


def test_an_attribute_is_one_of_the_values_that_it_is_assigned() -> None:
    assert told_of("Kept.__call__") == {
        "Halve": (False, ["if self.run is what line 14 assigns"]),
        "Sharpen": (False, ["if self.run is what line 16 assigns"]),
    }
    assert told_of("Kept.again") == {"Blur2D": (True, [])}  # the only one


def test_a_local_name_with_a_known_answer_decides_as_what_it_is_assigned() -> None:
    body = """in_graph = not context.executing_eagerly()
if in_graph:
  x = gen_array_ops.halve(x)
if not in_graph:
  x = gen_nn_ops.sharpen(x)
twice = context.executing_eagerly()
twice = mode
return gen_array_ops.reshape(x, [1]) if twice else x"""
    found = uses(body)
    assert {op: use.certain for op, use in found.items()} == {"Halve": True, "Reshape": False}
