"""What the names of a function have to do with its parameters.

A name stands for a parameter where it is that parameter, or one of several (``b = b or a``). Of
``n = int(constant_value(k))`` n is the number that k is, if k is known before a graph runs. Behind
``if axes is None: axes = [0]`` axes is never None. Where ``lengths = max(x)`` is set only if a padding is given,
lengths is None unless one of the two is. Of ``wide = False`` that is set to True only below ``if size`` wide is false
unless a size is given: a flag.

>>> function = ast.parse('''
... def f(x, axes=None, size=0):
...   if axes is None:
...     axes = [0]
...   known = constant_value(size)
...   y = x or size
... ''').body[0]
>>> from bzlgraph.ops.python.values.function_parts import parts_of
>>> made = standing_of(function.body, parts_of(function), lambda _value: False)
>>> made.names["y"], made.static["known"], {name: each.line for name, each in made.filled.items()}
('size|x', 'size', {'axes': 4})
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from bzlgraph.ops.python.counts import counted_name, ranks_of
from bzlgraph.ops.python.summary import ELSE, FALSE, NAME, NOT, OR, TEXT, THROUGH, TRULY, UNSURE
from bzlgraph.ops.python.values import dtypes
from bzlgraph.ops.python.values.classes import value_classes
from bzlgraph.ops.python.values.function_parts import FunctionParts, Scope
from bzlgraph.ops.python.values.members import GIVES_COLLECTIONS, HOLDING, tables
from bzlgraph.python_source.syntax import dotted, last_name, stored_name, walk

RENAMED = "deprecated_argument_lookup"
SAME: Mapping[str, int] = {"core.concrete_or_error": 1, "operator.index": 0}
"""Functions that give one of their arguments as it is, or fail."""
CASES = frozenset(["upper", "lower", "strip", "replace"])
"""Methods of texts that give the same text but for what comparing does not look at (``given``)."""
STATIC = frozenset(["int", "constant_value", "get_static_value"])
"""Functions that give what is known of a value before a graph runs: the same, or None."""
_MARKS = (NOT, FALSE)
_REPEATED = (ast.For, ast.While, ast.AsyncFor, ast.Try)
_NEVER_NONE = (ast.BinOp, ast.Compare, ast.JoinedStr, ast.Lambda, *HOLDING)

Needs = tuple[tuple[str, ...], tuple[str, ...]]
"""What must be so of parameters for a test to hold, and for it not to."""
Ways = tuple[tuple[str, ...], ...]
"""What each of several ways needs."""


class Asked(NamedTuple):
    """What a test needs, and each of the ways in which it may hold, or may not."""

    needs: Needs
    ways: tuple[Ways, Ways]


class Filled(NamedTuple):
    """That a parameter is never None behind a line; what it is made where it is, None where that is one of several."""

    line: int
    value: ast.expr | None


@dataclass(slots=True)
class Standing:
    """What is known of the names of one function. ``names``: which parameters ("a|b") a name stands for, wherever it is
    used; ``static``: of which it is the number or the text."""

    names: Mapping[str, str] = field(default_factory=dict)
    static: Mapping[str, str] = field(default_factory=dict)
    filled: Mapping[str, Filled] = field(default_factory=dict)
    """By parameter."""
    tables: Mapping[str, ast.Dict] = field(default_factory=dict)
    """Local name -> the table that it is, of which only members are taken."""
    listed: frozenset[str] = frozenset()
    """Parameters that are left as they are if they are lists, and put into one if not."""
    chosen: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """By the id of an ``if``: the parameter that it makes another one where it is None, and that one."""
    instead: dict[str, str] = field(default_factory=dict)
    """Those of them that were read so far -> both ("x:y")."""
    given_with: dict[str, str] = field(default_factory=dict)
    """Parameter -> those ("a|b") one of which is given where it is not None; "" for nobody knows. Behind ``x = f(x)``
    it is what f gave for it ("x>f")."""

    counted: str = ""
    """``*args`` that has as many members as it was given, "" for none."""
    ranks: str = ""
    """The ranks of those of them that are no numbers, "" for no such name."""
    flags: dict[str, str] = field(default_factory=dict)
    """Name that some line sets to True, False or None -> the parameters ("a|b") one of which is true where it is."""
    handed: Mapping[str, str] = field(default_factory=dict)
    """Parameter of a function inside that is only called -> the parameters ("a|b") that calls give it."""
    straight: frozenset[str] = frozenset()
    """Names that are assigned one after the other, as one reads: in no loop, and for no function inside."""
    tests: dict[str, Asked] = field(default_factory=dict)
    """Those of them that were assigned one test and nothing else so far -> what it asks."""
    assigned: set[str] = field(default_factory=set)
    """Those of them that were assigned anything so far."""
    emptied: set[str] = field(default_factory=set)
    """Parameters that some line may make None, or that are assigned in a loop or read in a function inside."""
    never_none: frozenset[str] = frozenset()
    """Names of which no line makes None, and that are no parameters."""
    dtype: Callable[[ast.expr], str] = dtypes.unknown
    """The dtype of an expression where one reads now."""
    dtype_needed: Callable[[ast.expr, Callable[[ast.expr], str]], Needs | None] = dtypes.needed
    """What a test of a dtype needs (``dtypes``, ``tensor_types``)."""
    classes: Callable[[ast.expr], str] = value_classes.unknown
    """The classes that it may be of."""
    pairs: dict[tuple[str, str], str] = field(default_factory=dict)
    """Two names that are one value as long as something holds no text -> the classes of that."""

    def is_filled(self, value: ast.expr) -> bool:
        """Whether an expression is a name that is never None there."""
        return self.filling(value) is not None or (isinstance(value, ast.Name) and value.id in self.never_none)

    def filling(self, value: ast.expr) -> Filled | None:
        """How a name was filled that is a parameter which was None before, None for any other expression."""
        found = self.filled.get(value.id) if isinstance(value, ast.Name) else None
        return found if found is not None and value.lineno > found.line else None

    def chosen_from(self, node: ast.Subscript) -> list[tuple[tuple[str, ...], ast.expr | None, ast.expr]]:
        """What a member of a table may be, with what it needs and its key: ``table[mode]`` is one for each text."""
        table = self.tables.get(dotted(node.value), ast.Dict([], []))
        given = node.slice.args[0] if isinstance(node.slice, ast.Call) and node.slice.args else node.slice
        mode = self.names.get(dotted(given), "")
        keys = [each.value if isinstance(each, ast.Constant) else None for each in table.keys]
        needs = [(f"{mode}{TEXT}{key}",) if mode and isinstance(key, str) else () for key in keys]
        return list(zip(needs, table.keys, table.values, strict=True))

    def set_instead(self, node: ast.If) -> None:
        """Take in that an ``if`` was read."""
        if pair := self.chosen.get(id(node)):
            self.instead[pair[0]] = ELSE.join(pair)

    def set_under(self, name: str, value: ast.expr, needs: Sequence[str], exists: Callable[[ast.expr], bool]) -> None:
        """Take in that a parameter is assigned a value where these things are needed."""
        other = self.names.get(value.id, "") if isinstance(value, ast.Name) else ""
        if not ((other and not {other, truly(other)}.isdisjoint(needs)) or _exists(value, exists)):
            self.emptied.add(name)
        given, known = _given(needs), self.given_with.get(name, name)
        self.given_with[name] = OR.join(sorted({*known.split(OR), *given.split(OR)})) if given and known else ""

    def set_flag(self, name: str, value: ast.expr, needs: Iterable[str]) -> None:
        """Take in that a name is assigned a value where these things are needed."""
        if name in self.flags and not (isinstance(value, ast.Constant) and not value.value):
            given = _given(needs)
            known = self.flags[name]
            self.flags[name] = OR.join(sorted({*known.split(OR), *given.split(OR)} - {""})) if given else UNSURE

    def set_test(self, name: str, asked: Asked | None) -> None:
        """Take in that a name is assigned a test, or (None) anything else."""
        if asked is not None and name in self.straight - self.assigned:
            self.tests[name] = asked
        else:
            self.tests.pop(name, None)
        self.assigned.add(name)

    def set_through(self, name: str, called: str, values: Sequence[str]) -> None:
        """Take in that a parameter is assigned what a function gives for it, or for others and it (``values``)."""
        self.emptied.add(name)
        self.given_with[name] = f"{OR.join(values)}{THROUGH}{called}" if self.given_with.get(name, name) == name else ""


NO_STANDING = Standing()


def standing_of(body: Sequence[ast.stmt], parts: FunctionParts, exists: Callable[[ast.expr], bool]) -> Standing:
    """What is known where a function begins. ``exists``: whether a value is surely not None."""
    hidden = parts.inner_parameters | parts.member_parameters
    names, static = (stands_for(parts, hidden, at_once) for at_once in (False, True))
    filled = {
        name: Filled(node.end_lineno or 0, value)
        for node in body
        if isinstance(node, ast.If)
        for name, value in _filled(node, exists)
        if name in parts.own_parameters - hidden and parts.stored[name] == _stores(node)[name]
    }
    static = {name: each for name, each in static.items() if name not in names}
    listed = frozenset(name for each in body for name in _listed(each) if parts.stored[name] == 1)
    assigned = _assigned(parts)
    made = Standing(names, static, filled, tables(body, parts), listed)
    made.counted, made.ranks = counted_name(parts), ranks_of(parts)
    made.handed = {
        name: OR.join(sorted({each for one in values for each in names[dotted(one)].split(OR)}))
        for name, values in parts.handed_on.items()
        if all(dotted(one) in names for one in values)
    }
    made.never_none = _never_none(parts, hidden, assigned, exists)
    flags = _flags(parts)
    made.straight = _straight(body, parts, assigned, flags | _tested(parts))
    made.flags.update({name: truly(name) if name in parts.own_parameters else "" for name in made.straight & flags})
    made.emptied.update(parts.own_parameters - made.straight)
    made.straight -= parts.own_parameters
    made.chosen = _chosen_instead(body, parts, hidden)
    made.given_with.update({name: "" for name in parts.own_parameters if parts.stored[name] != assigned[name]})
    made.given_with.update(_made_through(parts, names))
    return made


def truly(names: str) -> str:
    """That one of some parameters is true.

    >>> truly("a|b:c")
    '&a|&b:c'
    """
    return OR.join(TRULY + each for each in names.split(OR))


def _given(needs: Iterable[str]) -> str:
    """The parameters ("a|b") one of which must be true, of the innermost thing needed that asks for it; "" for none."""
    plain = (need for need in needs if not need.startswith(_MARKS))
    given = [need for need in plain if TEXT not in need and NAME not in need and THROUGH not in need]
    return given[-1] if given else ""


def _made_through(parts: FunctionParts, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Local name that one line assigns what a function gives for parameters, its first arguments -> these, and it:
    ``place = chosen(device, sharding, "f")`` is "device|sharding>chosen"."""
    for each in parts.assignments:
        target = each.targets[0] if isinstance(each, ast.Assign) and len(each.targets) == 1 else None
        if not isinstance(target, ast.Name) or parts.stored[target.id] != 1 or target.id in parts.parameters:
            continue
        call = each.value if isinstance(each, ast.Assign) else None
        outer = partial(_outer, parts.bound)
        if isinstance(call, ast.Call) and (made := made_through(call, names, outer)):
            yield target.id, made


def _outer(bound: Collection[str], node: ast.expr) -> str:
    text = dotted(node)
    return text if text.partition(".")[0] not in bound else ""


def made_through(call: ast.Call, names: Mapping[str, str], outer: Callable[[ast.expr], str]) -> str:
    """What a call gives, by the parameters that are its first arguments, and its function; "" where it has none."""
    first = list(takewhile(lambda one: isinstance(one, ast.Name) and names.get(one.id) == one.id, call.args))
    called = outer(call.func) if first else ""
    return f"{OR.join(map(dotted, first))}{THROUGH}{called}" if called else ""


def _flags(parts: FunctionParts) -> set[str]:
    """The names that are assigned True, False or None somewhere."""
    constant = (each for each in parts.assignments if isinstance(each, ast.Assign) and _is_constant(each.value))
    return {target.id for each in constant for target in each.targets if isinstance(target, ast.Name)}


def _tested(parts: FunctionParts) -> set[str]:
    """The names that a test asks."""
    return {each.id for test in parts.tests for each in walk(test) if isinstance(each, ast.Name)}


def _straight(
    body: Sequence[ast.stmt], parts: FunctionParts, assigned: Mapping[str, int], names: set[str]
) -> frozenset[str]:
    """Those of some names that are bound by assignments only; none of a loop, where what is read first may run last, or
    of a function inside, which runs at any time."""
    found = {name for name in names if assigned[name] and parts.stored[name] == assigned[name]}
    found -= parts.inner_parameters | parts.member_parameters
    nodes = [each for statement in body for each in walk(statement)] if found else []
    found -= {name for each in nodes if isinstance(each, _REPEATED) for name in _stores(each)}
    inner = [each for each in nodes if isinstance(each, Scope)]
    return frozenset(found - {each.id for function in inner for each in walk(function) if isinstance(each, ast.Name)})


def _never_none(
    parts: FunctionParts, hidden: Collection[str], assigned: Mapping[str, int], exists: Callable[[ast.expr], bool]
) -> frozenset[str]:
    """The names that are handed on, are no parameters, and are only assigned what is never None."""
    given = (each for call in parts.calls for each in (*call.args, *(one.value for one in call.keywords)))
    handed = {each.id for each in given if isinstance(each, ast.Name)}
    wanted = {name for name in handed if assigned[name] and parts.stored[name] == assigned[name]}
    wanted -= {*parts.own_parameters, *hidden}
    values: dict[str, list[ast.expr]] = {}
    for each in (one for one in parts.assignments if isinstance(one, ast.Assign)):
        for target in each.targets:
            if isinstance(target, ast.Name) and target.id in wanted:
                values.setdefault(target.id, []).append(each.value)
    return frozenset(name for name, given in values.items() if all(_exists(value, exists) for value in given))


def _is_constant(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))


def stands_for(parts: FunctionParts, hidden: Collection[str], static: bool = False) -> dict[str, str]:
    """Name -> the parameters ("a|b") one of which it is wherever it is used: itself, or ``b = b or a`` and the like.
    ``hidden``: parameters of functions inside; ``static``: whether what is known of them before a graph runs counts."""
    meanings: dict[str, list[ast.expr]] = {}
    for each in parts.assignments:
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            meanings.setdefault(each.targets[0].id, []).append(each.value)
    bound = parts.stored
    sources = {name: {name} for name in parts.own_parameters if name not in hidden}
    chosen = {
        name: [_chosen(value, static) for value in values]
        for name, values in meanings.items()
        if len(values) == bound[name] and name not in hidden
    }
    known = {name for name in (*sources, *chosen) if not bound[name] or (name in chosen and all(chosen[name]))}
    while unknown := {name for name in known & chosen.keys() if any(set(one) - known for one in chosen[name])}:
        known -= unknown
    for _ in chosen:  # a name may stand for what another one stands for
        for name in known & chosen.keys():
            sources[name] = sources.get(name, set()).union(
                *(sources.get(one, ()) for each in chosen[name] for one in each)
            )
    return {name: OR.join(sorted(sources[name])) for name in sorted(known) if sources.get(name)}


def _chosen(value: ast.expr, static: bool) -> tuple[str, ...]:
    """The names one of which an expression is: ``a or b``, ``a if x else b``, and what TensorFlow makes of a parameter
    that was renamed, ``deprecated_argument_lookup("new", new, "old", old)``; none for any other expression."""
    if isinstance(value, ast.Name):
        return (value.id,)
    if isinstance(value, ast.Call) and last_name(value.func) == RENAMED and len(value.args) == 4:
        return (*_chosen(value.args[1], static), *_chosen(value.args[3], static))
    if isinstance(value, ast.Call) and (at := SAME.get(dotted(value.func))) is not None:
        return next((_chosen(each, static) for each in value.args[at:]), ())
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in CASES:
        put = [each.value for each in value.args if isinstance(each, ast.Constant)]
        return _chosen(value.func.value, static) if put in ([], ["-", ""], ["_", ""], [" ", ""]) else ()
    if static and isinstance(value, ast.Call) and last_name(value.func) in STATIC and len(value.args) == 1:
        return _chosen(value.args[0], static)
    parts = value.values if isinstance(value, ast.BoolOp) else []
    parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else parts
    named = [_chosen(each, static) for each in parts]
    return tuple(name for each in named for name in each) if all(named) else ()


def _filled(node: ast.If, exists: Callable[[ast.expr], bool]) -> Iterator[tuple[str, ast.expr | None]]:
    """The name that ``if name is None: name = value`` makes something of, and what, where that is one value."""
    match node.test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            put = [each for each in walk(node) if isinstance(each, ast.Assign) and name in map(dotted, each.targets)]
            at_once = any(each in node.body for each in put)
            if at_once and len(put) == _stores(node)[name] and all(_exists(each.value, exists) for each in put):
                yield name, put[0].value if len(put) == 1 else None


def _chosen_instead(
    body: Sequence[ast.stmt], parts: FunctionParts, hidden: Collection[str]
) -> dict[int, tuple[str, str]]:
    """Each ``if x is None: x = y`` of two parameters that are assigned nothing else."""
    found: dict[int, tuple[str, str]] = {}
    for node in body:
        match node:
            case ast.With(body=inside):
                found |= _chosen_instead(inside, parts, hidden)
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                body=[ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=other))],
                orelse=[],
            ) if name == target and {name, other} <= parts.own_parameters - set(hidden):
                if (parts.stored[name], parts.stored[other]) == (1, 0):
                    found[id(node)] = name, other
    return found


def _listed(node: ast.stmt) -> Iterator[str]:
    """The name of ``if not isinstance(name, list): name = [name]``."""
    match node:
        case ast.If(
            test=ast.UnaryOp(
                op=ast.Not(), operand=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), _])
            ),
            body=[ast.Assign(targets=[ast.Name(id=target)], value=ast.List(elts=[ast.Name(id=member)]))],
        ):
            yield from [name] if name == target == member else []


def _assigned(parts: FunctionParts) -> Counter[str]:
    """How often names are assigned something by themselves."""
    assigned = (each for each in parts.assignments if isinstance(each, ast.Assign))
    return Counter(target.id for each in assigned for target in each.targets if isinstance(target, ast.Name))


def _exists(value: ast.expr, exists: Callable[[ast.expr], bool]) -> bool:
    """Whether a value is surely not None."""
    if isinstance(value, ast.Constant):
        return value.value is not None
    if isinstance(value, ast.IfExp):
        return _exists(value.body, exists) and _exists(value.orelse, exists)
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
        return _exists(value.values[-1], exists)
    made = isinstance(value, ast.Call) and dotted(value.func) in GIVES_COLLECTIONS
    return made or isinstance(value, _NEVER_NONE) or exists(value)


def _stores(node: ast.AST) -> Counter[str]:
    """How often names are bound in a node."""
    return Counter(name for each in walk(node) if (name := stored_name(each)))
