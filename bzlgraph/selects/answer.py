"""``select EXPR``: the selects of the targets that a query found, and how many there are.

query answer -> ``SelectAnswer`` -> selects, counts. Selects are read anew for each pass: a long answer is never whole
in memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Rule
from bzlgraph.graph.selects import Select, SelectReader
from bzlgraph.graph.view import GraphView

if TYPE_CHECKING:
    from bzlgraph.selects.holds import Holds

    Choosing = Callable[[Select], tuple[Holds, ...]]
    """A select -> whether each of its branches holds."""


@dataclass(frozen=True, slots=True)
class SelectCounts:
    """How many; ``places`` is what a search in the text finds, the rest is what the evaluation made of it.

    ``calls`` are uses of values that could not be evaluated, ``call_places`` where they stand. The last three count
    branches, and only when a configuration is given.
    """

    targets: int = 0
    with_selects: int = 0
    selects: int = 0
    places: int = 0
    branches: int = 0
    values: int = 0
    edges: int = 0
    calls: int = 0
    call_places: int = 0
    holding: int = 0
    not_holding: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class SelectFilter:
    """Which selects are asked for: of these attributes (of all when none is named), branches with such conditions."""

    attributes: frozenset[str] = frozenset()
    condition: re.Pattern[str] | None = None

    def of(self, select: Select) -> Select | None:
        """The part of a select that is asked for, if any."""
        if self.attributes and select.attribute not in self.attributes:
            return None
        if self.condition is None:
            return select
        kept = tuple(branch for branch in select.branches if self.condition.search(branch.condition))
        return replace(select, branches=kept) if kept else None


EVERYTHING = SelectFilter()


@dataclass(frozen=True, slots=True)
class SelectAnswer:
    """The targets of ``nodes``, in this order. ``text`` is the expression; problems and gaps are those of the query."""

    graph: GraphView
    nodes: tuple[int, ...]
    text: str = ""
    problems: tuple[Diagnostic, ...] = ()
    gaps: tuple[Gap, ...] = ()
    chooser: Choosing | None = None
    wanted: SelectFilter = EVERYTHING

    @property
    def configured(self) -> bool:
        """Whether a configuration was given, so that it can be said which branches hold."""
        return self.chooser is not None

    def holds(self, select: Select) -> tuple[Holds, ...]:
        """Whether each branch of a select holds, in their order; nothing when no configuration was given."""
        return self.chooser(select) if self.chooser is not None else ()

    def __iter__(self) -> Iterator[Select]:
        """All selects."""
        reader = SelectReader()
        for node in filter(self.graph.has_selects, self.nodes):
            target = self.graph.target(node)
            if isinstance(target, Rule):
                selects = reader.read(target, self.graph.package_of(node))
                yield from selects if self.wanted is EVERYTHING else filter(None, map(self.wanted.of, selects))

    def counts(self) -> SelectCounts:
        """One pass over all selects."""
        tally: Counter[str] = Counter()
        places: set[Location | None] = set()
        call_places: set[Location | None] = set()
        last: Rule | None = None
        for select in self:
            if select.rule is not last:
                last = select.rule
                tally["with_selects"] += 1
            tally["selects" if select.evaluated else "calls"] += 1
            (places if select.evaluated else call_places).add(select.location)
            tally["branches"] += len(select.branches)
            for branch in select.branches:
                tally["values"] += len(branch.values)
                tally["edges"] += sum([value.edge for value in branch.values])
            for holds in self.holds(select):
                tally[_TALLIES[holds.truth]] += 1
        return SelectCounts(targets=len(self.nodes), places=len(places), call_places=len(call_places), **tally)


_TALLIES = {"yes": "holding", "no": "not_holding", "unknown": "unknown"}
