"""What is known before anything is traced -> what of JAX's own functions for indices and reductions runs.

Rules
1. Numbers, slices, ``None`` and ``...`` that are written as an index (``x[0, 1:]``), or that names hold, are known, as
   ends of slices have to be: the tree takes them with ``_static_slice``, where it has one, and no array; arrays that
   are sharded explicitly apart.
2. That removes an axis only for a number, adds one only for ``None``, and reverses one only for a step that may be
   negative.
3. ``lax.reduce(x, 0, lax.add, axes)`` compares the function and the value with those of the monoids that it knows, and
   binds ``reduce_sum``; only of any other it traces the function and binds ``reduce``. ``_reduction`` of ``jax.numpy``
   hands it a function of ``jax.lax`` and the identity of that, made by NumPy, each time.
"""

from __future__ import annotations

from collections.abc import Callable

from bzlgraph.ops.jax.code import PythonCode
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import OR, TEXT, Event, Function, Given
from bzlgraph.ops.python.values.arrays import INDEXING
from bzlgraph.ops.python.values.classes.calls_told import shown
from bzlgraph.ops.python.values.classes.indices import NEW_AXIS, SEVERAL, STEP, STRIDE
from bzlgraph.ops.python.values.classes.value_classes import ARRAY, NUMBER, outcome

STATIC = ("jax/_src/numpy/indexing.py", "_static_slice")
TAKING = ("jax/_src/numpy/indexing.py", "rewriting_take")
PERHAPS_ARRAY = f"?{ARRAY}"
"""A part that is an array, or something else."""
_OTHERS = ("_dynamic_slice", "_gather")
"""What that calls for indices that are not known."""
REDUCTION = ("jax/_src/numpy/reductions.py", "_reduction")
REDUCE = ("jax/_src/lax/lax.py", "reduce")
WRITTEN = "[]"
"""What a function is given that is written as an index."""
CHANGED = "at."
"""How methods of arrays are told that change one at an index, ``x.at[i].set(y)``."""
HANDED_ON = tuple(
    f"jax/_src/{name}.py" for name in "numpy/array_methods numpy/indexing numpy/lax_numpy ops/scatter".split()
)
"""Where the functions are that hand an index on to each other."""
_ASKED = {
    **dict.fromkeys(["indexer.squeeze_axes", "int_indices"], (NUMBER, ARRAY)),
    "indexer.newaxis_dims": (NEW_AXIS,),
    "indexer.scalar_bool_dims": (),
    "idx.typ in [IndexType.ARRAY, IndexType.INTEGER]": (ARRAY, PERHAPS_ARRAY),
    "not core.definitely_equal(step, 1)": (STEP, STRIDE),
    "not (len(gather_indices) == 1)": (SEVERAL, ARRAY, PERHAPS_ARRAY),  # masks are as many indices as they have axes
    **dict.fromkeys(["indexer.rev_axes", "indexer.reversed_y_dims", "simple_revs", "step < 0"], (STEP,)),
}
"""What functions that take an index ask -> the parts of it that make it so (rule 2); a dynamic slice removes the axis
of an array that stands for a number, too."""
_NO_MONOID = "not monoid_reducer"
"""What ``reduce`` asks."""


def taking(event: Event, code: PythonCode) -> Symbol | None:
    """Rule 1: the function that takes an index as it is written; None for any other index, and in any other tree."""
    if event.text != INDEXING or not event.on or event.kind != "operator" or not code.tree.source.is_file(STATIC[0]):
        return None
    known = OR not in event.on and ARRAY not in event.on
    return code.resolver.resolve(*(STATIC if known else TAKING))


def written(event: Event, given: Given, says: Callable[[str], str]) -> Given:
    """What a function is given that takes an index, or changes an array there: the parts of the index."""
    if event.text != INDEXING and not event.text.startswith(CHANGED):
        return {}
    letters, *others = event.on.split(OR)
    parts = {*letters, *(part for each in others for part in _parts(outcome(shown(each), given, says)))}
    return {WRITTEN: frozenset(TEXT + each for each in parts or [""])}


def _parts(kinds: str) -> list[str]:
    """The parts of an index one of which something is that may be of some classes."""
    known = kinds == ARRAY or set(kinds) <= {NUMBER, NEW_AXIS, ARRAY}
    return [PERHAPS_ARRAY if each == ARRAY != kinds else each for each in kinds] if known else [""]


def also(found: Symbol, caller: Symbol, given: Given) -> Given:
    """What a function is given besides: of those that take an index, or change an array there, those that they call get
    the same."""
    between = {found.path, caller.path} <= {*HANDED_ON}
    return {WRITTEN: given[WRITTEN]} if between and WRITTEN in given else {}


def only_compares(symbol: Symbol) -> bool:
    """Rule 3: whether what a function is given, and hands on, is only compared there."""
    return (symbol.path, symbol.name) == REDUCTION


def is_unreached(
    symbol: Symbol, function: Function, event: Event, given: Given, through: tuple[tuple[str, str, int], ...]
) -> bool:
    """Whether something happens only for other parts of an index (rule 2), or for what is no monoid (rule 3), than what
    leads to a definition gives it."""
    asked = [function.branches[number].text for number in function.around(event.branch)]
    reduces = (symbol.path, symbol.name) == REDUCE and through and (through[-1][1], through[-1][0]) == REDUCTION
    if reduces and _NO_MONOID in asked:
        return True
    parts = {each.removeprefix(TEXT) for each in given.get(WRITTEN, [TEXT])}
    if "" in parts:
        return ARRAY in parts and _is_static(symbol, event)
    if (symbol.path, symbol.name) == TAKING and any(each.text == STATIC[1] for each in function.events):
        return _is_static(symbol, event) if ARRAY in parts else PERHAPS_ARRAY not in parts and event.text in _OTHERS
    return any(parts.isdisjoint(_ASKED.get(each, parts)) for each in asked)


def _is_static(symbol: Symbol, event: Event) -> bool:
    return (symbol.path, symbol.name) == TAKING and event.text == STATIC[1]
