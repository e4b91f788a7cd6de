"""What becomes of what a call hands on: lists with tensors in them, and functions.

Rules for a list with a tensor in it: whether it becomes one tensor (Pack)
1. A generated function makes tensors of what it is given, and so does ``convert_to_tensor``; functions that take lists
   of tensors (``concat``) do not.
2. Any other function does when it gives the parameter to one that does, or an operator works on it: not where it keeps
   the list, goes through it, or names a scope with it.
3. Where nobody knows what is called, it may; not in the modules that everything uses (``call_rules.UNIVERSAL``): they
   make no op of their own, so what they hand on is evaluated (``session.run``), compared or named. Packages without
   ops (``multiprocessing.Pool``) make none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import EITHER, MADE_OF, NAME, OR, PARTLY, Event, Function
from bzlgraph.ops.python.values.known_names import CONVERTERS, TAKE_LISTS
from bzlgraph.ops.python.walk.conditions import on_every_way
from bzlgraph.ops.tensorflow.python import call_rules
from bzlgraph.ops.tensorflow.python.walk.event_targets import EventTargets, Target

MAX_HOPS = 6
BINDINGS = "pywrap_"
"""How the modules of TensorFlow's C++ begin: they note what they are given, and make no op of it."""


@dataclass(slots=True)
class Handing:
    """For the calls in the files of one tree."""

    resolver: Resolver
    targets: EventTargets
    _known: dict[tuple[str, str, str], bool | None] = field(default_factory=dict)

    def packs(self, path: str, called: str, slot: str) -> bool | None:
        """Whether what is called in a file so makes one tensor of the argument at a position, or of a name; None where
        nobody knows. What takes a list of tensors makes one of a list in that list."""
        return called.rpartition(".")[2] in TAKE_LISTS or self._packs(path, called, slot, 0)

    def _packs(self, path: str, called: str, slot: str, hops: int) -> bool | None:
        key = path, called, slot
        if key not in self._known:
            self._known[key] = None  # while it is looked for: a function may call itself
            self._known[key] = self._find(path, called, slot, hops)
        return self._known[key]

    def _find(self, path: str, called: str, slot: str, hops: int) -> bool | None:
        last = called.rpartition(".")[2]
        if last in TAKE_LISTS or last in CONVERTERS:
            return last in CONVERTERS
        head = called.partition(".")[0]
        package = self.resolver.tree.module(path).imports.get(head, "").partition(".")[0]
        if called.removeprefix("_").startswith(BINDINGS) or package in call_rules.RUNS_NOTHING:
            return False
        found = self.resolver.resolve(path, called) if called else None
        if found is None or hops > MAX_HOPS:
            return None
        if found.kind == "generated":
            return True
        if found.kind == "class":
            made = self.resolver.method(found.path, found.name, "__init__")
            return self._of_function(made, slot, 1, hops) if made is not None else False
        packs = self._of_function(found, slot, 0, hops)
        return bool(packs) if call_rules.is_universal(found.path, found.name) else packs

    def _of_function(self, symbol: Symbol, slot: str, bound: int, hops: int) -> bool | None:
        function = self.resolver.function(symbol)
        if function is None or symbol.kind != "function":
            return None
        name = slot if not slot.isdecimal() else _at(function, int(slot) + bound)
        if name not in function.parameters or function.parameters[name].converted:
            return name in function.parameters  # what does not matter is handed on to nothing
        answers = [
            self._of_event(symbol, event, given, hops)
            for event in function.events
            for given, source in event.gives
            if name in source.lstrip(MADE_OF).split(OR)
        ]
        return True if True in answers else None if None in answers else False

    def _of_event(self, inside: Symbol, event: Event, slot: str, hops: int) -> bool | None:
        if dict(event.gives)[slot].startswith(MADE_OF):
            return True
        if event.kind == "call":
            return self._packs(inside.path, event.text, slot, hops + 1)
        owner = inside.name.rpartition(".")[0]
        found = self.resolver.method(inside.path, owner, event.text) if event.kind == "own" and owner else None
        return self._of_function(found, slot, 1, hops + 1) if found is not None and hops <= MAX_HOPS else None

    def called_there(self, inside: Target, event: Event) -> Iterator[str]:
        """The functions, as they are named, that a call hands to parameters which what is called calls itself: they run
        there, with what they are given there."""
        handed_on = {
            slot: source[1:].partition(PARTLY)[0]
            for slot, source in event.gives
            if source[:1] == NAME != source and EITHER not in source
        }
        if event.kind != "call" or not handed_on:
            return
        for target in self.targets.of(inside, event):
            for slot, text in handed_on.items():
                found = self.resolver.resolve(inside.symbol.path, text)
                if found is not None and found.kind == "function" and self.calls(target, slot):
                    yield text

    def may_not_call(self, inside: Target, text: str) -> bool:
        """Whether a call in ``inside`` hands a function, as it is named, to one that calls it on some ways only."""
        function = self.resolver.function(inside.symbol)
        handing = [
            (target, slot)
            for event in (function.events if function is not None else ())
            for slot, source in (event.gives if event.kind == "call" else ())
            if source.partition(PARTLY)[0] == NAME + text
            for target in self.targets.of(inside, event)
        ]
        return any(self.calls(*each) and not self.calls(*each, surely=True) for each in handing)

    def calls(self, target: Target, slot: str, hops: int = 0, surely: bool = False) -> bool:
        """Whether a function calls what it is given for a parameter, or hands it to one that does; ``surely``: on every
        way."""
        function = self.resolver.function(target.symbol)
        if function is None or target.symbol.kind != "function" or hops > MAX_HOPS:
            return False
        name = slot if not slot.isdecimal() else _at(function, int(slot))
        calls = [
            event
            for event in function.events
            if (
                name in event.text.split(OR)
                if event.kind == "parameter"
                else event.kind == "call" and self._hands_on(Target(target.symbol), event, name, hops, surely)
            )
        ]
        certain = any(event.certain for event in calls)
        return certain or (on_every_way(function, {each.branch for each in calls} - {-1}) if surely else bool(calls))

    def _hands_on(self, inside: Target, event: Event, name: str, hops: int, surely: bool) -> bool:
        slots = [slot for slot, source in event.gives if name in source.split(OR)]
        return bool(slots) and any(
            self.calls(each, slot, hops + 1, surely) for each in self.targets.of(inside, event) for slot in slots
        )


def _at(function: Function, position: int) -> str:
    """The parameter at a position that matters, "" for none."""
    return next((name for name, each in function.parameters.items() if each.position == position), "")
