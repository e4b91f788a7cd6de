"""A Python function of TensorFlow -> the ops that it makes, nearest first.

Theory of operation. A breadth-first walk over the static call graph: from a function to the functions that its body
names, until a generated wrapper (``gen_nn_ops.conv2d``) or a call that names an op itself (``create_op("Const")``) is
met. Branches are all followed; what stands below an ``if`` is marked. The walk does not enter modules that every
function uses and that make no op of their own (``UNIVERSAL``): converting a Python value to a tensor makes a Const
there, which is told once, not for every function.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bzlgraph.base.span import Location
from bzlgraph.ops.model import OpUse, PythonStep
from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import Event
from bzlgraph.ops.tensorflow.python import call_rules
from bzlgraph.ops.tensorflow.python.event_targets import EventTargets, Target

MAX_FUNCTIONS = 4000
NAMING = ("call", "name")
PASSES_ON = ("own", "super", "method")
"""Calls of methods: they are taken to hand on what the function was called with."""
CALLED = ("__init__", "__new__", "build", "call", "__call__")
"""Methods that run when a value of a class is made and used."""


@dataclass(frozen=True, slots=True)
class _Visit:
    target: Target
    steps: tuple[PythonStep, ...]
    certain: bool
    handed: bool = False
    """Whether it is known to be called with tensors: then the operators on its arguments make ops."""


@dataclass(slots=True)
class CallWalker:
    """``op_of`` gives the op behind a generated function's name, ``known`` says whether an op exists."""

    resolver: Resolver
    op_of: Callable[[str], str]
    known: Callable[[str], bool]
    operators: Mapping[str, Sequence[str]] = field(default_factory=lambda: call_rules.OPERATORS)
    modules: dict[str, str] = field(default_factory=dict)
    """Op -> the generated module that it was met in."""
    targets: EventTargets = field(init=False)
    """What events lead to."""

    def __post_init__(self) -> None:
        self.targets = EventTargets(self.resolver)

    def uses(self, start: Symbol, implied: bool = True) -> list[OpUse]:
        """The ops behind a function, each once, nearest first; last what any Python value becomes (``implied``)."""
        found = self._met(start)
        if implied and found and call_rules.IMPLIED not in found and self.known(call_rules.IMPLIED):
            found[call_rules.IMPLIED] = OpUse(call_rules.IMPLIED, "", self.location(start), (), False)
        return list(found.values())

    def _met(self, start: Symbol) -> dict[str, OpUse]:
        """Op -> where it is met first."""
        found: dict[str, OpUse] = {}
        if start.kind == "generated":
            self._note(found, start, Location(start.path, 0, 0), _Visit(Target(start), (), True))
            return found
        waiting = deque(_Visit(each, (), True, True) for each in self._starts(start))
        seen = {visit.target: True for visit in waiting}
        while waiting and len(seen) < MAX_FUNCTIONS:
            visit = waiting.popleft()
            for event, target in self._reached(visit, found):
                certain = visit.certain and event.certain
                handed = event.handed == "given" or (visit.handed and (event.kind in PASSES_ON or bool(event.handed)))
                if target.symbol.kind == "generated":
                    place = Location(visit.target.symbol.path, event.line, 0)
                    self._note(found, target.symbol, place, visit, certain)
                elif target not in seen or (handed and not seen[target]):
                    seen[target] = handed
                    step = PythonStep(shown(target.symbol), self.location(target.symbol))
                    waiting.append(_Visit(target, (*visit.steps, step), certain, handed))
        return found

    def _starts(self, start: Symbol) -> list[Target]:
        """Where to begin: a class means making a value and calling it."""
        if start.kind != "class":
            return [Target(start)]
        methods = (self.resolver.method(start.path, start.name, name) for name in CALLED)
        return [Target(each, start) for each in methods if each is not None]

    def direct(self, symbol: Symbol) -> list[str]:
        """The ops of the generated functions that a definition itself names."""
        function = self.resolver.function(symbol)
        events = function.events if function is not None else ()
        named = [event for event in events if event.kind in NAMING]
        targets = [target.symbol for event in named for target in self.targets.of(Target(symbol), event)]
        return [op for each in targets if each.kind == "generated" and (op := self.op_of(each.name))]

    def nearly_direct(self, symbol: Symbol) -> list[str]:
        """The same; for one that names none, those of the functions of its own file that it calls."""
        found = self.direct(symbol)
        function = self.resolver.function(symbol)
        if found or function is None:
            return found
        calls = [event for event in function.events if event.kind == "call"]
        targets = [target.symbol for event in calls for target in self.targets.of(Target(symbol), event)]
        return [op for each in targets if each.path == symbol.path and each != symbol for op in self.direct(each)]

    def location(self, symbol: Symbol) -> Location:
        """Where a definition begins."""
        if symbol.kind in ("module", "generated"):
            return Location(symbol.path, 0, 0)
        function = self.resolver.function(symbol)
        if function is not None:
            return Location(symbol.path, function.line, 0)
        found = self.resolver.tree.module(symbol.path).classes.get(symbol.name)
        return Location(symbol.path, found.line if found else 0, 0)

    def _reached(self, visit: _Visit, found: dict[str, OpUse]) -> Iterator[tuple[Event, Target]]:
        """What a definition's events lead to; ops that they make themselves are noted."""
        symbol = visit.target.symbol
        function = self.resolver.function(symbol)
        if function is None:
            return
        # A branch for sparse tensors matters to who asks for that very function, not to those that call it.
        skipped = bool(visit.steps) and not call_rules.follows_special(symbol.path)
        for event in (*function.decorators, *function.events):
            if event.special and skipped:
                continue
            for op in call_rules.DECORATORS.get(event.text.rpartition(".")[2], ()):
                self._make(event._replace(kind="literal", text=op), found, visit)
        for event in function.events:
            if event.special and skipped:
                continue
            if event.kind in ("operator", "literal", "packed"):
                self._make(event, found, visit)
                continue
            if event.kind == "maybe":
                if visit.handed:
                    self._make(event._replace(kind="operator"), found, visit)
                continue
            for target in self.targets.of(visit.target, event):
                path, name = target.symbol.path, target.symbol.name
                if (made := call_rules.made_by_leaf(path, name)) and event.kind == "call":
                    for op in made:
                        self._make(event._replace(kind="literal", text=op), found, visit)
                elif not made and not call_rules.is_universal(path, name):
                    yield event, target

    def _make(self, event: Event, found: dict[str, OpUse], visit: _Visit) -> None:
        place = Location(visit.target.symbol.path, event.line, 0)
        certain = visit.certain and event.certain
        made = {"operator": self.operators.get(event.text, ()), "packed": (call_rules.PACK,)}
        names = made.get(event.kind, (event.text,))
        op = call_rules.operator_op(names, self.known)
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


def shown(symbol: Symbol) -> str:
    """``nn_ops.conv2d``."""
    if symbol.kind == "generated":
        return f"{symbol.path.rpartition('.')[2]}.{symbol.name}"
    parts = symbol.path.removesuffix("/__init__.py").removesuffix(".py").split("/")
    return f"{parts[-1]}.{symbol.name}" if symbol.name else parts[-1]
