"""The same rows whatever Python runs this, of a tree that is written for a newer one than the oldest that does."""

from __future__ import annotations

import json

from tests.python_source.pythons import outputs

TRACE = '''
import json
from bzlgraph.ops.jax.tracer import JaxTracer
from tests.ops.jax.small_jax import small_jax

NEWER = b"""
from typing import NamedTuple
from jax._src.lax import lax
type Pair[T] = tuple[T, T]
class Kept[T](NamedTuple):
  held: T
def named[**P](*rest: P.args):
  return f"{"lapack_" + f"{rest[0]!r:>{len("a")}}"}"
def both[T: (int, float)](x: T, y: T = 1) -> Pair[T]:
  return lax.add(lax.exp(x), y)
"""
PUBLIC = b"from jax._src.numpy.newer import both as both\\n"
files = small_jax({"jax/_src/numpy/newer.py": NEWER, "jax/numpy/__init__.py": PUBLIC})
tracer = JaxTracer(files, lambda path: (f"//{path}",))
uses = [[use.op, use.location.path, use.location.line] for use in tracer.explain("jnp.both").uses]
print(json.dumps({"uses": uses, "rows": tracer.table().rows, "gaps": [str(each) for each in tracer.gaps()]}))
'''


def test_all_pythons_find_the_same_rows() -> None:
    found = outputs(TRACE)
    (said,) = set(found.values())
    answer = json.loads(said)
    assert [use[0] for use in answer["uses"]] == ["add", "exp"], "both calls of the function with newer syntax"
    assert (len(answer["rows"]), answer["gaps"]) == (16, [])
