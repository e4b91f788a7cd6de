"""Which C++ functions are to be looked into for an operator, how each was reached, and where its calls lead.

Functions are looked into under the fewest conditions first, and again when they turn out to run under fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.questions import ON_CPU, Constants
from bzlgraph.ops.pytorch.cpp.truth import add_way, others, weight
from bzlgraph.ops.pytorch.cpp.variables.special_kinds import GIVEN, MADE
from bzlgraph.ops.pytorch.running.devices import BOTH
from bzlgraph.ops.pytorch.running.steps import Step

MAX_FUNCTIONS = 900
"""Functions gone into for one operator, for each device."""
Place = tuple[str, int, str]
"""Path, line and name of a definition."""


def place_of(definition: Definition) -> Place:
    return definition.path, definition.line, definition.name


class Function(NamedTuple):
    """``device`` is what it runs on, ``known`` and ``members`` what its parameters and members of objects are (rule 7),
    ``foreign`` says that it is another operator's, or called by one that is (rule 5), ``ordinary`` that no tensor is of
    a special kind, ``native`` that it runs on a CPU or on CUDA."""

    definition: Definition
    device: str = ""
    known: Constants = ()
    members: Constants = ()
    foreign: bool = False
    ordinary: bool = False
    native: bool = False

    @property
    def settled(self) -> Constants:
        """The members that are known, and that all tensors are on a CPU where it runs on one."""
        return (*self.members, ON_CPU) if self.device == "CPU" and ON_CPU not in self.members else self.members

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others."""
        return place_of(self.definition), *self[1:]


class At(NamedTuple):
    """A function that is to be looked into, and how it was reached; its weight, then its number, say when."""

    weight: int
    number: int
    function: Function
    through: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    path: tuple[object, ...] = ()
    """The keys of the functions on the way, its own last."""


class Lead(NamedTuple):
    """A call that leads somewhere: to an operator ("" for none), to functions, each with the device that it is
    registered for."""

    operator: str
    location: Location
    conditions: tuple[str, ...]
    special: bool
    moves: bool
    follows: bool
    plain: bool
    touching: int
    given: Constants
    device: str
    """Where it runs, as what holds there says: on a CPU, on CUDA, "" for anywhere."""
    functions: list[tuple[Function, str]]

    def step(self, at: At, conditions: tuple[str, ...], device: str) -> Step:
        """The operator that is called, on the way there."""
        plain = self.plain or self.is_ordinary(at.function)
        native = device in BOTH or (at.function.native and not self.moves)
        how = self.moves, self.follows, plain, self.touching == MADE, native, self.given
        return Step(self.operator, self.location, at.through, conditions, device, False, *how)

    def is_ordinary(self, function: Function) -> bool:
        """Whether no tensor is of a special kind that the call in a function is given."""
        return self.touching < (MADE if function.ordinary else GIVEN)


class Search:
    """The functions that wait to be looked into, those under the fewest conditions first."""

    def __init__(self) -> None:
        self._done: dict[object, tuple[str, ...]] = {}
        self._ways: dict[object, list[tuple[str, ...]]] = {}
        self._numbers = count()
        self._waiting: list[At] = []

    def reach(self, function: Function, conditions: tuple[str, ...], before: At | None = None, by: str = "") -> None:
        """Have a function looked into, which ``before`` calls ``by`` that name, unless it is reached under no more
        conditions already."""
        key = function.key
        known = self._ways.setdefault(key, [])
        fewest = known[0] if known else None
        add_way(known, conditions)
        if known[0] != fewest:
            through, path = ((*before.through, by), (*before.path, key)) if before is not None else ((), (key,))
            heappush(self._waiting, At(weight(known[0]), next(self._numbers), function, through, known[0], path))

    def has_others(self, path: Iterable[object]) -> bool:
        """Whether a function on a way is reached otherwise, too, under other conditions."""
        return any(others(self._ways[key]) for key in path)

    def reached(self) -> Iterator[At]:
        """Functions, each again when it turns out to run under fewer conditions."""
        while self._waiting:
            at = heappop(self._waiting)
            key = at.function.key
            if self._done.get(key) != at.conditions == self._ways[key][0] and len(self._done) < MAX_FUNCTIONS:
                self._done[key] = at.conditions
                yield at
