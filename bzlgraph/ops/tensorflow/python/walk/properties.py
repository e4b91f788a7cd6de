"""Attributes of values of which nothing is known: where a property of that name may make ops, reading one may.

``return self.layer.losses``: the losses of any layer of the tree. Asked only where a function would be said to make no
op: nearly all attributes are facts (a name, a shape), and the tree's classes are searched for each name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from bzlgraph.base.words import utf8
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.python.values.plain_values import FACTS
from bzlgraph.python_source.syntax import AnyFunction, dotted, last_name, parse_any, walk

OWN = ("self", "cls")
_PROPERTY = rb"@property[^\n]*\n(?:\s*@[^\n]*\n)*\s*def %b\("


@dataclass(slots=True)
class Properties:
    """Of one tree. ``may_make``: whether a definition may make an op, as far as one can tell."""

    tree: PythonTree
    folder: str
    may_make: Callable[[Symbol], bool]
    _known: dict[str, bool] = field(default_factory=dict)

    def read_in(self, symbols: Iterable[Symbol]) -> Iterator[str]:
        """What functions read that may make an op, as it is written: ``layer.losses``."""
        for each in symbols:
            for owner, name in self._reads(each):
                if name not in self._known:
                    self._known[name] = False  # while it is looked for: a property may read one of its name
                    self._known[name] = any(map(self.may_make, self._of_name(name)))
                if self._known[name]:
                    yield f"{owner}.{name}"

    def _reads(self, symbol: Symbol) -> list[tuple[str, str]]:
        """(last name of the value, attribute) that a function reads of values."""
        module = self.tree.module(symbol.path)
        if symbol.name not in module.functions:
            return []
        known = {*module.imports, *module.functions, *module.classes, *module.values, *OWN}
        try:
            body = parse_any(self.tree.bytes_of(symbol.path)).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        return [pair for each in _functions(body, symbol.name) for pair in _reads_of(each, known)]

    def _of_name(self, name: str) -> Iterator[Symbol]:
        """The properties of a name in all classes of the tree."""
        pattern = re.compile(_PROPERTY % re.escape(utf8(name)))
        for path in self.tree.containing(self.folder, (utf8(f"def {name}(self"),)):
            if pattern.search(self.tree.bytes_of(path)):
                for function in self.tree.module(path).functions:
                    if function.endswith(f".{name}"):
                        yield Symbol("function", path, function)


def _functions(body: list[ast.stmt], name: str) -> Iterator[AnyFunction]:
    """The functions of a dotted name."""
    first, _, rest = name.partition(".")
    for statement in body:
        for each in walk(statement):
            if isinstance(each, ast.ClassDef) and rest and each.name == first:
                yield from _functions(each.body, rest)
            elif isinstance(each, AnyFunction) and not rest and each.name == first:
                yield each


def _reads_of(function: AnyFunction, known: Collection[str]) -> Iterator[tuple[str, str]]:
    called = {id(each.func) for each in walk(function) if isinstance(each, ast.Call)}
    for each in walk(function):
        if not isinstance(each, ast.Attribute) or not isinstance(each.ctx, ast.Load) or id(each) in called:
            continue
        root = dotted(each.value).partition(".")[0]
        own = dotted(each.value) in OWN or (root in known and root not in OWN)
        if not own and each.attr not in FACTS and not each.attr.startswith("_"):
            yield last_name(each.value), each.attr
