"""The functions inside of one that calls are given, and what is asked of the graphs that are made of such functions.

``cond(p, lambda: a(x), f)`` gives two: each is told by where it is written ("3:10"), and what stands in it says so
(``Event.bodies``). A graph that is made of a function holds the ops that the function makes, and
``[op for op in graph.get_operations() if op.is_stateful]`` asks whether one of them has a state: where it is not empty
"state graph" is needed.

>>> function = ast.parse('''
... def f(p, fn):
...   def no(): return b()
...   graph = func_graph_from_py_func("name", fn, [])
...   cond(p, lambda: a(), no, graph, p)
... ''').body[0]
>>> from bzlgraph.ops.python.values.function_parts import parts_of
>>> made = bodies_of(function, parts_of(function), {"fn": "fn"})
>>> made, given_bodies(function.body[-1].value, made)
({'no': '3:2', 'graph': 'fn'}, (('body 1', '5:10'), ('body 2', '3:2'), ('body 3', 'fn')))
>>> asked(ast.parse("[op for op in g.get_operations() if op._is_stateful]", mode="eval").body, {"g": "g"}).needs
(('state g',), ('!state g',))
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from bzlgraph.ops.python.arguments import slots
from bzlgraph.ops.python.standing import Asked
from bzlgraph.ops.python.summary import BODY, NAME, NOT, OR, PARTLY, REPEATING, STATE, UNSURE, Event, Function
from bzlgraph.ops.python.values.classes.traced import PARTIAL
from bzlgraph.ops.python.values.function_parts import FunctionParts, Scope
from bzlgraph.python_source.syntax import AnyFunction, dotted, last_name, walk

GRAPHS: Mapping[str, int] = {"func_graph_from_py_func": 1}
"""Functions that give the graph of what a function makes -> the position at which they are given it."""
SURELY, NEVER = "1", "0"
"""Whether what a function makes has a state; UNSURE where nobody knows."""
Gives = tuple[tuple[str, str], ...]
"""(position or name, what a call gives)."""
_OPERATIONS, _STATEFUL = "get_operations", "stateful"


def place_of(function: Scope) -> str:
    """What a function inside is told by."""
    return f"{function.lineno}:{function.col_offset}"


def bodies_of(function: AnyFunction, parts: FunctionParts, stands: Mapping[str, str]) -> dict[str, str]:
    """The names that stand for one function inside, and those of graphs of one or of what a parameter is given.
    ``stands``: which names stand for which parameters."""
    inner = [each for each in walk(function) if isinstance(each, AnyFunction)] if parts.inside else []
    named = [(each.name, place_of(each)) for each in inner if each is not function]
    graphs: list[tuple[str, ast.Call]] = []
    for each in parts.assignments:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as value):
                named.append((name, place_of(value)))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as made) if last_name(made.func) in GRAPHS:
                graphs.append((name, made))
    often = Counter(name for name, _ in named)
    found = {name: place for name, place in named if parts.stored[name] == often[name] == 1}
    for name, made in graphs:
        given = made.args[GRAPHS[last_name(made.func)] :][:1]
        source = _source(given[0], {**stands, **found}) if given and parts.stored[name] == 1 else ""
        found.update({name: source} if source else {})
    return found


def given_bodies(call: ast.Call, bodies: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """(position or name, function inside) of what a call gives."""
    return tuple((BODY + slot, source) for slot, each in slots(call) if (source := _source(each, bodies)))


def partials_of(parts: FunctionParts, names: Collection[str], outer: Callable[[ast.expr], str]) -> dict[str, ast.Call]:
    """Those of some local names that one line makes a function of the module with some of its arguments."""
    found = {}
    for each in parts.assignments:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=called, args=[first, *_]) as value):
                made = name in names and last_name(called) == PARTIAL
                found.update({name: value} if made and outer(first) else {})
    return found


def with_partials(
    gives: Gives, call: ast.Call, partials: Mapping[str, ast.Call], outer: Callable[[ast.expr], str]
) -> Gives:
    """What a call gives, of ``partial(f, seed=seed)`` or a name of that (``partials``) the function, and what that is
    given already.

    >>> call = ast.parse("g(made, functools.partial(f, x, b=1), 2)", mode="eval").body
    >>> partials = {"made": ast.parse("partial(f, a=1)", mode="eval").body}
    >>> with_partials((("0", "?"), ("1", "?"), ("2", "=#2")), call, partials, dotted)
    (('0', '@f(a'), ('1', '?'), ('2', '=#2'))
    """
    made = {slot: text for slot, each in slots(call) if (text := _partial(partials.get(dotted(each), each), outer))}
    return tuple((slot, made.get(slot, source)) for slot, source in gives) if made else gives


def _partial(node: ast.expr, outer: Callable[[ast.expr], str]) -> str:
    match node:
        case ast.Call(func=called, args=[first], keywords=given) if last_name(called) == PARTIAL and outer(first):
            names = [each.arg for each in given if each.arg]
            return f"{NAME}{outer(first)}{PARTLY}{','.join(names)}" if len(names) == len(given) else ""
    return ""


def _source(node: ast.expr, bodies: Mapping[str, str]) -> str:
    if isinstance(node, ast.Lambda):
        return place_of(node)
    return bodies.get(node.id, "") if isinstance(node, ast.Name) else ""


def asked(value: ast.expr, stands: Mapping[str, str]) -> Asked | None:
    """What is asked where a name is tested that is assigned the ops of a graph with a state, None for other values."""
    match value:
        case ast.ListComp(
            generators=[
                ast.comprehension(
                    iter=ast.Call(func=ast.Attribute(value=ast.Name(id=graph), attr=attr)),
                    ifs=[ast.Attribute(attr=test) | ast.Call(func=ast.Name(id=test))],
                )
            ]
        ) if attr == _OPERATIONS and test.endswith(_STATEFUL) and graph in stands:
            holds, fails = (f"{STATE}{stands[graph]}",), (f"{NOT}{STATE}{stands[graph]}",)
            return Asked((holds, fails), ((holds,), (fails,)))
    return None


def is_of_state(need: str) -> bool:
    """Whether something is needed of the state of what a function makes."""
    return need.lstrip(NOT).startswith(STATE)


def may_be(need: str, given: Mapping[str, frozenset[str]]) -> bool:
    """Whether what the functions make that are given may have a state, or (``NOT``) may have none.

    >>> given = {"state g": frozenset("0"), "state h": frozenset("01")}
    >>> [may_be(each, given) for each in ("state g", "!state g", "state g|h", "state other")]
    [False, True, True, True]
    """
    known = states_of(need.lstrip(NOT).removeprefix(STATE), given)
    return not known or not known.isdisjoint((NEVER if need.startswith(NOT) else SURELY, UNSURE))


def states_of(names: str, given: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What is known of the state of what some parameters ("a|b") make, nothing of those that are not given."""
    ways = (given.get(STATE + each, frozenset([UNSURE])) for each in names.split(OR))
    return frozenset[str]().union(*ways)


def within(function: Function, body: str) -> Iterator[Event]:
    """The events of a function inside, as sure as they are once it is called."""
    begins = function.bodies.get(body, -1)
    outer = set(function.around(begins))
    for event in function.events:
        if body in event.bodies:
            deciding = [each for each in function.around(event.branch) if each not in outer]
            sure = all(function.branches[each].kind in REPEATING for each in deciding)
            yield event._replace(certain=sure, branch=event.branch if deciding else -1)
