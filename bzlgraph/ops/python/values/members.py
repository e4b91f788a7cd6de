"""What lists of a function hold, and what goes through them.

>>> from bzlgraph.ops.python.values.function_parts import parts_of
>>> function = ast.parse('''
... def f(inputs):
...   made = [1]
...   for i, each in enumerate(inputs):
...     made.append(each)
...   return made
... ''').body[0]
>>> members_of(parts_of(function))
{'each': 'inputs'}
>>> [ast.unparse(each) for each in held(parts_of(function))["made"]]
['each', '1']
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence

from bzlgraph.ops.python.values.function_parts import FunctionParts
from bzlgraph.python_source.syntax import dotted, loop_members, walk

_FILLING = ("append", "extend", "insert")
HOLDING = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
GIVES_COLLECTIONS = frozenset("list tuple sorted set frozenset dict zip map filter reversed enumerate".split())


def may_have_none(target: ast.expr, through: ast.expr) -> bool:
    """Whether what a loop goes through may well have no member: what a slice leaves, what an object keeps.

    >>> loops = "each in xs", "i, each in enumerate(xs[1:])", "a, b in zip(xs, shape.named)", "each in xs[:]"
    >>> made = [ast.parse(f"[0 for {each}]", mode="eval").body.generators[0] for each in loops]
    >>> [may_have_none(each.target, each.iter) for each in made]
    [False, True, True, False]
    """
    return any(_leaves_some(each) or isinstance(each, ast.Attribute) for _, each in loop_members(target, through))


def _leaves_some(node: ast.expr) -> bool:
    index = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(index, ast.Slice) and (index.lower is not None or index.upper is not None)


def members_of(parts: FunctionParts) -> dict[str, str]:
    """Name -> what it is a member of, going through it."""
    loops = (each for each in parts.assignments if isinstance(each, ast.For | ast.comprehension))
    pairs = (pair for each in loops for pair in loop_members(each.target, each.iter))
    return {
        target.id: through.id
        for target, through in pairs
        if isinstance(target, ast.Name) and isinstance(through, ast.Name)
    }


def held(parts: FunctionParts) -> dict[str, list[ast.expr]]:
    """Name -> the members that a list of that name is written with and that are put into it."""
    found = filled(parts)
    for each in parts.assignments:
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.List | ast.Tuple):
            for target in (one for one in each.targets if isinstance(one, ast.Name)):
                found.setdefault(target.id, []).extend(each.value.elts)
    return found


def filled(parts: FunctionParts) -> dict[str, list[ast.expr]]:
    """Name -> what is put into it: ``sizes.append(x)``, ``sizes[0] = x``."""
    found: dict[str, list[ast.expr]] = {}
    for call in parts.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING and call.args:
            found.setdefault(dotted(call.func.value), []).append(call.args[-1])
    for each in parts.assignments:
        if isinstance(each, ast.Assign):
            for target in (one for one in each.targets if isinstance(one, ast.Subscript)):
                found.setdefault(dotted(target.value), []).append(each.value)
    return found


def only_collections(parts: FunctionParts) -> set[str]:
    """The names that are bound to nothing but lists and the like as they are written, or made by Python's own
    functions: they are never None."""
    found: Counter[str] = Counter()
    for each in parts.assignments:
        if isinstance(each, ast.Assign) and _is_collection(each.value):
            found.update(target.id for target in each.targets if isinstance(target, ast.Name))
    return {name for name, times in found.items() if times == parts.stored[name] and name not in parts.parameters}


def _is_collection(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_collection(value.left) or _is_collection(value.right)
    called = dotted(value.func) if isinstance(value, ast.Call) else ""
    return isinstance(value, HOLDING) or called in GIVES_COLLECTIONS


def tables(body: Sequence[ast.stmt], parts: FunctionParts) -> dict[str, ast.Dict]:
    """The tables of a function: dicts of which only members are taken, and asked which keys they have."""
    written = {
        dotted(target): each.value
        for each in parts.assignments
        if isinstance(each, ast.Assign | ast.AnnAssign) and isinstance(each.value, ast.Dict) and each.value.values
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
    }
    if not written:
        return {}
    nodes = [each for statement in body for each in walk(statement)]
    used = Counter(each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    taken = Counter(
        dotted(each.value) for each in nodes if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load)
    )
    asked = Counter(
        dotted(each.comparators[0])
        for each in nodes
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.In | ast.NotIn)
    )
    return {
        name: table
        for name, table in written.items()
        if parts.stored[name] == 1 and taken[name] and used[name] == taken[name] + asked[name]
    }
