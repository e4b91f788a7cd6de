"""Whether the functions that a call is given make ops with a state: what decides between ``If`` and ``StatelessIf``.

A condition asks the graphs of its branches (``bodies``); here the question goes back to whoever gives the functions.
``cond(p, no_op, assert_it)`` in a definition: what ``no_op`` makes, and what a function inside does, is what a walk
that begins there meets. Nothing is asked of functions that are given to what does not care.

Rules
1. It surely has a state if an op with one is surely made, never if none is met and nothing is called that some user
   gave. Methods of values of which nothing is known count for nothing: as a rule they ask for a shape or a name.
2. A parameter has what the caller gave it; what is not given makes nothing.
3. Of any other value nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from bzlgraph.base.span import Location
from bzlgraph.ops.model import PythonStep
from bzlgraph.ops.python import bodies
from bzlgraph.ops.python.bodies import NEVER, SURELY
from bzlgraph.ops.python.resolve import Symbol, shown
from bzlgraph.ops.python.summary import BODY, NAME, NOTHING, OR, PARTLY, STATE, UNSURE, Event, Function, Given
from bzlgraph.ops.python.walk.given import ANYTHING
from bzlgraph.ops.tensorflow.python import call_rules
from bzlgraph.ops.tensorflow.python.walk.event_targets import Target
from bzlgraph.ops.tensorflow.python.walk.handing import Handing
from bzlgraph.ops.tensorflow.python.walk.making import Visit, Walk

MAX_HOPS = 6
UNKNOWN = frozenset([UNSURE])


@dataclass(slots=True)
class States:
    """Of one tree. ``stateful``: whether an op has a state, None for one of which nobody knows; ``go``: what a walk
    meets that begins with a visit, and only goes where it ``surely`` does."""

    handing: Handing
    op_of: Callable[[str], str]
    stateful: Callable[[str], bool | None]
    go: Callable[[Visit, bool], Walk]
    _asking: dict[tuple[Symbol, str], bool] = field(default_factory=dict)
    _known: dict[tuple[object, ...], frozenset[str]] = field(default_factory=dict)

    def handed(self, visit: Visit, event: Event, symbol: Symbol, function: Function, bound: int) -> Given:
        """What is known of the state of the functions that a call gives a definition."""
        sources = dict(event.gives)
        found: dict[str, frozenset[str]] = {}
        for name, parameter in function.parameters.items():
            slot = str(parameter.position - bound)
            body = sources.get(BODY + name, sources.get(BODY + slot, ""))
            source = body or sources.get(name, sources.get(slot, parameter.default))
            runs = body or source.startswith(NAME) or any(STATE + each in visit.given for each in source.split(OR))
            if (runs or source == NOTHING) and self._asks(symbol, name):
                found[STATE + name] = self._of(visit, source)
        return found if any(found.values()) else ANYTHING

    def _asks(self, symbol: Symbol, name: str, hops: int = 0) -> bool:
        """Whether a function asks for the state of what a parameter makes, or gives it to one that does."""
        key = symbol, name
        if key not in self._asking:
            self._asking[key] = False  # while it is looked for: a function may call itself
            self._asking[key] = hops <= MAX_HOPS and self._find(symbol, name, hops)
        return self._asking[key]

    def _find(self, symbol: Symbol, name: str, hops: int) -> bool:
        function = self._defined(symbol)
        if function is None or call_rules.is_universal(symbol.path, symbol.name):
            return False
        needs = (need for each in function.branches for way in (*each.ways, *each.against) for need in way)
        if any(bodies.is_of_state(need) and name in need.removeprefix(STATE).split(OR) for need in needs):
            return True
        inside = {name, *_called_in(function, name)}
        return any(
            self._asks(each.symbol, parameter, hops + 1)
            for event in function.events
            if event.kind == "call"
            for slot, source in event.gives
            if not inside.isdisjoint(source.split(OR))
            for each in self.handing.targets.of(Target(symbol), event)
            if (parameter := self._at(each.symbol, slot.removeprefix(BODY)))
        )

    def _at(self, symbol: Symbol, slot: str) -> str:
        """The parameter of a function at a position, or of that name, "" for none that matters."""
        function = self._defined(symbol)
        parameters = function.parameters if function is not None else {}
        if slot in parameters:
            return slot
        return next((name for name, each in parameters.items() if str(each.position) == slot), "")

    def _defined(self, symbol: Symbol) -> Function | None:
        """A function of the tree: of the file of a generated one nothing is to be read."""
        return self.handing.resolver.function(symbol) if symbol.kind == "function" else None

    def _of(self, visit: Visit, source: str) -> frozenset[str]:
        """What is known of the state of what a value makes that a call in a visited definition gives."""
        if source == NOTHING:
            return frozenset()
        if source[:1].isidentifier():
            return self._of_parameters(visit, source.split(OR))
        key = visit.target, source, frozenset(visit.given.items())
        if key not in self._known:
            self._known[key] = UNKNOWN
            self._known[key] = self._of_name(visit, source[1:]) if source[:1] == NAME else self._of_body(visit, source)
        return self._known[key]

    def _of_parameters(self, visit: Visit, names: Iterable[str]) -> frozenset[str]:
        left_out = (each for each in names if visit.given.get(each) != frozenset([NOTHING]))
        return bodies.states_of(OR.join(left_out), visit.given)

    def _of_name(self, visit: Visit, name: str) -> frozenset[str]:
        inside = visit.target.symbol
        called = name.partition(PARTLY)[0]
        found = self.handing.resolver.resolve(inside.path, called) if called else None
        if found is not None and found.kind == "generated":
            return _state([self.stateful(self.op_of(found.name))])
        return self._met(Visit(Target(found), _steps(found), True)) if found is not None else UNKNOWN

    def _of_body(self, visit: Visit, body: str) -> frozenset[str]:
        """What is known of the state of what a function inside makes, and what it calls that users gave."""
        symbol = visit.target.symbol
        function = self.handing.resolver.function(symbol)
        if function is None:
            return UNKNOWN
        given = [self._of_parameters(visit, each.split(OR)) for each in self._called(symbol, function, body)]
        every = [*given, self._met(Visit(visit.target, _steps(symbol), True, given=visit.given, body=body))]
        for known in (frozenset([SURELY]), UNKNOWN):
            if known in every:
                return known
        return frozenset[str]().union(*every)

    def _called(self, symbol: Symbol, function: Function, body: str) -> Iterator[str]:
        """The parameters ("a|b") of a definition that a function inside calls, or gives to what calls them; UNSURE for
        any other value that it calls."""
        for event in bodies.within(function, body):
            if event.kind in ("parameter", "value"):
                yield event.text if event.kind == "parameter" else UNSURE
            for slot, source in event.gives if event.kind == "call" else ():
                if not function.parameters.keys().isdisjoint(source.split(OR)):
                    targets = self.handing.targets.of(Target(symbol), event)
                    yield from [source] if any(self.handing.calls(each, slot) for each in targets) else []

    def _met(self, visit: Visit) -> frozenset[str]:
        """Whether an op with a state is met on the way from a visit."""
        walk = self.go(visit, False)
        may = _state(map(self.stateful, [*walk.found, *walk.left_out]))
        surely = may != frozenset([NEVER]) and any(map(self.stateful, self.go(visit, True).found))
        return may if may != frozenset([SURELY]) or surely else UNKNOWN


def _called_in(function: Function, name: str) -> set[str]:
    """The functions inside that call a parameter."""
    calls = (each for each in function.events if each.kind == "parameter" and name in each.text.split(OR))
    return {body for each in calls for body in each.bodies}


def _state(known: Iterable[bool | None]) -> frozenset[str]:
    """SURELY where one of some ops has a state, NEVER where none has."""
    every = list(known)
    return frozenset([SURELY]) if True in every else UNKNOWN if None in every else frozenset([NEVER])


def _steps(symbol: Symbol) -> tuple[PythonStep, ...]:
    """A step of the way: nothing that such a walk begins with was asked for."""
    return (PythonStep(shown(symbol), Location(symbol.path, 0, 0)),)
