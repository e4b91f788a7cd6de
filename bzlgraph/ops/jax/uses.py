"""A walk through functions: what waits to be gone into, and the primitives that it meets: where each is bound, and what
decides on the ways to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.ops.jax.primitives import Primitive
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import Event, Given
from bzlgraph.ops.python.walk.conditions import Entered, Way, is_other
from bzlgraph.ops.python.walk.given import ANYTHING

MAX_DEPTH, MAX_FUNCTIONS = 13, 900
Steps = tuple[tuple[str, str, int], ...]
"""The functions that lead somewhere, as (name, path, line)."""


class PrimitiveUse(NamedTuple):
    """A primitive that is bound; ``through`` are the functions between, ``ways`` what decides on each way to it that
    was met, that of the use itself first; ``more`` where there may be others."""

    primitive: Primitive
    path: str
    line: int
    certain: bool
    through: Steps
    ways: tuple[Way, ...] = ((),)
    more: bool = False


class Waiting(NamedTuple):
    """A definition, what it uses where that is not read of it, whether it surely runs, what leads to it, what it is
    given, what decides on the way, and whether the function that it gives back is only called later (rule 9 of
    ``follow``)."""

    symbol: Symbol
    events: Sequence[Event] | None = None
    certain: bool = True
    through: Steps = ()
    given: Given = ANYTHING
    way: Way = ()
    gives_back: bool = False
    named: str = ""
    """What it is called where it is used, if that is another name."""

    @property
    def known(self) -> Symbol:
        """What it is known by: each that a function made is one of its own."""
        return self.symbol._replace(name=self.named or self.symbol.name)

    def later(self, event: Event) -> str:
        """What decides on an event of what it gives back."""
        return f"{event.inside} is called" if event.inside and self.gives_back else ""


@dataclass(slots=True)
class Told:
    """The primitives that a walk met, with the ways to each and the definitions that bind it."""

    uses: dict[tuple[str, str], PrimitiveUse] = field(default_factory=dict)
    ways: dict[tuple[str, str], list[Way]] = field(default_factory=dict)
    binding: dict[tuple[str, str], set[Symbol]] = field(default_factory=dict)
    passed: Entered[Symbol] = field(default_factory=Entered)
    converted: set[tuple[Symbol, Symbol, bool]] = field(default_factory=set)
    """Conversions that were met, each with the definition that calls it, and whether of numbers."""

    def take(self, use: PrimitiveUse, inside: Symbol, way: Way) -> None:
        """Take in where a primitive is met first, or where less decides than there, and the ways to it."""
        key = use.primitive.key
        ways = self.ways.setdefault(key, [])
        self.binding.setdefault(key, set()).add(inside)
        if is_other(ways, way) and ways[0] is way and not self.uses.get(key, use).certain:
            self.uses[key] = use
        self.uses.setdefault(key, use)

    def is_too_far(self, found: Symbol, here: Sized, seen: Sized) -> bool:
        """Whether a definition is not entered because that is enough."""
        if len(here) < MAX_DEPTH and len(seen) < MAX_FUNCTIONS:
            return False
        self.passed.left_out.add(found)
        return True

    def all(self) -> Iterator[PrimitiveUse]:
        """In the order in which they were met."""
        for key, use in self.uses.items():
            more = not use.certain and any(map(self.passed.is_behind, self.binding[key]))
            yield use._replace(ways=tuple(self.ways[key]), more=more)


def names_of(bound: Sequence[PrimitiveUse]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The primitives that are bound, and those of them that something decides of."""
    sure = {each.primitive.name for each in bound if each.certain}
    names = tuple(dict.fromkeys(each.primitive.name for each in bound))
    return names, tuple(each for each in names if each not in sure)


def is_among(symbol: Symbol, through: Steps) -> bool:
    """Whether a definition is one of those that lead to it: what it does again is no other way."""
    return any((symbol.name, symbol.path) == (name, path) for name, path, _ in through)
