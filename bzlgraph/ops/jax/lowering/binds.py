"""What primitives are bound with: the keywords of every ``x_p.bind(x, axis=0)`` of the tree.

Rules
1. What a variable binds (``prim.bind(x, axis=0)``) may be any primitive.
2. A function's own ``**params`` that it binds a primitive with are handed on: others gave them.
3. Of ``x_p.bind`` that is handed on, and of one with another ``**``, anything may be given.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial

from bzlgraph.ops.jax.code import PythonCode
from bzlgraph.ops.jax.primitives import FOLDER, primitive_of
from bzlgraph.python_source.syntax import AnyFunction, children, dotted, last_name

BIND = "bind"
NEEDLES = (b"." + BIND.encode(),)
ANYTHING = "**"
"""In place of a keyword: it may be any."""

Key = tuple[str, str]


class Binds:
    """Those of a tree, read when they are made."""

    def __init__(self, code: PythonCode, folder: str = FOLDER) -> None:
        self._code = code
        self._given: dict[Key | None, set[str]] = defaultdict(set)
        for path in code.tree.containing(folder, NEEDLES):
            for key, keywords in code.within(path, partial(self._in_module, path)):
                self._given[key].update(keywords)

    def keywords(self, primitive: Key) -> frozenset[str] | None:
        """The keywords that a primitive may be bound with; None where that is not known."""
        own = self._given.get(primitive)
        return None if own is None or ANYTHING in own else frozenset(own | self._given[None])

    def _in_module(self, path: str) -> Iterator[tuple[Key | None, frozenset[str]]]:
        """(primitive, keywords): None for any primitive."""
        named = [at for at, line in enumerate(self._code.tree.bytes_of(path).splitlines(), 1) if NEEDLES[0] in line]
        binding = [each for each in self._code.body(path) if any(at in _lines(each) for at in named)]
        for node, call, handed in _bound(binding):
            made = primitive_of(self._code.definition(path, dotted(node.value))) if dotted(node.value) else None
            found = frozenset(_keywords(call, handed)) if call is not None else frozenset([ANYTHING])
            if call is None or call.func is not node:
                found |= {ANYTHING}
            yield (made.key, found) if made is not None else (None, found - {ANYTHING})


def _bound(body: Iterable[ast.AST]) -> Iterator[tuple[ast.Attribute, ast.Call | None, str]]:
    """Each ``x.bind``, what calls it or is ``partial`` of it, and the ``**params`` of the function around it."""
    waiting: list[tuple[ast.AST, ast.Call | None, str]] = [(each, None, "") for each in body]
    for node, call, handed in waiting:
        if isinstance(node, ast.Attribute) and node.attr == BIND:
            yield node, call, handed
        if isinstance(node, AnyFunction | ast.Lambda):
            own = node.args.kwarg.arg if node.args.kwarg is not None else ""
            waiting += [(each, None, own) for each in children(node)]
            continue
        called = node if isinstance(node, ast.Call) else None
        first = called.args[0] if called is not None and _is_partial(called) else None
        waiting += [
            (each, called if called and each in (called.func, first) else None, handed) for each in children(node)
        ]


def _lines(statement: ast.stmt) -> range:
    """The lines of a statement, those of its decorators too."""
    above = [each.lineno for each in getattr(statement, "decorator_list", ())]
    return range(min([statement.lineno, *above]), (statement.end_lineno or statement.lineno) + 1)


def _is_partial(call: ast.Call) -> bool:
    return last_name(call.func) == "partial" and bool(call.args)


def _keywords(call: ast.Call, handed: str) -> Iterator[str]:
    for each in call.keywords:
        match each.arg, each.value:
            case str(name), _:
                yield name
            case None, ast.Name(id=name) if name == handed:
                pass
            case None, ast.Call(func=ast.Name(id="dict"), args=[], keywords=inner) if all(one.arg for one in inner):
                yield from (one.arg for one in inner if one.arg)
            case _:
                yield ANYTHING
