"""What JAX's transformations do with primitives and functions: rules of JVP, transposition and vmap."""

from __future__ import annotations

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.jax.tracer import JaxTracer
from bzlgraph.ops.model import PythonRule
from tests.ops.jax.small_jax import small_jax

AD = b"""\
primitive_jvps = {}
primitive_transposes = {}
def defjvp(primitive, *rules):
  assert primitive
  primitive_jvps[primitive] = partial(standard_jvp, rules, primitive)
def deflinear2(primitive, rule):
  defjvp(primitive, lambda g, x: primitive.bind(g))
  primitive_transposes[primitive] = rule
def defjvp_zero(primitive): ...
"""
BATCHING = b"""\
from jax._src.lax import lax
from jax._src.util import turn
primitive_batchers = {}
def defvectorized(prim): ...
def defreducer(prim, ident): ...
def moved(x):
  return lax.transpose_p.bind(x)
def front(x):
  return turn(x, 0)
"""
MORE = b"""\
from functools import partial
from jax._src import core
from jax._src.custom_derivatives import custom_jvp, custom_vjp
from jax._src.interpreters import ad, batching
from jax._src.typing import Array
from jax._src.lax.lax import add, exp, transpose

def unop(kind, name, rule):
  prim = core.Primitive(name)
  batching.defvectorized(prim)
  ad.primitive_transposes[prim] = partial(_linear, prim)
  ad.defjvp(prim, rule)
  return prim
standard_unop = partial(unop, 'float')

def _linear(prim, ct):
  return prim.bind(ct)

def _sin_jvp(g, x):
  return exp(g * x)
sin_p = standard_unop('sin', _sin_jvp)

def _moving(args, dims, *, axis):
  return batching.moved(args[0] if axis + 1 else args)
cos_p = core.Primitive('cos')
ad.defjvp(cos_p, lambda g, x: add(g, x), None)
ad.deflinear2(cos_p, lambda ct, x: [exp(ct)])
batching.primitive_batchers[cos_p] = _moving

tan_p = core.Primitive('tan')
for p in (tan_p,):
  ad.defjvp_zero(p)
jet.defjvp(tan_p, lambda g, x: exp(g))

@custom_jvp
def soft(x: Array):
  return _soft(x)
soft.defjvps(lambda g, ans, x: -g)

@custom_jvp
def _soft(x):
  return exp(x)
@_soft.defjvp
def _soft_jvp(primals, tangents):
  x, = primals
  return exp(x), tangents[0] * x

@custom_vjp
def clipped(x):
  return exp(x)
def clipped_fwd(x):
  return exp(x), None
def clipped_bwd(kept, g):
  return (add(g, g),)
clipped.defvjp(clipped_fwd, clipped_bwd)

def _zero(dtype):
  return exp(dtype)
total_p = core.Primitive('total')
batching.defreducer(total_p, _zero)
def _inner_jvp(g, x):
  return g * x
def _outer_jvp(g, x):
  return -_inner_jvp(g, x)
turned_p = core.Primitive('turned')
ad.defjvp(turned_p, _outer_jvp)
ad.primitive_linearizations[turned_p] = _inner_jvp
batching.primitive_batchers[turned_p] = lambda args, dims: batching.front(args[0])
"""
FILES = {
    "jax/_src/core.py": b"class Primitive: pass\n",
    "jax/_src/interpreters/ad.py": AD,
    "jax/_src/interpreters/batching.py": BATCHING,
    "jax/_src/lax/lax.py": b"""\
from jax._src import core
add_p, exp_p = core.Primitive('both'), 1
def add(x, y):
  return adding_p.bind(x, y)
def mul(x, y):
  return mul_p.bind(x, y)
def neg(x):
  return neg_p.bind(x)
def exp(x):
  return exping_p.bind(x)
def transpose(x):
  return transpose_p.bind(x)
adding_p = core.Primitive('add')
mul_p = core.Primitive('mul')
neg_p = core.Primitive('neg')
exping_p = core.Primitive('exp')
transpose_p = core.Primitive('transpose')
""",
    "jax/_src/numpy/array_methods.py": b"from jax._src.lax import lax\n"
    b'_array_operators = {"getitem": lax.transpose, "mul": lax.mul, "neg": lax.neg}\n'
    b'_array_methods = {"lay": lax.transpose}\n',
    "jax/_src/util.py": b"from jax._src.typing import Array\ndef turn(x: Array, by):\n  return x.lay(by)\n",
    "jax/_src/numpy/more.py": MORE,
    "jax/numpy/__init__.py": b"from jax._src.numpy.more import soft as soft, clipped as clipped\n",
}


REGISTERED_AGAIN = b"""\
from jax._src import core
from jax._src.interpreters import ad, batching
from jax._src.lax.lax import add, exp

def made(name, batched=True):
  prim = core.Primitive(name)
  if batched:
    batching.primitive_batchers[prim] = lambda args, dims: exp(args[0])
  ad.primitive_transposes[prim] = lambda ct, x: exp(ct)
  return prim
again_p = made('again')
batching.primitive_batchers[again_p] = lambda args, dims: add(args[0], args[0])
if exp:
  ad.primitive_transposes[again_p] = lambda ct, x: add(ct, x)
ad.defjvp(again_p, lambda g, x: exp(g))
ad.primitive_linearizations[again_p] = lambda g, x: exp(g)
"""
ELSEWHERE = b"""\
from jax._src.interpreters import ad
from jax._src.numpy.again import again_p
from jax._src.lax.lax import add
ad.defjvp(again_p, lambda g, x: add(g, g))
"""


def test_a_rule_that_the_same_module_replaces_is_none() -> None:
    more = {"jax/_src/numpy/again.py": REGISTERED_AGAIN, "jax/_src/numpy/late.py": ELSEWHERE}
    (story,) = JaxTracer(small_jax({**FILES, **more}), lambda _path: ()).explain("again").stories
    assert shown(story.python_rules) == [
        ("transpose rule", "lambda", 9, ("exp",)),
        ("batching rule", "lambda", 12, ("add",)),
        ("transpose rule", "lambda", 14, ("add",)),  # below a test: it may not run
        ("JVP rule", "lambda", 15, ("exp",)),
        ("linearization rule", "lambda", 16, ("exp",)),
        ("JVP rule", "lambda", 4, ("add",)),  # of another module, which not everybody imports
    ]


def test_the_table_of_methods_is_no_step_on_the_way() -> None:
    methods = FILES["jax/_src/numpy/array_methods.py"].replace(b'"lay": lax.transpose', b'"lay": _lay')
    more = {
        "jax/_src/numpy/array_methods.py": b"from jax._src.numpy import laid\n"
        + methods
        + b"def _lay(self):\n  return laid.lay(self)\n",
        "jax/_src/numpy/laid.py": b"from jax._src.lax import lax\ndef lay(x):\n  return lax.transpose(x)\n",
    }
    (story,) = JaxTracer(small_jax({**FILES, **more}), lambda _path: ()).explain("turned").stories
    assert shown(story.python_rules)[-1] == ("batching rule", "lambda", 68, ("transpose",))


@pytest.fixture(scope="module")
def tracer() -> JaxTracer:
    return JaxTracer(small_jax(FILES), lambda _path: ())


def shown(rules: tuple[PythonRule, ...]) -> list[tuple[str, str, int, tuple[str, ...]]]:
    return [(each.kind, each.function, each.location.line, each.ops) for each in rules]


@pytest.mark.parametrize(
    ("word", "rules"),
    [
        (
            "sin",  # registered by the function that makes it
            [
                ("batching rule", "defvectorized", 10, ("sin",)),
                ("transpose rule", "_linear", 16, ("sin",)),
                ("JVP rule", "_sin_jvp", 19, ("exp", "mul")),
            ],
        ),
        (
            "turned",
            [
                ("JVP rule", "_outer_jvp", 63, ("neg", "mul")),  # arrays are what another rule gives, too
                ("linearization rule", "_inner_jvp", 61, ()),
                ("batching rule", "lambda", 68, ("transpose",)),  # a method of what says that it is an array
            ],
        ),
        ("total", [("batching rule", "defreducer", 60, ("total",))]),  # it is given what masks, and no rule
        (
            "cos",
            [
                ("JVP rule", "deflinear2", 27, ("cos",)),  # it replaces the one above
                ("transpose rule", "lambda", 27, ("exp",)),
                ("batching rule", "_moving", 23, ("transpose",)),  # axis + 1 is between numbers
            ],
        ),
        ("tan", [("JVP rule", "defjvp_zero", 32, ())]),  # jet has a function of that name, too
    ],
)
def test_rules_of_a_primitive(tracer: JaxTracer, word: str, rules: list[tuple[str, str, int, tuple[str, ...]]]) -> None:
    (story,) = tracer.explain(word).stories
    assert shown(story.python_rules) == rules


def test_rules_of_functions_on_the_way(tracer: JaxTracer) -> None:
    answer = tracer.explain("jnp.soft")
    assert [use.op for use in answer.uses] == ["exp"]
    assert shown(answer.python_rules) == [
        ("JVP rule", "lambda", 38, ("neg",)),
        ("JVP rule", "_soft_jvp", 44, ("exp", "mul")),  # an index of a list takes a member out
    ]
    assert [each.op for each in answer.python_rules] == ["soft", "_soft"]


def test_both_halves_of_a_reverse_rule(tracer: JaxTracer) -> None:
    answer = tracer.explain("jnp.clipped")
    assert shown(answer.python_rules) == [
        ("VJP rule", "clipped_fwd", 51, ("exp",)),
        ("VJP rule", "clipped_bwd", 53, ("add",)),
    ]
    said = [line.split() for line in answer_text(answer).splitlines()]
    assert "VJP rule in Python jax/_src/numpy/more.py:53 clipped_bwd of clipped (ops add)".split() in said


def test_the_table_has_the_rules_of_transformations(tracer: JaxTracer) -> None:
    table = tracer.table()
    names = [name for name, _ in table.columns]
    kinds = ("JVP rule", "transpose rule", "batching rule", "linearization rule")
    columns = {each: f"{each.removesuffix(' rule').lower()}_rules" for each in kinds}
    told = 0
    for row in table.rows:
        cells = dict(zip(names, row, strict=True))
        for rule in tracer.explain(str(cells["primitive"])).stories[0].python_rules:
            assert f"{rule.function} at {rule.location.short}" in str(cells[columns[rule.kind]]).split("; ")
            told += 1
    assert told
