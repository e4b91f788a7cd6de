"""Which nodes of a Python function run in every call that succeeds, and which only in some.

a function, a class's method or an expression -> the id of each node that may run, and whether it surely does. What
follows an ``if`` that may return is not sure to run, nor is what a lambda, a loop or a function inside holds; what is
raised belongs to no call that succeeds. Where a function has returned for whole numbers of Python it goes on for others
(``no_index``).

>>> function = ast.parse('''
... def f(x):
...     if overridden(x): return a()
...     y = b() and c()
...     if y: return d()
...     return e()
... ''').body[0]
>>> from bzlgraph.ops.python.values.function_parts import parts_of
>>> runs = running(function.body, {"overridden": False})
>>> [(each.func.id, runs[id(each)]) for each in ast.walk(function) if isinstance(each, ast.Call) and id(each) in runs]
[('overridden', True), ('e', False), ('b', True), ('c', False), ('d', False)]
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from bzlgraph.ops.python.summary import OR, TEXT
from bzlgraph.ops.python.values import dtypes
from bzlgraph.ops.python.values.classes.value_classes import ANY, CLASS, NUMBER
from bzlgraph.ops.python.values.function_parts import (
    NOTHING_DECIDED,
    NOTHING_KNOWN,
    FunctionParts,
    Scope,
    answer,
    leaves,
    may_return,
)
from bzlgraph.ops.python.values.known_names import CHOOSES, WRAPPERS
from bzlgraph.python_source.syntax import AnyFunction, children, dotted, last_name, walk

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Running = Mapping[int, bool]
"""By the id of a node; one that never runs is missing."""
T = TypeVar("T")
CONCRETE, INDEX = "is_concrete", "operator.index"
"""The function that asks whether a value is no array of a trace, as numbers are; the one that fails for all that is no
whole number."""
_NO_NUMBER = ANY.replace(NUMBER, "")
_FRACTIONS = OR.join((dtypes.FLOAT[0], dtypes.COMPLEX[0]))
MAX_WAYS = 200
"""Blocks of one function that are gone through; what is behind them is not sure."""


def running(
    body: Sequence[ast.stmt] | ast.expr,
    decided: Mapping[str, bool] = NOTHING_DECIDED,
    known: Mapping[str, object] = NOTHING_KNOWN,
) -> Running:
    """The nodes of the statements of a function, or of an expression. ``decided``: functions that always answer the
    same, by their last name; ``known``: names that are constants."""
    walk = _Walk(decided, known)
    if isinstance(body, ast.expr):
        walk.visit(body, certain=True)
    else:
        walk.block(body, certain=True)
    return walk.found


def sure_functions(
    function: AnyFunction, parts: FunctionParts, decided: Mapping[str, bool], given_back: bool = True
) -> set[str]:
    """The functions inside of one that surely run, or are handed to what may run them: those that a line which surely
    runs names, in the function itself or in such another one. What an object keeps is run by nobody yet: a function
    that ``super().__init__`` is given, or that is set to an attribute. ``given_back``: whether those count that only a
    ``return`` names.

    >>> from bzlgraph.ops.python.values.function_parts import parts_of
    >>> inside = ["def a(): return b()", "def b(): pass", "def c(): pass", "def d(): pass"]
    >>> lines = [*inside, "g(a)", "super().__init__(d, size=x)", "return c"]
    >>> function = ast.parse("\\n  ".join(["def f(x):", *lines])).body[0]
    >>> sorted(sure_functions(function, parts_of(function), {}))
    ['a', 'b', 'c']
    >>> sorted(sure_functions(function, parts_of(function), {}, given_back=False))
    ['a', 'b']
    """
    inside = {each.name: each for each in walk(function) if isinstance(each, AnyFunction)} if parts.inner else {}
    found: set[str] = set()
    waiting = [function] if inside else []
    while waiting:
        scope = waiting.pop()
        runs, nodes = running(scope.body, decided), list(walk(scope))
        kept = {id(name) for each in nodes for name in _kept(each, given_back or scope is not function)}
        names = (each for each in nodes if isinstance(each, ast.Name))
        named = {each.id for each in names if runs.get(id(each)) and id(each) not in kept}
        waiting += [inside[name] for name in named & inside.keys() - found - {function.name}]
        found |= named & inside.keys()
    return found


def _kept(node: ast.AST, given_back: bool) -> list[ast.expr]:
    """The values that a node hands to nobody who surely runs them: an object keeps them, they are given back, or a test
    that may be decided before says which of them runs."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")):
            return [*node.args, *(each.value for each in node.keywords)]
        case ast.Call(func=function) if last_name(function) in CHOOSES:
            return node.args[1:]
        case ast.Assign(targets=[ast.Attribute()], value=ast.Name() as value):
            return [value]
        case ast.Return(value=ast.Name() as value) if not given_back:
            return [value]
        case ast.Return(value=ast.Call(func=function, args=args)) if not given_back and last_name(function) in WRAPPERS:
            return args
        case ast.Return(value=ast.Tuple(elts=values)) if not given_back:
            return values
    return []


def surely(
    body: Sequence[ast.stmt],
    meant: Mapping[int, Collection[T]],
    decided: Mapping[str, bool] = NOTHING_DECIDED,
    known: Mapping[str, object] = NOTHING_KNOWN,
    itself: T | None = None,
) -> set[T]:
    """What every call of a function reaches, also where each of several branches does. ``meant`` says by the id of a
    node what it reaches; a branch that reaches the function ``itself`` leads into one of the others in the end.

    >>> text = "if x: return f()", "if y:", "  g(h())", "  f()", "elif z: raise e()", "else: return f()", "f()", "k()"
    >>> body = ast.parse("\\n".join(text)).body
    >>> names = {id(each): [each.id] for each in ast.walk(ast.Module(body)) if isinstance(each, ast.Name)}
    >>> sorted(surely(body, names)), sorted(surely(body, names, {"x": False, "y": True}, {"x": 0, "y": 1}))
    (['f', 'x'], ['f', 'g', 'h', 'k', 'x', 'y'])
    """
    return _Surely(meant, decided, known, itself).block(body) or set()


class _Surely(Generic[T]):
    def __init__(
        self,
        meant: Mapping[int, Collection[T]],
        decided: Mapping[str, bool],
        known: Mapping[str, object],
        itself: T | None = None,
    ) -> None:
        self._meant = meant
        self._itself = itself
        self._decided = decided
        self._known = known
        self._left = MAX_WAYS

    def block(self, statements: Sequence[ast.stmt]) -> set[T] | None:
        """What statements reach, None when no call that succeeds gets to their end."""
        sure: set[T] = set()
        self._left -= 1
        for at, each in enumerate(statements if self._left > 0 else ()):
            rest = statements[at + 1 :]
            if isinstance(each, ast.Raise):
                return None
            if isinstance(each, ast.If):
                way = self._branches(each, rest)
                return None if way is None else sure | way
            if isinstance(each, ast.With):
                way = self.block([*each.body, *rest])
                return None if way is None else sure | self._in(*each.items) | way
            if isinstance(each, ast.For | ast.While | ast.Try | ast.Match):
                sure |= self._in(each)
                if may_return(each):
                    return sure
            elif not isinstance(each, Scope | ast.ClassDef):
                sure |= self._in(each)
                if isinstance(each, ast.Return):
                    return sure
        return sure

    def _branches(self, node: ast.If, rest: Sequence[ast.stmt]) -> set[T] | None:
        """What an ``if`` and all behind it reach."""
        outcome = answer(node.test, self._decided, self._known)
        bodies = [body for body, when in ((node.body, True), (node.orelse, False)) if outcome in (None, when)]
        if any(may_return(each) for body in bodies for each in body):
            ways = [self.block([*body, *rest]) for body in bodies]
        else:
            behind = self.block(rest)
            inside = [self.block(body) for body in bodies]
            ways = [None if way is None or behind is None else way | behind for way in inside]
        reached = [way for way in ways if way is not None and self._itself not in way]
        return self._in(node.test) | set.intersection(*reached) if reached else None

    def _in(self, *nodes: ast.AST) -> set[T]:
        """What surely runs of nodes without blocks that are branches."""
        walk = _Walk(self._decided, self._known)
        for each in nodes:
            walk.visit(each, certain=True)
        return {one for number, certain in walk.found.items() if certain for one in self._meant.get(number, ())}


class _Walk:
    def __init__(self, decided: Mapping[str, bool], known: Mapping[str, object]) -> None:
        self._decided = decided
        self._known = known
        self.found: dict[int, bool] = {}

    def block(self, statements: Iterable[ast.stmt], certain: bool) -> None:
        """Statements in order, up to one that always leaves."""
        for each in statements:
            self.visit(each, certain)
            decided = self._answer(each)
            if isinstance(each, ast.If) and decided is not None:
                body = each.body if decided else each.orelse
                if leaves(body):
                    return
                certain = certain and not any(map(may_return, body))
            elif isinstance(each, ast.Return | ast.Raise):
                return
            else:
                certain = certain and not may_return(each)

    def _answer(self, node: ast.AST) -> bool | None:
        return answer(node.test, self._decided, self._known) if isinstance(node, ast.If | ast.IfExp) else None

    def visit(self, node: ast.AST, certain: bool) -> None:
        """A node and those below it."""
        if isinstance(node, ast.Raise):
            return
        self.found[id(node)] = certain
        if isinstance(node, ast.If | ast.IfExp):
            decided = self._answer(node)
            for body, when in ((node.body, True), (node.orelse, False)):
                if decided in (None, when):
                    self._any(body, certain and decided is not None)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
            self.block([*node.body, *node.orelse], certain=False)
        elif isinstance(node, ast.With | ast.AsyncWith):
            self.block(node.body, certain)
        elif isinstance(node, ast.Try):
            self.block(node.body, certain)
            self.block(node.orelse, certain=False)
            self.block(node.finalbody, certain)
        elif isinstance(node, Scope):
            self._any(node.body, certain=False)
        sure, unsure = _parts(node)
        for each in sure:
            self.visit(each, certain)
        for each in unsure:
            self.visit(each, certain=False)

    def _any(self, body: list[ast.stmt] | ast.expr, certain: bool) -> None:
        if isinstance(body, ast.expr):
            self.visit(body, certain)
        else:
            self.block(body, certain)


def _parts(node: ast.AST) -> tuple[Sequence[ast.AST], Sequence[ast.AST]]:
    """What runs whenever a node does, and what may not; without blocks of statements."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [node.test], []
    if isinstance(node, ast.For | ast.AsyncFor):
        return [node.target, node.iter], []
    if isinstance(node, ast.With | ast.AsyncWith):
        return node.items, []
    if isinstance(node, ast.Try):
        return [], node.handlers
    if isinstance(node, Scope):
        return [node.args], []
    if isinstance(node, ast.Match):
        return [node.subject], node.cases
    if isinstance(node, ast.BoolOp):
        return node.values[:1], node.values[1:]
    if isinstance(node, _Comprehension):
        first, *others = node.generators
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return [first.iter], [*made, first.target, *first.ifs, *others]
    return children(node), []


def no_index(node: ast.AST) -> ast.Name | None:
    """The name of which a statement takes the index, and ends the function if there is one; None for others.

    >>> text = "if is_concrete(n):\\n  try: n = operator.index(n)\\n  except TypeError: pass\\n  else: return f(n)"
    >>> name = no_index(ast.parse(text).body[0])
    >>> name.id, no_whole_number(name, lambda _: "bb:n", lambda _: ":n")
    ('n', (('class :n=acnot',), ('dtype bb:n=f|c',)))
    >>> no_index(ast.parse("try: n = operator.index(n)\\nexcept TypeError: return n").body[0])
    """
    match node:
        case ast.If(test=ast.Call(func=asked, args=[ast.Name(id=name)]), body=[ast.Try() as tried], orelse=[]):
            found = no_index(tried) if last_name(asked) == CONCRETE else None
            return found if found is not None and found.id == name else None
        case ast.Try(
            body=[
                ast.Assign(value=ast.Call(func=called, args=[ast.Name() as value]))
                | ast.Expr(value=ast.Call(func=called, args=[ast.Name() as value]))
            ]
        ):
            return value if dotted(called) == INDEX and leaves(node.orelse) else None
    return None


def no_whole_number(
    name: ast.Name, dtype: Callable[[ast.expr], str], classes: Callable[[ast.expr], str]
) -> tuple[tuple[str, ...], ...]:
    """What each of the ways needs in which a name is no whole number; () where one cannot tell."""
    kind, of_class = dtype(name), classes(name)
    if kind == dtypes.ANY or of_class == ANY:
        return ()
    return (f"{CLASS}{of_class}{TEXT}{_NO_NUMBER}",), (f"{dtypes.DTYPE}{kind}{TEXT}{_FRACTIONS}",)
