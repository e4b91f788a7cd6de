"""An event of a function's body -> the definitions that it may run, each with the class that it runs for.

``self.m()`` in a base class means the method of the class that the value was made of: that class, the receiver, goes
along from the call that made the value. A method of a value of which nothing is known is looked up in the classes that
the same body makes values of, and, in a class, in those that its ``__init__`` names; an abstract method of the same
file is what the classes of that file make of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import Event
from bzlgraph.ops.tensorflow.python.call_rules import CONSTRUCTED, METHODS, is_universal

CONSTRUCTORS = ("__init__", "__new__")


class Target(NamedTuple):
    """A definition, and the class (a symbol) whose value it runs for, None when that is its own."""

    symbol: Symbol
    receiver: Symbol | None = None
    kept: bool = False
    """Whether it is the value of an attribute that is only read: what made it ran before."""


@dataclass(slots=True)
class EventTargets:
    """Looks events up, each once."""

    resolver: Resolver
    without: frozenset[Symbol] = frozenset()
    """Classes of which there is no value."""
    _known: dict[tuple[object, ...], tuple[Target, ...]] = field(default_factory=dict)

    def of(self, inside: Target, event: Event) -> tuple[Target, ...]:
        """What an event in the body of ``inside`` may run."""
        symbol = inside.symbol
        own = (
            inside if event.kind in ("own", "attribute", "unknown", "super") or symbol.kind == "value" else symbol.path
        )
        in_constructor = symbol.name.endswith(".__init__")
        key = (own, in_constructor, event.kind, event.text)
        if key not in self._known:
            self._known[key] = tuple(self._find(inside, event))
        return self._known[key]

    def _find(self, inside: Target, event: Event) -> Iterator[Target]:
        symbol = inside.symbol
        if event.kind == "own":
            yield from self._own(inside, event.text)
        elif event.kind == "attribute":
            yield from (each._replace(kept=True) for each in self._own(inside, event.text))
        elif event.kind == "super":
            yield from self._inherited(inside, event.text)
        elif event.kind == "unknown":
            yield from self._guessed(symbol, event.text)
        elif event.kind == "method":
            owner, _, method = event.text.partition("|")
            found = self.resolver.resolve(symbol.path, owner)
            entered = found is not None and not is_universal(found.path, found.name)
            if found is not None and (classes := self._classes(found)):
                for each in classes if entered else ():
                    yield from self._method(each, method)
            elif found is not None and found.kind == "function":
                # What a value is called for may be any class of its file: nothing says that it is one of those.
                anything = symbol.kind == "value" and method == "__call__"
                given = self._of_what_it_gives(found, method) if entered else ()
                yield from given or (() if anything else self._guessed(symbol, method))
        else:
            itself = symbol.kind == "value" and event.text == symbol.name
            look = self.resolver.imported if itself else self.resolver.resolve
            found = look(symbol.path, event.text)
            if found is None or found.kind == "module":
                return
            classes = self._classes(found)
            if not classes:
                yield Target(found)
            elif event.kind == "call" or symbol.name.endswith(".__init__"):
                for each in classes:
                    yield from self.constructors(each)

    def _classes(self, found: Symbol) -> list[Symbol]:
        """A class; those one of which a name is that the branches of a module bind to classes; else nothing."""
        if found.kind != "value":
            return [found] if found.kind == "class" else []
        bound = self.resolver.function(found)
        events = bound.events if bound is not None else ()
        named = [self.resolver.resolve(found.path, each.text) for each in events if each.kind == "name"]
        classes = [each for each in named if each is not None and each.kind == "class"]
        return classes if len(classes) == len(events) else []

    def _of_what_it_gives(self, function: Symbol, method: str) -> list[Target]:
        """A method of what a function gives: of the class that it is a method of, else of the classes it names; called,
        those are made."""
        owner = function.name.rpartition(".")[0]
        if owner:
            return list(self._method(Symbol("class", function.path, owner), method))
        body = self.resolver.function(function)
        names = dict.fromkeys(each.text for each in body.events if each.kind == "name") if body is not None else ()
        found = [self.resolver.resolve(function.path, name) for name in names]
        classes = [each for each in found if each is not None and each.kind == "class"]
        if method == "__call__":
            return [made for each in classes for made in self.constructors(each)]
        return [made for each in classes for made in self._method(each, method)]

    def _own(self, inside: Target, method: str) -> Iterator[Target]:
        """``self.m``: of the class that the value was made of, else of the class around the method."""
        owner = inside.symbol.name.rpartition(".")[0]
        if inside.receiver is not None:
            found = list(self._method(inside.receiver, method))
            if found:
                yield from found
                return
        if owner:
            yield from self._method(Symbol("class", inside.symbol.path, owner), method, inside.receiver)

    def _inherited(self, inside: Target, method: str) -> Iterator[Target]:
        """``super().m``: of the bases of the class around the method, for the same value."""
        symbol = inside.symbol
        owner = symbol.name.rpartition(".")[0]
        found = self.resolver.inherited(symbol.path, owner, method) if owner else None
        if found is not None:
            yield Target(found, inside.receiver or Symbol("class", symbol.path, owner))

    def _method(self, owner: Symbol, method: str, receiver: Symbol | None = None) -> Iterator[Target]:
        found = self.resolver.method(owner.path, owner.name, method)
        if found is not None:
            yield Target(found, receiver or owner)

    def _guessed(self, symbol: Symbol, text: str) -> Iterator[Target]:
        method = text.rpartition(".")[2]
        known = METHODS.get(text.lstrip("_")) or METHODS.get(method)
        if known is not None:
            path, name = known
            if name in self.resolver.tree.module(path).functions:
                yield Target(Symbol("function", path, name))
        else:
            yield from self._of_abstract(symbol.path, method)
        function = self.resolver.function(symbol)
        events = [each for each in function.events if each.kind == "call"] if function else []
        owner = symbol.name.rpartition(".")[0]
        begins = self.resolver.tree.module(symbol.path).functions.get(f"{owner}.__init__") if owner else None
        if begins is not None:
            events += [each for each in begins.events if each.kind in ("call", "name")]
        for text in dict.fromkeys(each.text for each in events):
            found = self.resolver.resolve(symbol.path, text)
            if found is None or found.kind != "class" or found in self.without:
                continue
            if not is_universal(found.path, found.name):
                yield from self._method(found, method)

    def _of_abstract(self, path: str, method: str) -> Iterator[Target]:
        """Where a class of a file says that those below have to define a method: those of the file that do."""
        functions = self.resolver.tree.module(path).functions
        for name, function in functions.items():
            owner, _, last = name.rpartition(".")
            if last == method and owner and not function.abstract:
                base = self.resolver.inherited(path, owner, method)
                if base is not None and base.path == path and functions[base.name].abstract:
                    yield Target(Symbol("function", path, name), Symbol("class", path, owner))

    def constructors(self, found: Symbol) -> Iterator[Target]:
        """What runs when a value of a class is made."""
        if found in self.without:
            return
        if (found.path, found.name) in CONSTRUCTED:
            for path, name in CONSTRUCTED[found.path, found.name]:
                if self.resolver.tree.has(path) and name in self.resolver.tree.module(path).functions:
                    yield Target(Symbol("function", path, name), Symbol("class", path, name.rpartition(".")[0]))
            return
        for name in CONSTRUCTORS:
            if made := list(self._method(found, name)):
                yield from made
                return
