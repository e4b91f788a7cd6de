"""How many arguments ``*args`` holds, and what a call hands on of them.

``args = tuple(f(each) for each in args)`` has as many as before, and so has what ``g(*args)`` gives where all that g
returns has as many members as what it is given.

>>> from bzlgraph.ops.python.values.function_parts import parts_of
>>> text = "def f(name, *args):\\n args = [g(each) for each in args]\\n return h(name, *args)\\n"
>>> function = ast.parse(text).body[0]
>>> rest_of(function, parts_of(function)), counted_name(parts_of(function))
(Rest(name='args', position=1, returned=False), 'args')
>>> value = lambda text: ast.parse(text, mode="eval").body
>>> [counted_as(value(text), {"args"}) for text in ("args", "[f(x) for x in args]", "g(*args)", "args[1:]")]
['args', 'args', 'args>g', '']
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping

from bzlgraph.ops.python.summary import COUNT, NOT, OR, PLAIN, RANK, REST, TEXT, THROUGH, Rest
from bzlgraph.ops.python.values.function_parts import FunctionParts
from bzlgraph.python_source.syntax import AnyFunction, dotted, last_name

MAX_COUNT = 4
"""Numbers of members that are told apart."""
_CHANGING = frozenset("append extend insert pop remove clear".split())
"""Methods that change how many members a list has."""
ZEROS = "zeros_like"
_ALIKE = ("tuple", "list")


def counted_name(parts: FunctionParts) -> str:
    """The ``*args`` of a function, "" where it may get other members than it was given."""
    assigned = [each for each in parts.assignments if isinstance(each, ast.Assign)]
    values = [each.value for each in assigned for target in each.targets if dotted(target) == parts.rest]
    attributes = (each.func for each in parts.calls if isinstance(each.func, ast.Attribute))
    changed = {dotted(each.value) for each in attributes if each.attr in _CHANGING}
    hidden = changed | parts.inner_parameters | parts.member_parameters
    kept = len(values) == parts.stored[parts.rest] and all(counted_as(each, [parts.rest]) for each in values)
    return parts.rest if kept and parts.rest not in hidden else ""


def ranks_of(parts: FunctionParts) -> str:
    """The name of the ranks of those of ``*args`` that are no numbers, "" for none:
    ``shapes = [np.shape(each) for each in args]`` and ``ranks = {len(each) for each in shapes if each}``.

    >>> from bzlgraph.ops.python.values.function_parts import parts_of
    >>> lines = "shapes = [np.shape(x) for x in args]", "ranks = {len(x) for x in shapes if x}", "return len(ranks) < 2"
    >>> ranks_of(parts_of(ast.parse("\\n  ".join(["def f(*args):", *lines])).body[0]))
    'ranks'
    """
    shapes = {name for name, value in _once(parts) if _is_of_shapes(value, counted_name(parts))}
    return next((name for name, value in _once(parts) if _is_of_ranks(value, shapes)), "")


def _once(parts: FunctionParts) -> Iterator[tuple[str, ast.expr]]:
    """The names that one line binds, and to what."""
    for each in parts.assignments:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if parts.stored[name] == 1:
                yield name, value


def _is_of_shapes(value: ast.expr, rest: str) -> bool:
    match value:
        case ast.ListComp(
            elt=ast.Call(func=function, args=[ast.Name(id=one)]),
            generators=[ast.comprehension(target=ast.Name(id=member), iter=ast.Name(id=through), ifs=[])],
        ):
            return last_name(function) == "shape" and one == member and through == rest
    return False


def _is_of_ranks(value: ast.expr, shapes: Collection[str]) -> bool:
    match value:
        case ast.SetComp(
            elt=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=one)]),
            generators=[ast.comprehension(target=ast.Name(id=member), iter=ast.Name(id=through), ifs=[test])],
        ):
            return through in shapes and {one, dotted(test)} == {member}
    return False


def ranks_needed(rest: str, operator: ast.cmpop, count: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What it needs to hold, and not to, that a function is given fewer ranks than a number: so many of ``*args`` that
    are more than numbers where it fails."""
    known = isinstance(operator, ast.Lt) and count.startswith(PLAIN)
    return (), ((f"{RANK}{rest}{TEXT}{count}",) if known else ())


def rest_of(function: AnyFunction, parts: FunctionParts) -> Rest:
    """The ``*args`` of a function, and whether all that it returns has as many members."""
    name, positional = counted_name(parts), len(function.args.posonlyargs) + len(function.args.args)
    returned = bool(parts.returned) and all(counted_as(each, [name]) == name for each in parts.returned)
    return Rest(name, positional, returned) if name else Rest()


def counted_as(value: ast.expr, names: Collection[str]) -> str:
    """Whether a value has as many members as ``*args``, one of the ``names``: the name, with the function behind it
    that must give as many as it is given ("args>f"); "" where nobody knows."""
    match value:
        case ast.Name(id=name) if name in names:
            return name
        case ast.ListComp(generators=[ast.comprehension(iter=members, ifs=[])]):
            return counted_as(members, names)
        case ast.GeneratorExp(generators=[ast.comprehension(iter=members, ifs=[])]):
            return counted_as(members, names)
        case ast.Call(func=ast.Name(id=called), args=[members], keywords=[]) if called in _ALIKE:
            return counted_as(members, names)
        case ast.Call(func=function, args=[ast.Starred(value=ast.Name(id=name))]) if name in names and dotted(function):
            return f"{name}{THROUGH}{dotted(function)}"
    return ""


def counted_in(value: ast.expr, library: bool, outer: Callable[[ast.expr], str]) -> str:
    """How many members a list has, as it is written; of a ``library`` of arrays PLAIN for a list of any number of them,
    and the function (">f") that gives it and may say that it is one. "" for anything else."""
    open_ended = isinstance(value, ast.ListComp)
    if isinstance(value, ast.List | ast.Tuple):
        open_ended = any(isinstance(each, ast.Starred) for each in value.elts)
        if not open_ended:
            return f"{TEXT}{PLAIN}{len(value.elts)}"
    if not library:
        return ""
    called = outer(value.func) if isinstance(value, ast.Call) else ""
    return PLAIN if open_ended else f"{THROUGH}{called}" if called else ""


def counts_needed(listed: str, operator: ast.cmpop, count: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a comparison of how many members a list has with a small number needs to hold, and not to."""
    number = int(count[1:]) if count.startswith(PLAIN) and count[1:].isdecimal() else MAX_COUNT + 1
    fewer = number + isinstance(operator, ast.LtE | ast.Gt)
    numbers = [number] if isinstance(operator, ast.Eq | ast.NotEq) else [*range(fewer)]
    need = f"{COUNT}{listed}{TEXT}{OR.join(f'{PLAIN}{each}' for each in numbers)}"
    if not listed or not numbers or number > MAX_COUNT or isinstance(operator, ast.Is | ast.IsNot | ast.In | ast.NotIn):
        return ((), ())
    turned = isinstance(operator, ast.NotEq | ast.Gt | ast.GtE)
    return ((NOT + need,), (need,)) if turned else ((need,), (NOT + need,))


def given_counts(rest: Rest, sources: Mapping[str, str], shift: int, starred: Collection[str]) -> frozenset[str]:
    """How many arguments a call gives the ``*args`` of a function, () for nobody knows. ``shift``: how many parameters
    the object of a method is; ``starred``: how many the last argument of the call, ``*given``, may have."""
    fixed = sum(slot.isdecimal() for slot in sources) - (rest.position - shift)
    if REST not in sources:
        return frozenset([_count(fixed)])
    numbers = [each.removeprefix(f"{TEXT}{PLAIN}") for each in starred]
    known = COUNT + REST in sources and all(each.isdecimal() for each in numbers)
    return frozenset(_count(fixed + int(each)) for each in numbers) if known else frozenset()


def _count(number: int) -> str:
    return f"{TEXT}{PLAIN}{max(number, 0)}"


def zero_asked(left: ast.expr, right: ast.expr) -> str:
    """The name that is no zero where a comparison does not hold: ``np.ndim(x) == 0``, ``x == np.zeros_like(x)``; where
    the latter holds it is one."""
    match left, right:
        case ast.Call(func=function, args=[ast.Name(id=name)]), ast.Constant(value=0) if last_name(function) == "ndim":
            return name
        case ast.Name(id=name), ast.Call(func=function, args=[ast.Name(id=other)]) if last_name(function) == ZEROS:
            return name if name == other else ""
    return ""
