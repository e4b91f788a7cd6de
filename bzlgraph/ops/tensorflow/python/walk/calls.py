"""A Python function of TensorFlow -> the ops that it makes, nearest first.

Theory of operation. A breadth-first walk over the static call graph: from a function to the functions that its body
names, until a generated wrapper (``gen_nn_ops.conv2d``) or a call that names an op itself (``create_op("Const")``) is
met. Branches are all followed; what stands below an ``if`` is marked. The walk does not enter modules that every
function uses and that make no op of their own (``UNIVERSAL``): converting a Python value to a tensor makes a Const
there, which is told once, not for every function.

Where that ends without an op, abstract methods on the way are followed to what runs in their place (``abstract.py``),
and what was not followed is known (``Walk.stopped``): only a walk that stopped nowhere says that there is no op.
"""

from __future__ import annotations

import builtins
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bzlgraph.base.span import Location
from bzlgraph.ops.model import Condition, OpUse, PythonStep
from bzlgraph.ops.python.bodies import within
from bzlgraph.ops.python.resolve import Resolver, Symbol, shown
from bzlgraph.ops.python.summary import GIVES_ANYTHING, Event, Given
from bzlgraph.ops.python.walk.conditions import Entered, without_doubt
from bzlgraph.ops.python.walk.given import (
    ANYTHING,
    MAX_WAYS,
    covers,
    entered,
    functions_of,
    handed,
    said,
    together,
)
from bzlgraph.ops.tensorflow.python import call_rules
from bzlgraph.ops.tensorflow.python.walk.abstract import ROOT, Overrides
from bzlgraph.ops.tensorflow.python.walk.event_targets import EventTargets, Target
from bzlgraph.ops.tensorflow.python.walk.handing import Handing
from bzlgraph.ops.tensorflow.python.walk.making import OpMaker, Visit, Walk, on_the_way, waits
from bzlgraph.ops.tensorflow.python.walk.objects import Objects
from bzlgraph.ops.tensorflow.python.walk.properties import Properties
from bzlgraph.ops.tensorflow.python.walk.states import States

MAX_FUNCTIONS = 4000
GIVING = ("call", "own", "attribute", "super", "method", "parameter", "unknown")
"""Calls of which one knows what they give."""
RUNNING = ("call", "own", "super", "method", "unknown")
"""Those that run what they name."""
MAKING = ("operator", "literal", "packed", "maybe", "mixed")
"""Events that make an op without a call."""
STATIC = "staticmethod"
PASSES_ON = ("own", "attribute", "super", "method")
"""Calls of methods: they are taken to hand on what the function was called with."""
CALLED = ("__init__", "__new__", "build", "call", "__call__")
"""Methods that run when a value of a class is made and used."""
MADE = ".__init__"
"""What an object is made with is the result of who surely makes it: many are made on the way to something else."""


_Known = tuple[bool, Given, bool]
"""Whether a definition is called with tensors, what it is given, and whether the result is made of what it gives."""


@dataclass(slots=True)
class CallWalker:
    """``op_of`` gives the op behind a generated function's name, ``known`` says whether an op exists. ``loads``: the
    tree loads its ops from libraries, where others have modules that the build writes."""

    resolver: Resolver
    op_of: Callable[[str], str]
    known: Callable[[str], bool]
    operators: Mapping[str, Sequence[str]] = field(default_factory=lambda: call_rules.OPERATORS)
    loads: bool = False
    several: Callable[[str], bool] = lambda op: False
    """Whether an op has several outputs, so that its function gives a tuple."""
    without: frozenset[Symbol] = frozenset()
    """Classes of which there is no value."""
    stateful: Callable[[str], bool | None] = lambda op: None
    """Whether an op has a state, None where nobody knows."""
    targets: EventTargets = field(init=False)
    """What events lead to."""
    overrides: Overrides = field(init=False)
    handing: Handing = field(init=False)
    making: OpMaker = field(init=False)
    properties: Properties = field(init=False)
    objects: Objects = field(init=False)
    states: States = field(init=False)

    def __post_init__(self) -> None:
        self.targets = EventTargets(self.resolver, self.without)
        self.overrides = Overrides(self.resolver)
        self.handing = Handing(self.resolver, self.targets)
        known = self.op_of, self.known, self.operators, self.several
        self.making = OpMaker(self.resolver, self.handing, *known)
        self.properties = Properties(self.resolver.tree, ROOT, self._may_make)
        self.objects = Objects(self.resolver, self.handing)
        self.states = States(self.handing, self.op_of, self.stateful, self._go_on)

    def uses(self, start: Symbol, implied: bool = True, receiver: Symbol | None = None) -> list[OpUse]:
        """The ops behind a function, each once, nearest first; last what any Python value becomes (``implied``)."""
        return list(self.walk(start, implied, receiver).found.values())

    def walk(self, start: Symbol, implied: bool = True, receiver: Symbol | None = None) -> Walk:
        """The same, with what was not followed. ``receiver``: the class that a method was asked for of."""
        walk = self._met(Target(start, receiver), overriding=False)
        if not walk.found and not self._is_made(start):
            walk = self._met(Target(start, receiver), overriding=True)
        found = walk.found
        for op, use in found.items():
            more = not use.certain and (op in walk.left_out or any(map(walk.passed.is_behind, walk.makers[op])))
            found[op] = replace(use, other_ways=len(walk.ways[op]) - 1, more_ways=more)
        if not all(use.certain for use in found.values()):
            sure = self.surely(start, receiver)
            found.update({op: use for op, use in sure.items() if op in found and not found[op].certain})
        if implied and found and call_rules.IMPLIED not in found and self.known(call_rules.IMPLIED):
            place = self.location(start)
            given = Condition("if", "a Python value is passed as a tensor", shown(start), place)
            found[call_rules.IMPLIED] = OpUse(call_rules.IMPLIED, "", place, (), False, (given,))
        return walk

    def surely(self, start: Symbol, receiver: Symbol | None = None) -> dict[str, OpUse]:
        """The ops that every call of a function makes; one may be met on another way first."""
        found = self._met(Target(start, receiver), overriding=False, surely=True).found
        return {op: use for op, use in found.items() if not use.possible}

    def not_followed(self, walk: Walk) -> tuple[str, ...]:
        """What a walk that found no op did not follow; properties of values too, where it is that they decide."""
        return tuple(walk.stopped) or tuple(dict.fromkeys(self.properties.read_in(walk.entered)))

    def _may_make(self, symbol: Symbol) -> bool:
        walk = self._met(Target(symbol), overriding=False)
        return bool(walk.found or walk.stopped)

    def _met(self, first: Target, overriding: bool, surely: bool = False) -> Walk:
        """What a definition leads to, through abstract methods too when ``overriding``."""
        start, walk = first.symbol, Walk({}, {}, {}, {}, {}, {}, Entered(), {}, {}, surely)
        if start.kind == "generated":
            self.making.note(walk, start, Location(start.path, 0, 0), Visit(first, (), True))
            return walk
        return self._go(start, self._begun(first, overriding), walk, overriding)

    def _go_on(self, begun: Visit, surely: bool) -> Walk:
        """What a walk meets that begins with a visit."""
        walk = Walk({}, {}, {}, {}, {}, {}, Entered(), {}, {}, surely)
        return self._go(begun.target.symbol, [begun], walk, overriding=False)

    def _go(self, start: Symbol, begun: Iterable[Visit], walk: Walk, overriding: bool) -> Walk:
        waiting = deque(begun)
        whole = [visit for visit in waiting if not visit.body]
        seen: dict[Target, list[_Known]] = {visit.target: [(True, visit.given, True)] for visit in whole}
        walk.passed.ways.update({visit.target: [()] for visit in whole})
        while waiting and len(seen) < MAX_FUNCTIONS:
            visit = waiting.popleft()
            for event, target, reason in self._reached(visit, walk):
                certain = visit.certain and event.certain
                handed = event.handed == "given" or (visit.handed and (event.kind in PASSES_ON or bool(event.handed)))
                if target.symbol.kind == "generated":
                    place = Location(visit.target.symbol.path, event.line, 0)
                    self.making.note(walk, target.symbol, place, visit, certain, on_the_way(visit, event, reason))
                    if visit.returned and _is_result(visit.target.symbol, event):
                        walk.returned[self.op_of(target.symbol.name)] = None
                    continue
                given = self._given(visit, event, target)
                for each in (target, *(self.overrides.of(target) if overriding else ())):
                    returned = visit.returned and _is_result(visit.target.symbol, event)
                    returned = returned and (certain or not each.symbol.name.endswith(MADE))
                    new = handed, given if each == target else ANYTHING, returned
                    now = _more(seen.setdefault(each, []), new)
                    why = reason if each == target else f"the object is a {_owner(each)}"
                    passed, step = on_the_way(visit, event, why), self._step(each)
                    other = walk.passed.again(each, visit.target, passed) and step not in visit.steps
                    if now is not None or (other and not walk.surely):
                        seen[each].extend(() if now is None else (now,))
                        sure = certain and each == target
                        own = _is_private(each.symbol, start) and (visit.own or not visit.steps)
                        waiting.append(Visit(each, (*visit.steps, step), sure, *(now or new), own, passed))
        walk.passed.left_out.update(visit.target for visit in waiting)
        return walk

    def _given(self, visit: Visit, event: Event, target: Target) -> Given:
        """What a call gives a definition."""
        symbol = target.symbol
        function = self.resolver.function(symbol)
        if event.kind not in GIVING or function is None or symbol.kind != "function":
            return ANYTHING
        is_method = event.kind not in ("call", "parameter") or target.receiver is not None
        bound = is_method and not any(each.text == STATIC for each in function.decorators)
        given = handed(function, event, visit.given, visit.target.symbol, symbol.path, self.resolver, bound)
        given = {**given, **self.states.handed(visit, event, symbol, function, bound)}
        partly = functions_of(event.text, visit.given) if event.kind == "parameter" else {}
        had = partly.get((symbol.path, symbol.name))
        return {name: each for name, each in given.items() if name.rpartition(" ")[2] not in had} if had else given

    def _is_made(self, start: Symbol) -> bool:
        """Whether a definition is a class that says how its values are made: no class below it is meant."""
        return start.kind == "class" and any(self.resolver.method(start.path, start.name, each) for each in CALLED)

    def is_called(self, owner: Symbol) -> bool:
        """Whether values of a class are called, as layers are: what they are for is done there."""
        return any(self.resolver.method(owner.path, owner.name, each) for each in CALLED[-2:])

    def _step(self, target: Target) -> PythonStep:
        return PythonStep(shown(target.symbol), self.location(target.symbol))

    def _begun(self, first: Target, overriding: bool) -> Iterator[Visit]:
        """Where to begin: a class means making a value and calling it."""
        start = first.symbol
        if start.kind != "class":
            yield Visit(first, (), True, True, self._said(first), returned=True)
            yield from (self._instead(each) for each in (self.overrides.of(first) if overriding else ()))
            return
        if (start.path, start.name) in call_rules.CONSTRUCTED:
            yield from (self._instead(each) for each in self.targets.constructors(start))
            return
        methods = (self.resolver.method(start.path, start.name, name) for name in CALLED)
        begun = [Target(each, start) for each in methods if each is not None]
        yield from (Visit(each, (), True, True, self._said(each)) for each in begun)
        if overriding:
            for derived in self.overrides.derived(start):
                yield from (self._instead(each) for each in self.targets.constructors(derived))

    def _instead(self, target: Target) -> Visit:
        """What runs in place of what was asked for: a step of its own."""
        return Visit(target, (self._step(target),), True, True, self._said(target), returned=True)

    def _said(self, target: Target) -> Given:
        return said(self.resolver.function(target.symbol))

    def location(self, symbol: Symbol) -> Location:
        """Where a definition begins."""
        if symbol.kind in ("module", "generated"):
            return Location(symbol.path, 0, 0)
        function = self.resolver.function(symbol)
        if function is not None:
            return Location(symbol.path, function.line, 0)
        found = self.resolver.tree.module(symbol.path).classes.get(symbol.name)
        return Location(symbol.path, found.line if found else 0, 0)

    def _reached(self, visit: Visit, walk: Walk) -> Iterator[tuple[Event, Target, str]]:
        """What a definition's events lead to, and what decides which of several; ops that they make themselves are
        noted."""
        symbol = visit.target.symbol
        walk.entered[symbol] = None
        runs = self._runs(visit, walk)
        called = {name for event in runs for name in self.handing.called_there(visit.target, event)}
        of_objects = self.objects.used_in(symbol)
        own = {(each.line, each.operator) for each in of_objects}
        for event in runs:
            if event.text in called if event.kind == "name" else (event.line, event.text) in own:
                continue
            if event.kind in MAKING:
                self.making.make_itself(event, walk, visit)
                continue
            targets = self._targets(visit, event)
            if not targets and self._is_unknown(event, symbol):
                walk.stopped[event.text.replace("|", "().")] = None
            for target in targets:
                path, name = target.symbol.path, target.symbol.name
                if target.receiver is not None and self._is_abstract(target.symbol):
                    walk.refused[target.receiver] = None
                if (made := call_rules.made_by_leaf(path, name)) and event.kind == "call":
                    alone = event.certain and len(made) == 1
                    reason = "" if len(made) == 1 else f"what {shown(target.symbol)} makes needs it"
                    for op in made:
                        self.making.make(event._replace(kind="literal", text=op, certain=alone), walk, visit, reason)
                elif not made and not call_rules.is_universal(path, name):
                    if self._may_not_run(visit, event, target):
                        yield event._replace(certain=False), target, f"{event.text} is called"
                    elif len({each.receiver for each in targets}) == 1:
                        yield event, target, ""
                    elif not walk.surely:
                        yield event._replace(certain=False), target, f"the object is a {_owner(target)}"
                elif not made and event.kind != "name":
                    walk.stopped[shown(target.symbol)] = None
        for used in of_objects if not walk.surely else ():
            event = Event("method", "", used.line, False, gives=GIVES_ANYTHING)
            yield event, Target(used.symbol, used.owner), used.reason

    def _runs(self, visit: Visit, walk: Walk) -> list[Event]:
        """The events of a definition that may happen on this visit; what its decorators make is noted."""
        symbol = visit.target.symbol
        function = self.resolver.function(symbol)
        if function is None:
            return []
        # A branch for sparse tensors matters to who asks for that very function, not to those of other files.
        skipped = bool(visit.steps) and not visit.own and not call_rules.follows_special(symbol.path)
        given, path = visit.given, symbol.path
        events = without_doubt(function) if walk.surely else function.events
        events = list(within(function, visit.body)) if visit.body else events
        met = (entered(each, function, given, path, self.resolver) for each in events)
        runs = [
            event._replace(certain=False) if waits(visit, event) else event
            for event in (each for each in met if each is not None)
            if not (walk.surely and (not event.certain or waits(visit, event)))
            and not (event.special and skipped)
            and not (visit.target.kept and symbol.kind == "value" and event.kind in RUNNING)
        ]
        for event in function.events if skipped else ():
            walk.left_out.update(dict.fromkeys(self._made_by(visit, event) if event.special else ()))
        for event in (*function.decorators, *runs):
            for op in call_rules.DECORATORS.get(event.text.rpartition(".")[2], ()):
                if not (event.special and skipped):
                    self.making.make(event._replace(kind="literal", text=op), walk, visit)
        return runs

    def _made_by(self, visit: Visit, event: Event) -> list[str]:
        """The ops that an event makes itself: an operator, a call of a wrapper."""
        if event.kind == "operator":
            return [op] if (op := call_rules.operator_op(self.operators.get(event.text, ()), self.known)) else []
        targets = self._targets(visit, event) if event.kind == "call" else ()
        return [self.op_of(each.symbol.name) for each in targets if each.symbol.kind == "generated"]

    def _targets(self, visit: Visit, event: Event) -> tuple[Target, ...]:
        """What an event may run: of a parameter that is called, the functions that it is given."""
        symbol = visit.target.symbol
        if event.kind != "parameter":
            return self.targets.of(visit.target, event) or self._loaded(event, symbol)
        given = functions_of(event.text, visit.given)
        found = [self.resolver.resolve(path, name) for path, name in given]
        return tuple(Target(each) for each in found if each is not None and each.kind == "function")

    def _may_not_run(self, visit: Visit, event: Event, target: Target) -> bool:
        """Whether a generated function is only handed to one that calls it on some ways."""
        handed = event.kind == "name" and target.symbol.kind == "generated"
        return handed and self.handing.may_not_call(visit.target, event.text)

    def _is_abstract(self, symbol: Symbol) -> bool:
        function = self.resolver.function(symbol)
        return function is not None and function.abstract

    def _loaded(self, event: Event, inside: Symbol) -> tuple[Target, ...]:
        """``_image_so.ops.addons_blend(...)``: a function of a library that a class of the tree loads when it is used.
        It is known by its name: there are few ops in such a tree, and something of the tree has it."""
        head, _, rest = event.text.partition(".")
        name = rest.rpartition(".")[2]
        if not self.loads or event.kind != "call" or not name or not self.op_of(name):
            return ()
        known = self.resolver.resolve(inside.path, head)
        return (Target(Symbol("generated", head, name)),) if known is not None else ()

    def _is_unknown(self, event: Event, inside: Symbol) -> bool:
        """Whether an event that leads nowhere may run something of the tree all the same: a method of a value of
        which nothing is known, a call of what is not found. Another package may be built upon the tree's own functions,
        as ``keras_applications`` is."""
        if event.kind != "call":
            return event.kind in ("method", "unknown", "super", "value", "parameter")
        head = event.text.partition(".")[0]
        package = self.resolver.tree.module(inside.path).imports.get(head, "").partition(".")[0]
        return package not in call_rules.RUNS_NOTHING if package else not hasattr(builtins, head)


def _more(seen: Sequence[_Known], new: _Known) -> _Known | None:
    """What a definition is visited with for one call more: what the call gives, all that calls have given where there
    are many; None where that adds nothing."""
    if any(one[0] >= new[0] and one[2] >= new[2] and covers(one[1], new[1]) for one in seen):
        return None
    if len(seen) < MAX_WAYS:
        return new
    everything = new
    for one in seen:
        everything = everything[0] or one[0], together(everything[1], one[1]), everything[2] or one[2]
    return everything


def _is_result(inside: Symbol, event: Event) -> bool:
    """Whether what a definition gives is made of what an event gives: anything that a value is made with."""
    return event.returned or inside.kind == "value"


def _is_private(symbol: Symbol, start: Symbol) -> bool:
    """Whether a function is there for those of the file of another one only."""
    return symbol.path == start.path and symbol.kind == "function" and symbol.name.startswith("_")


def _owner(target: Target) -> str:
    """The class of the object that a definition would run for."""
    return target.receiver.name if target.receiver is not None else target.symbol.name.rpartition(".")[0]
