"""``select EXPR``: the selects of the targets that a query found, and how many there are.

query answer -> ``SelectAnswer`` -> selects, counts. Selects are read anew for each pass: a long answer is never whole
in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Rule
from bzlgraph.graph.build import BuildGraph
from bzlgraph.selects.model import Holds, Select
from bzlgraph.selects.read import SelectReader

Chooser = Callable[[Select], tuple[Holds, ...]]
"""A select -> whether each of its branches holds."""


@dataclass(frozen=True, slots=True)
class SelectCounts:
    """How many; ``places`` is what a search in the text finds, the rest is what the evaluation made of it.

    ``calls`` are uses of values that could not be evaluated, ``call_places`` where they stand.
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


@dataclass(frozen=True, slots=True)
class SelectAnswer:
    """The targets of ``nodes``, in this order. ``text`` is the expression; problems and gaps are those of the query."""

    graph: BuildGraph
    nodes: tuple[int, ...]
    text: str = ""
    problems: tuple[Diagnostic, ...] = ()
    gaps: tuple[Gap, ...] = ()
    chooser: Chooser | None = None

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
        for node in self.nodes:
            target = self.graph.target(node)
            if isinstance(target, Rule):
                yield from reader.read(target, self.graph.package_of(node))

    def counts(self) -> SelectCounts:
        """One pass over all selects."""
        places: set[Location | None] = set()
        call_places: set[Location | None] = set()
        selects = branches = values = edges = calls = with_selects = 0
        last: Rule | None = None
        for select in self:
            if select.rule is not last:
                last, with_selects = select.rule, with_selects + 1
            if select.evaluated:
                selects += 1
                places.add(select.location)
            else:
                calls += 1
                call_places.add(select.location)
            branches += len(select.branches)
            for branch in select.branches:
                values += len(branch.values)
                edges += sum(value.edge for value in branch.values)
        return SelectCounts(
            len(self.nodes), with_selects, selects, len(places), branches, values, edges, calls, len(call_places)
        )
