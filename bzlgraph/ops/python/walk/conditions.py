"""What decides on the way from a function to an op: the branches that its calls stand in -> ``Condition``.

A walk notes for each call that something decides where it stands (``Passed``); what that means is looked up for the ops
that are told only.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Generic, NamedTuple, TypeVar

from bzlgraph.base.span import Location
from bzlgraph.ops.model import Condition
from bzlgraph.ops.python.resolve import Resolver, Symbol, shown
from bzlgraph.ops.python.summary import Branch, Event, Function


class Passed(NamedTuple):
    """A call on the way: the definition that it is in, the number of its branch there, and what else decides whether it
    leads on (``reason``, at a ``line``), "" for nothing. ``sure``: the branches around it that decide nothing."""

    inside: Symbol
    branch: int
    reason: str = ""
    line: int = 0
    sure: tuple[int, ...] = ()


Way = tuple[Passed, ...]
"""The calls on a way that something decides, in their order."""
MAX_OTHERS = 3
"""How often a definition is entered again only to know the ways that lead through it."""
D = TypeVar("D", bound=Hashable)


def passing(way: Way, inside: Symbol, event: Event, reason: str = "") -> Way:
    """A way that goes on with an event."""
    if event.branch < 0 and not reason:
        return way
    return (*way, Passed(inside, event.branch, reason, event.line if reason else 0, event.sure))


def is_other(ways: list[Way], way: Way) -> bool:
    """Whether a way is a new one. It is not where all that decides on a way met before decides on it, too. A new one is
    taken in, in place of those that it makes needless in the same sense."""
    decides = frozenset(way)
    if any(decides.issuperset(each) for each in ways):
        return False
    needless = [at for at, each in enumerate(ways) if decides.issubset(each)]
    at = needless[0] if needless else len(ways)
    ways[at:] = [way, *(each for each in ways[at:] if not decides.issubset(each))]
    return True


@dataclass(slots=True)
class Entered(Generic[D]):
    """The ways on which a walk entered definitions, and where it left ways out. ``called``: a definition -> those that
    lead to it."""

    ways: dict[D, list[Way]] = field(default_factory=dict)
    called: dict[D, set[D]] = field(default_factory=dict)
    left_out: set[D] = field(default_factory=set)
    """Those that were not entered on some way that is another one."""

    def again(self, entered: D, inside: D, way: Way) -> bool:
        """Whether a definition that was entered on some ways is worth entering on another one, which is taken in, then.
        After MAX_OTHERS it is not: that ways were left out is all that is known."""
        self.called.setdefault(entered, set()).add(inside)
        ways = self.ways.setdefault(entered, [])
        decides = frozenset(way)
        if any(decides.issuperset(each) for each in ways):
            return False
        if len(ways) > MAX_OTHERS:
            self.left_out.add(entered)
            return False
        ways.append(way)
        return True

    def is_behind(self, definition: D) -> bool:
        """Whether a way that was left out may lead through a definition."""
        waiting, seen = [definition] if self.left_out else [], {definition}
        while waiting:
            each = waiting.pop()
            if each in self.left_out:
                return True
            new = self.called.get(each, set()) - seen
            seen |= new
            waiting += new
        return False


def conditions_of(way: Way, resolver: Resolver) -> tuple[Condition, ...]:
    """What must be so on a way, nearest to its end first, each once."""
    return tuple(dict.fromkeys(each for passed in reversed(way) for each in _of(passed, resolver)))


def on_every_way(function: Function, branches: Collection[int], within: int = -1) -> bool:
    """Whether every way through a branch of a function, -1 for all of it, enters one of some branches: it does where
    both ways of a test do."""
    if within in branches:
        return True
    inside = [(number, each) for number, each in enumerate(function.branches) if each.within == within]
    return any(
        _is_opposite(one, other) and all(on_every_way(function, branches, each) for each in (first, second))
        for (first, one), (second, other) in permutations(inside, 2)
    )


def without_doubt(function: Function) -> list[Event]:
    """The events of a function, where both ways of a test make the same call, or name the same function, as one that
    nothing decides."""
    alike: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[int]] = {}
    for number, event in enumerate(function.events):
        if event.kind in ("call", "name") and event.branch >= 0 and not (event.special or event.inside):
            alike.setdefault((event.kind, event.text, event.gives), []).append(number)
    sure = {
        numbers[0]
        for numbers in alike.values()
        if len(numbers) > 1 and on_every_way(function, {function.events[number].branch for number in numbers})
    }
    return [
        event._replace(certain=True, branch=-1, needs=(), sure=()) if number in sure else event
        for number, event in enumerate(function.events)
    ]


def _is_opposite(one: Branch, other: Branch) -> bool:
    """Whether a branch is entered where the other one is not."""
    return one.line == other.line and other.text in (f"not {one.text}", f"not ({one.text})")


def _of(passed: Passed, resolver: Resolver) -> Iterator[Condition]:
    symbol = passed.inside
    if passed.reason:
        yield Condition("if", passed.reason, shown(symbol), Location(symbol.path, passed.line, 0))
    function = resolver.function(symbol)
    numbers = function.around(passed.branch) if function is not None else ()
    for each in (function.branches[number] for number in numbers if number not in passed.sure) if function else ():
        yield Condition(each.kind, each.text, shown(symbol), Location(symbol.path, each.line, 0))


def told(conditions: Sequence[Condition]) -> str:
    """Conditions as one text: ``if x is None in f and for each y in ys in g``."""
    return " and ".join(f"{each.text} in {each.function}" for each in conditions)
