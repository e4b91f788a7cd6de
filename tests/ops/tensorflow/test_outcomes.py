"""What a function makes of a text that it is given decides on branches: ``number_of("fast")``."""

import pytest

from tests.ops.tensorflow.small_tree import side

TEXT = """
from tensorflow.python.ops import gen_array_ops, gen_nn_ops

class Kind(enum.Enum):
  FAST = 1
  EXACT = 2
  ANY = 3

def number_of(kind):
  if isinstance(kind, int):
    return kind
  if isinstance(kind, Kind):
    return kind.value
  if isinstance(kind, str):
    plain = kind.strip().lower().replace("-", "").replace("_", "")
    if plain == "fast":
      return Kind.FAST.value
    elif plain == "anykind":
      return Kind.ANY.value
    else:
      raise ValueError(kind)
  else:
    raise TypeError(kind)

def make(x, kind):
  if kind == Kind.ANY.value:
    return gen_array_ops.halve(x)
  elif kind == Kind.FAST.value:
    return gen_nn_ops.sharpen(x)
  elif kind == Kind.EXACT.value:
    return gen_array_ops.cut(x)
  raise ValueError(kind)

def made(x, kind):
  if kind is None:
    kind = Kind.ANY.value
  kind = number_of(kind)
  return make(x, kind)

def draw(x, kind="any_kind"):
  return made(x, kind)

def any_kind(x):
  return draw(x)

def fast(x):
  return draw(x, "fast")

def left_out(x):
  return draw(x, None)

def exact(x):
  return draw(x, 2)

def shout(x):
  return draw(x, "FAST")

def at_once(x, kind="fast"):
  return make(x, number_of(kind))

def once(x):
  return at_once(x)
"""
ALL = ["Cut", "Halve", "Sharpen"]


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("any_kind", ["Halve"]),
        ("fast", ["Sharpen"]),
        ("shout", ["Sharpen"]),
        ("left_out", ALL),  # what a parameter is filled with is no text that the function asks for
        ("exact", ALL),  # which member has a number is not known
        ("draw", ALL),
        ("once", ["Sharpen"]),
    ],
)
def test_returns_for_a_text_decide(name: str, made: list[str]) -> None:
    tree = side(tensorflow__python__ops__more_ops=TEXT)
    uses = tree.walker.uses(tree.exports.find(f"more_ops.{name}")[0].symbol, implied=False)
    assert sorted({use.op for use in uses} & set(ALL)) == made
