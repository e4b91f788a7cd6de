"""A Python function of TensorFlow -> the ops that it makes, nearest first.

Theory of operation. A breadth-first walk over the static call graph: from a function to the functions that its body
names, until a generated wrapper (``gen_nn_ops.conv2d``) or a call that names an op itself (``create_op("Const")``) is
met. Branches are all followed; what stands below an ``if`` is marked. The walk does not enter modules that every
function uses and that make no op of their own (``UNIVERSAL``): converting a Python value to a tensor makes a Const
there, which is told once, not for every function.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bzlgraph.base.span import Location
from bzlgraph.ops.model import OpUse, PythonStep
from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import Event, Function
from bzlgraph.ops.tensorflow.universal import (
    CONSTRUCTED,
    DECORATORS,
    OPERATORS,
    PACK,
    follows_special,
    is_universal,
    made_by_leaf,
    operator_op,
)

MAX_FUNCTIONS = 4000
NAMING = ("call", "name")


@dataclass(frozen=True, slots=True)
class _Visit:
    symbol: Symbol
    steps: tuple[PythonStep, ...]
    certain: bool


@dataclass(slots=True)
class CallWalker:
    """``op_of`` gives the op behind a generated function's name, ``known`` says whether an op exists."""

    resolver: Resolver
    op_of: Callable[[str], str]
    known: Callable[[str], bool]
    modules: dict[str, str] = field(default_factory=dict)
    """Op -> the generated module that it was met in."""
    _resolved: dict[tuple[str, str], tuple[Symbol, ...]] = field(default_factory=dict)

    def uses(self, start: Symbol) -> list[OpUse]:
        """The ops behind a function, each once, nearest first."""
        found: dict[str, OpUse] = {}
        waiting = deque([_Visit(start, (), True)])
        seen = {start}
        while waiting and len(seen) < MAX_FUNCTIONS:
            visit = waiting.popleft()
            if visit.symbol.kind == "generated":
                self._note(found, visit.symbol, Location(visit.symbol.path, 0, 0), visit)
                continue
            for event, symbol in self._reached(visit.symbol, found, visit):
                certain = visit.certain and event.certain
                if symbol.kind == "generated":
                    self._note(found, symbol, Location(visit.symbol.path, event.line, 0), visit, certain)
                elif symbol not in seen:
                    seen.add(symbol)
                    step = PythonStep(shown(symbol), self.location(symbol))
                    waiting.append(_Visit(symbol, (*visit.steps, step), certain))
        return list(found.values())

    def direct(self, symbol: Symbol) -> list[str]:
        """The ops of the generated functions that a definition itself names."""
        function = self._function(symbol)
        events = function.events if function is not None else ()
        targets = [target for event in events if event.kind in NAMING for target in self._targets(symbol, event)]
        return [op for each in targets if each.kind == "generated" and (op := self.op_of(each.name))]

    def nearly_direct(self, symbol: Symbol) -> list[str]:
        """The same; for one that names none, those of the functions of its own file that it calls."""
        found = self.direct(symbol)
        function = self._function(symbol)
        if found or function is None:
            return found
        targets = [target for event in function.events if event.kind == "call" for target in self._targets(symbol, event)]
        return [op for each in targets if each.path == symbol.path and each != symbol for op in self.direct(each)]

    def location(self, symbol: Symbol) -> Location:
        """Where a definition begins."""
        if symbol.kind in ("module", "generated"):
            return Location(symbol.path, 0, 0)
        function = self._function(symbol)
        if function is not None:
            return Location(symbol.path, function.line, 0)
        found = self.resolver.tree.module(symbol.path).classes.get(symbol.name)
        return Location(symbol.path, found.line if found else 0, 0)

    def _function(self, symbol: Symbol) -> Function | None:
        module = self.resolver.tree.module(symbol.path)
        return module.functions.get(symbol.name) or module.values.get(symbol.name)

    def _reached(self, symbol: Symbol, found: dict[str, OpUse], visit: _Visit) -> Iterator[tuple[Event, Symbol]]:
        """What a definition's events lead to; ops that they make themselves are noted."""
        function = self._function(symbol)
        if function is None:
            return
        # A branch for sparse tensors matters to who asks for that very function, not to those that call it.
        skipped = bool(visit.steps) and not follows_special(symbol.path)
        for event in (*function.decorators, *function.events):
            if event.special and skipped:
                continue
            for op in DECORATORS.get(event.text.rpartition(".")[2], ()):
                self._make(event._replace(kind="literal", text=op), found, visit)
        for event in function.events:
            if event.special and skipped:
                continue
            if event.kind in ("operator", "literal", "packed"):
                self._make(event, found, visit)
                continue
            for target in self._targets(symbol, event):
                if (made := made_by_leaf(target.path, target.name)) and event.kind == "call":
                    for op in made:
                        self._make(event._replace(kind="literal", text=op), found, visit)
                elif not made and not is_universal(target.path, target.name):
                    yield event, target

    def _make(self, event: Event, found: dict[str, OpUse], visit: _Visit) -> None:
        place = Location(visit.symbol.path, event.line, 0)
        certain = visit.certain and event.certain
        names = {"operator": OPERATORS.get(event.text, ()), "packed": (PACK,), "literal": (event.text,)}[event.kind]
        op = operator_op(names, self.known)
        if op and op not in found:
            found[op] = OpUse(op, "", place, visit.steps, certain)

    def _note(
        self, found: dict[str, OpUse], symbol: Symbol, place: Location, visit: _Visit, certain: bool = True
    ) -> None:
        op = self.op_of(symbol.name)
        if op:
            self.modules.setdefault(op, symbol.path)
        if op and op not in found:
            found[op] = OpUse(op, shown(symbol), place, visit.steps, certain)

    def _targets(self, symbol: Symbol, event: Event) -> tuple[Symbol, ...]:
        inside = symbol.name if event.kind in ("own", "unknown") else ""
        key = (symbol.path, f"{inside}:{event.kind}:{event.text}")
        if key not in self._resolved:
            self._resolved[key] = tuple(self._resolve(symbol, event))
        return self._resolved[key]

    def _resolve(self, symbol: Symbol, event: Event) -> Iterator[Symbol]:
        path = symbol.path
        if event.kind == "own":
            owner = symbol.name.rpartition(".")[0]
            found = self.resolver.method(path, owner, event.text) if owner else None
        elif event.kind == "method":
            owner, _, method = event.text.partition("|")
            of = self.resolver.resolve(path, owner)
            found = self.resolver.method(of.path, of.name, method) if of is not None and of.kind == "class" else None
        elif event.kind == "unknown":
            yield from self._guessed_methods(symbol, event.text)
            return
        else:
            found = self.resolver.resolve(path, event.text)
            if found is not None and found.kind == "class":
                if event.kind == "call" or symbol.name.endswith(".__init__"):
                    yield from self._constructors(found)
                return
        if found is not None and found.kind != "module":
            yield found

    def _guessed_methods(self, symbol: Symbol, method: str) -> Iterator[Symbol]:
        """A method of we do not know what: of the classes that the body makes values of, or, in a class, of those
        that its ``__init__`` names."""
        function = self._function(symbol)
        events = [each for each in function.events if each.kind == "call"] if function else []
        owner = symbol.name.rpartition(".")[0]
        begins = self.resolver.tree.module(symbol.path).functions.get(f"{owner}.__init__") if owner else None
        if begins is not None:
            events += [each for each in begins.events if each.kind in ("call", "name")]
        for text in dict.fromkeys(each.text for each in events):
            found = self.resolver.resolve(symbol.path, text)
            if found is not None and found.kind == "class" and not is_universal(found.path, found.name):
                inside = self.resolver.method(found.path, found.name, method)
                if inside is not None:
                    yield inside

    def _constructors(self, found: Symbol) -> Iterator[Symbol]:
        if (found.path, found.name) in CONSTRUCTED:
            path, names = CONSTRUCTED[found.path, found.name]
            known = self.resolver.tree.module(path).functions
            yield from (Symbol("function", path, name) for name in names if name in known)
            return
        for name in ("__init__", "__new__"):
            if (method := self.resolver.method(found.path, found.name, name)) is not None:
                yield method
                return


def shown(symbol: Symbol) -> str:
    """``nn_ops.conv2d``."""
    if symbol.kind == "generated":
        return f"{symbol.path.rpartition('.')[2]}.{symbol.name}"
    parts = symbol.path.removesuffix("/__init__.py").removesuffix(".py").split("/")
    return f"{parts[-1]}.{symbol.name}" if symbol.name else parts[-1]
