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
from bzlgraph.ops.tensorflow.universal import OPERATORS, PACK, is_universal, operator_op

MAX_FUNCTIONS = 4000


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
    _resolved: dict[tuple[str, str], Symbol | None] = field(default_factory=dict)

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
        for event in function.events:
            if event.kind in ("operator", "literal", "packed"):
                self._make(event, found, visit)
                continue
            target = self._target(symbol, event)
            if target is not None and not is_universal(target.path, target.name):
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
        if op and op not in found:
            found[op] = OpUse(op, shown(symbol), place, visit.steps, certain)

    def _target(self, symbol: Symbol, event: Event) -> Symbol | None:
        key = (symbol.path, f"{symbol.name}:{event.text}" if event.kind == "own" else f"{event.kind}:{event.text}")
        if key not in self._resolved:
            self._resolved[key] = self._resolve(symbol, event)
        return self._resolved[key]

    def _resolve(self, symbol: Symbol, event: Event) -> Symbol | None:
        path = symbol.path
        if event.kind == "own":
            owner = symbol.name.rpartition(".")[0]
            return self.resolver.method(path, owner, event.text) if owner else None
        if event.kind == "method":
            owner, _, method = event.text.partition("|")
            found = self.resolver.resolve(path, owner)
            is_class = found is not None and found.kind == "class"
            return self.resolver.method(found.path, found.name, method) if found and is_class else None
        if event.kind == "unknown":
            return None
        found = self.resolver.resolve(path, event.text)
        if found is None or found.kind == "module":
            return None
        if found.kind == "class":
            return self._constructor(found) if event.kind == "call" else None
        return found

    def _constructor(self, found: Symbol) -> Symbol | None:
        for name in ("__init__", "__new__"):
            if (method := self.resolver.method(found.path, found.name, name)) is not None:
                return method
        return None


def shown(symbol: Symbol) -> str:
    """``nn_ops.conv2d``."""
    if symbol.kind == "generated":
        return f"{symbol.path.rpartition('.')[2]}.{symbol.name}"
    parts = symbol.path.removesuffix("/__init__.py").removesuffix(".py").split("/")
    return f"{parts[-1]}.{symbol.name}" if symbol.name else parts[-1]
