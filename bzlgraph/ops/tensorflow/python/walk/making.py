"""What a walk meets: the ops that a function makes, where each is met first, and what decides on the ways to it.

An event that makes an op itself (an operator, a list that becomes one tensor, ``create_op("Const")``), or that calls a
generated wrapper, is noted in the ``Walk`` for the ``Visit`` of the function that it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.model import OpUse, PythonStep
from bzlgraph.ops.python.resolve import Resolver, Symbol, shown
from bzlgraph.ops.python.summary import Event, Given
from bzlgraph.ops.python.walk.conditions import Entered, Way, conditions_of, is_other, passing
from bzlgraph.ops.python.walk.given import is_tensor, on_tensors
from bzlgraph.ops.tensorflow.python import call_rules
from bzlgraph.ops.tensorflow.python.walk.event_targets import Target
from bzlgraph.ops.tensorflow.python.walk.handing import Handing

MAX_HOPS = 3


@dataclass(frozen=True, slots=True)
class Visit:
    """A definition that a walk is in, and how it came there."""

    target: Target
    steps: tuple[PythonStep, ...]
    certain: bool
    handed: bool = False
    """Whether it is known to be called with tensors: then the operators on its arguments make ops."""
    given: Given = field(default_factory=dict)
    """What it is called with, as far as that is known."""
    returned: bool = False
    """Whether the result is made of what it gives."""
    own: bool = False
    """Whether it is what was asked for, or a private function of the same file that this calls."""
    passed: Way = ()
    """The calls on the way that something decides."""
    body: str = ""
    """The function inside of it that runs alone, "" for all of it."""


class Walk(NamedTuple):
    """What a walk met: op -> where it is met first; the names that it did not follow; the classes whose values do not
    have what was asked of them; the ops that the result is made of; what it entered; the ways to each op, and to what
    makes it.
    ``surely``: it goes where every call goes, and nowhere else."""

    found: dict[str, OpUse]
    stopped: dict[str, None]
    refused: dict[Symbol, None]
    returned: dict[str, None]
    entered: dict[Symbol, None]
    ways: dict[str, list[Way]]
    passed: Entered[Target]
    makers: dict[str, dict[Target, None]]
    left_out: dict[str, None]
    surely: bool = False


@dataclass(slots=True)
class OpMaker:
    """``op_of`` gives the op behind a generated function's name, ``known`` says whether an op exists, ``several``
    whether it has several outputs, so that its function gives a tuple."""

    resolver: Resolver
    handing: Handing
    op_of: Callable[[str], str]
    known: Callable[[str], bool]
    operators: Mapping[str, Sequence[str]]
    several: Callable[[str], bool]
    modules: dict[str, str] = field(default_factory=dict)
    """Op -> the generated module that it was met in."""

    def make_itself(self, event: Event, walk: Walk, visit: Visit) -> None:
        """What an event makes without calling anything."""
        path = visit.target.symbol.path
        if event.kind == "maybe":
            self._make_if_tensor(event, walk, visit)
        elif event.kind == "mixed":
            made = event._replace(kind="operator", on="", certain=False)
            self.make(made, walk, visit, on_tensors(event.on))
        elif event.kind == "packed":
            packs = self.handing.packs(path, event.text, event.on)
            if packs is not False:
                reason = "" if packs else f"{event.text or 'what is called'} makes one tensor of the list"
                reason = f"the list passed to {event.text} contains a tensor" if event.handed and packs else reason
                certain = event.certain and not reason
                self.make(event._replace(on="", certain=certain), walk, visit, reason)
        elif not (event.made_by and self._gives_several(path, event.made_by)):
            self.make(event, walk, visit)

    def _gives_several(self, path: str, name: str, hops: int = 0) -> bool:
        """Whether a function, as it is named in a module, gives a tuple or a list: an index takes a member out."""
        found = self.resolver.resolve(path, name)
        if found is None or hops > MAX_HOPS:
            return False
        if found.kind == "generated":
            return self.several(self.op_of(found.name))
        function = self.resolver.function(found)
        if function is None:
            return False
        given = [each.text for each in function.events if each.returned and each.kind == "call"]
        return function.several or any(self._gives_several(found.path, each, hops + 1) for each in given)

    def _make_if_tensor(self, event: Event, walk: Walk, visit: Visit) -> None:
        """What an operator makes on what the caller gave, which may be numbers."""
        tensor = is_tensor(event.on, visit.given)
        if visit.handed and tensor is not False:
            self.make(event._replace(kind="operator", on="" if tensor else event.on), walk, visit)

    def make(self, event: Event, walk: Walk, visit: Visit, reason: str = "") -> None:
        """Note the op of an event that makes one itself."""
        place = Location(visit.target.symbol.path, event.line, 0)
        certain = visit.certain and event.certain
        made = {"operator": self.operators.get(event.text, ()), "packed": (call_rules.PACK,)}
        names = made.get(event.kind, (event.text,))
        op = call_rules.operator_op(names, self.known)
        if op and visit.returned and event.returned and not event.on:
            walk.returned[op] = None
        passed, possible = on_the_way(visit, event, reason or on_tensors(event.on)), bool(event.on)
        self._add(walk, OpUse(op, "", place, visit.steps, certain, possible=possible), visit.target, passed)

    def note(
        self,
        walk: Walk,
        symbol: Symbol,
        place: Location,
        visit: Visit,
        certain: bool = True,
        passed: Way = (),
    ) -> None:
        """Note the op that a generated wrapper makes."""
        op = self.op_of(symbol.name)
        if op:
            self.modules.setdefault(op, symbol.path)
        self._add(walk, OpUse(op, shown(symbol), place, visit.steps, certain), visit.target, passed)

    def _add(self, walk: Walk, use: OpUse, maker: Target, way: Way) -> None:
        """Take in where an op is met first, or where less decides than there, and the ways to it; one that is only
        possible gives way to one that is not."""
        if not use.op or (walk.surely and not use.certain):
            return
        walk.makers.setdefault(use.op, {})[maker] = None
        earlier = walk.found.get(use.op)
        if earlier is None or (earlier.possible and not use.possible):
            walk.found.pop(use.op, None)
            walk.ways[use.op] = []
        elif earlier.possible != use.possible or earlier.certain:
            return
        ways = walk.ways[use.op]
        other = is_other(ways, way)
        if other and earlier is not None and _calls_as_well(use, earlier):
            ways.remove(way)
            ways.insert(0, way)
        if other and ways[0] is way:
            walk.found[use.op] = replace(use, conditions=conditions_of(way, self.resolver))


def _calls_as_well(use: OpUse, earlier: OpUse) -> bool:
    """Whether a function calls the wrapper of an op that it makes in another way as well: ``tf.stack`` calls Pack's
    where converting the list makes none."""
    return bool(use.generated) and not earlier.generated and use.steps == earlier.steps


def waits(visit: Visit, event: Event) -> bool:
    """Whether an event only happens when what the function that was asked for gives back is called. A function in
    between calls it, or gives it to one that does."""
    return bool(event.inside) and not visit.steps and visit.target.symbol.kind == "function"


def on_the_way(visit: Visit, event: Event, reason: str = "") -> Way:
    """What decides on the way, up to an event."""
    if waits(visit, event):
        reason = f"{reason} and if {event.inside} is called" if reason else f"{event.inside} is called"
    return passing(visit.passed, visit.target.symbol, event, reason)
