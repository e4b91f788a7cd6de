"""``select EXPR``: the selects of the targets that a query found, and how many there are.

query answer -> ``SelectAnswer`` -> selects, counts. Selects are read anew for each pass: a long answer is never whole
in memory. This module is imported before anything heavy is.
"""

from __future__ import annotations

from bzlgraph.base.record import Record
from bzlgraph.bazel.selects import Select

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from bzlgraph.base.diagnostic import Diagnostic
    from bzlgraph.base.gap import Gap
    from bzlgraph.base.label import Label
    from bzlgraph.base.span import Location
    from bzlgraph.bazel.selects import Selecting
    from bzlgraph.selects.holds import Holds

    Choosing = Callable[[Select], tuple[Holds, ...]]
    """A select -> whether each of its branches holds."""

    class Selects(Protocol):
        """The selects of a graph's targets, of one in memory (``graph.selects``) or of one that is kept."""

        def reader(self) -> Callable[[int], Iterable[Select]]:
            """What reads those of a node; it remembers what targets share."""

        def place(self, label: Label) -> Location | None:
            """Where a target is written, None where that is not known."""


class SelectCounts(Record):
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


class SelectFilter(Record):
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
        return select._replace(branches=kept) if kept else None


EVERYTHING = SelectFilter()


class SelectAnswer:
    """The targets of ``nodes``, in this order. ``text`` is the expression; problems and gaps are those of the query."""

    __slots__ = ("chooser", "gaps", "nodes", "problems", "selects", "text", "wanted")

    def __init__(
        self,
        selects: Selects,
        nodes: tuple[int, ...],
        text: str = "",
        problems: tuple[Diagnostic, ...] = (),
        gaps: tuple[Gap, ...] = (),
        chooser: Choosing | None = None,
        wanted: SelectFilter = EVERYTHING,
    ) -> None:
        self.selects = selects
        self.nodes = nodes
        self.text = text
        self.problems = problems
        self.gaps = gaps
        self.chooser = chooser
        self.wanted = wanted

    @property
    def configured(self) -> bool:
        """Whether a configuration was given, so that it can be said which branches hold."""
        return self.chooser is not None

    def holds(self, select: Select) -> tuple[Holds, ...]:
        """Whether each branch of a select holds, in their order; nothing when no configuration was given."""
        return self.chooser(select) if self.chooser is not None else ()

    def __iter__(self) -> Iterator[Select]:
        """All selects."""
        read = self.selects.reader()
        for node in self.nodes:
            selects = read(node)
            yield from selects if self.wanted is EVERYTHING else filter(None, map(self.wanted.of, selects))

    def counts(self) -> SelectCounts:
        """One pass over all selects."""
        tally = dict.fromkeys(_TALLIED, 0)
        places: set[Location | None] = set()
        call_places: set[Location | None] = set()
        last: Selecting | None = None
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
_TALLIED = ("with_selects", "selects", "calls", "branches", "values", "edges", *_TALLIES.values())
