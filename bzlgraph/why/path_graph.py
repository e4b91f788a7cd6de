"""The part of the graph that matters to one ``why``: every target on some path from the sources to the target."""

from __future__ import annotations

from bzlgraph.graph.model import EdgeFlag, condition_text

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Protocol, TypeVar

    from bzlgraph.base.resolved_label import Label
    from bzlgraph.base.span import Location
    from bzlgraph.graph.columns import Columns
    from bzlgraph.graph.given import ChosenConfiguration
    from bzlgraph.graph.model import Edge, EdgeCondition, Making, Node
    from bzlgraph.graph.view import GraphView

    T = TypeVar("T")

    class NamedBy(Protocol):
        def __getitem__(self, node: int, /) -> Sequence[int]: ...

    class WhyIndex(Protocol):
        """A graph against its direction."""

        @property
        def dependents(self) -> NamedBy:
            """What names each node."""

    class WhyGraph(Protocol):
        """What is asked of a graph: each ``GraphView`` has it, and so has what is kept of one. What is wrong and what
        is not known only those look into who show it."""

        @property
        def columns(self) -> Columns: ...
        @property
        def labels(self) -> Sequence[Label]: ...
        @property
        def kinds(self) -> Sequence[int]: ...
        @property
        def configuration(self) -> ChosenConfiguration | None: ...
        def __len__(self) -> int: ...
        def by_label(self, nodes: Iterable[int], /) -> list[int]: ...
        def same_label(self, nodes: Iterable[int], /) -> set[int]: ...
        def count_labels(self, nodes: Iterable[int], /) -> int: ...
        def missing_among(self, nodes: set[int], /) -> Sequence[Any]: ...
        def problems_of(self, nodes: Iterable[int], /) -> Sequence[Any]: ...
        def gaps_of(self, nodes: Iterable[int], /) -> tuple[Any, ...]: ...
        def closure(self, roots: Iterable[int], excluded_flags: int, /) -> set[int]: ...
        def index(self, excluded_flags: int, /) -> WhyIndex: ...
        def describe(self, node: int, /) -> Node: ...
        def making(self, node: int, /) -> Making | None: ...
        def definition(self, node: int, attribute: str, /) -> tuple[Label | None, Location | None]: ...
        def depth(self, node: int, /) -> int: ...
        def edge(self, number: int, /) -> Edge: ...
        def edges_between(self, source: int, target: int, excluded_flags: int = 0, /) -> list[Edge]: ...
        def edges_from(self, node: int, /) -> range: ...
        def edges_to(self, node: int, /) -> list[int]: ...
        def attribute_of(self, edge: int, /) -> str: ...
        def whole(self) -> GraphView:
            """All that can be asked of it, to explain why there is no way."""


_MANY = 200
"""The edges of a target from which on an index of them pays: looking through all of them for each takes longer."""

MANY = 50_000
"""The dependencies from which on numpy finds the ways among them: importing it takes as long as finding fewer."""

ROOT = -1
"""Stands before the sources when there are several: every path starts at it."""


class Ways:
    """Targets on the way and who names whom, each pair once. ``start`` is the source, or ROOT before several.

    ``may_turn``: a target on the way names itself, or the one that is asked about names one of them. The edges of
    a pair are looked for when somebody asks for them: of most nobody does.
    """

    def __init__(
        self,
        graph: WhyGraph,
        start: int,
        target: int,
        sources: tuple[int, ...],
        successors: dict[int, list[int]],
        predecessors: dict[int, list[int]],
        excluded_flags: int,
        may_turn: bool,
    ) -> None:
        self.graph = graph
        self.start = start
        self.target = target
        self.sources = sources
        self.successors = successors
        self.predecessors = predecessors
        self.may_turn = may_turn
        self._excluded_flags = excluded_flags
        self._ends = _Known(self._ends_of)
        self._by_end = _Known(self._by_end_of)
        self._meanings = _Meanings(graph)
        self._steps_from_start: dict[int, int] = {}
        self._steps_to_target: dict[int, int] = {}

    def __len__(self) -> int:
        """The number of targets on the way, the ends included."""
        return len(self.successors) - (self.start == ROOT)

    def edges(self, source: int, target: int) -> list[Edge]:
        """The reasons for one step, most meaningful first."""
        return [self.graph.edge(number) for number in self.numbers(source, target)]

    def numbers(self, source: int, end: int) -> list[int]:
        """The numbers of the edges between two targets, most meaningful first."""
        first, ends = self._ends[source]
        if len(ends) > _MANY:
            found = self._by_end[source][end]
        elif ends.count(end) == 1:
            return [first + ends.index(end)]
        else:
            found = [edge for edge, each in enumerate(ends, first) if each == end]
        if len(found) == 1:
            return found
        flags, excluded = self.graph.columns.edge_flags, self._excluded_flags
        return sorted((edge for edge in found if not flags[edge] & excluded), key=self._meanings.of)

    def penalty(self, source: int, end: int) -> int:
        """What the most meaningful edge between two targets costs."""
        return self._meanings.penalty(self.numbers(source, end)[0]) if source != ROOT else 0

    def count_edges(self) -> int:
        """How many edges there are between targets on the way."""
        flags, excluded, count = self.graph.columns.edge_flags, self._excluded_flags, 0
        for source in self.successors.keys() - {ROOT}:
            (first, ends), is_inside = self._ends[source], set(self.successors[source]).__contains__
            if excluded:
                count += sum(is_inside(end) and not flags[edge] & excluded for edge, end in enumerate(ends, first))
            else:
                count += sum(map(is_inside, ends))
        return count

    @property
    def steps_from_start(self) -> dict[int, int]:
        """The fewest steps from the start to each target on the way; some are come by through the target alone."""
        if not self._steps_from_start:
            self._steps_from_start = steps_from(self.start, self.successors)
        return self._steps_from_start

    @property
    def steps_to_target(self) -> dict[int, int]:
        """The fewest steps from each on the way to the target."""
        if not self._steps_to_target:
            self._steps_to_target = steps_from(self.target, self.predecessors)
        return self._steps_to_target

    def _by_end_of(self, source: int) -> dict[int, list[int]]:
        """The edges of a target by what they lead to."""
        first, ends = self._ends[source]
        found: dict[int, list[int]] = {}
        for edge, end in enumerate(ends, first):
            found.setdefault(end, []).append(edge)
        return found

    def _ends_of(self, source: int) -> tuple[int, list[int]]:
        """The first edge of a target, and what its edges lead to."""
        edges = self.graph.edges_from(source)
        return edges.start, list(self.graph.columns.edge_target[edges.start : edges.stop])


def steps_from(node: int, neighbours: Mapping[int, Sequence[int]], goal: int | None = None) -> dict[int, int]:
    """The fewest steps from a node to all that it leads to; with a ``goal``, to those that are no farther away."""
    steps, wave, step = dict[int, int](), {node}, 0
    met = set(wave)
    while wave and goal not in steps:
        steps.update(dict.fromkeys(wave, step))
        wave, step = set[int]().union(*map(neighbours.__getitem__, wave)) - met, step + 1
        met |= wave
    return steps


def find_ways(
    graph: WhyGraph, sources: Sequence[int], target: int, excluded_flags: int
) -> tuple[Ways | None, set[int]]:
    """The ways from any source to the target (None when there is none), and all that the sources depend on."""
    closure = graph.closure(sources, excluded_flags)
    if target not in closure:  # a view of a configuration may know it as a tool only
        alike = graph.same_label([target]) & closure
        if not alike:
            return None, closure
        target = min(alike)
    predecessors, successors, may_turn = _between(graph.index(excluded_flags).dependents, target, closure)
    starts = tuple(number for number in sources if number in predecessors)
    start = starts[0] if len(starts) == 1 else ROOT
    if start == ROOT:
        successors[ROOT], predecessors[ROOT] = list(starts), []
        for number in starts:
            predecessors[number].append(ROOT)
    return Ways(graph, start, target, starts, successors, predecessors, excluded_flags, may_turn), closure


def _between(
    dependents: NamedBy, target: int, within: set[int]
) -> tuple[dict[int, list[int]], dict[int, list[int]], bool]:
    """What each on the way to the target is named by of them, what it names, all by number, and whether one names
    itself, or the target one of them."""
    if len(within) >= MANY:
        from bzlgraph.graph.index import SparseRows
        from bzlgraph.why.many import named_between

        if isinstance(dependents, SparseRows):
            return named_between(dependents, target, within)
    predecessors: dict[int, list[int]] = {}
    successors: dict[int, list[int]] = {target: []}
    waiting, may_turn = [target], False
    for node in waiting:  # who names any of them is on the way, too: each is looked at once
        named_by = within.intersection(dependents[node])
        if node in named_by or target in named_by:  # nothing leads on from the target
            named_by -= {node, target}
            may_turn = True
        predecessors[node] = found = sorted(named_by)
        for before in found:
            if before in successors:
                successors[before].append(node)
            else:
                successors[before] = [node]
                waiting.append(before)
    waiting.sort()
    in_order = {node: predecessors[node] for node in waiting}
    return in_order, {node: sorted(successors[node]) for node in waiting}, may_turn


class _Known(dict[int, "T"]):
    """Values by number that are computed when they are first asked for."""

    def __init__(self, compute: Callable[[int], T]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: int) -> T:
        self[key] = found = self._compute(key)
        return found


class _Meanings:
    """What sorts the most meaningful edge first. Of equal parts it is asked for once."""

    def __init__(self, graph: WhyGraph) -> None:
        columns = self._columns = graph.columns
        self._of_attribute = _Known(lambda number: attribute_penalty(columns.attributes[number]))
        self._of_condition = _Known(lambda number: condition_penalty(columns.conditions[number]))
        self._of_flags = _Known(flag_penalty)
        self._texts = _Known(lambda number: condition_text(columns.conditions[number]))

    def penalty(self, edge: int) -> int:
        """What an edge costs beside the step."""
        columns = self._columns
        of_condition = self._of_condition[columns.edge_condition[edge]]
        return (
            self._of_attribute[columns.edge_attribute[edge]] + of_condition + self._of_flags[columns.edge_flags[edge]]
        )

    def of(self, edge: int) -> tuple[int, str, str]:
        """What sorts an edge."""
        columns = self._columns
        text = self._texts[columns.edge_condition[edge]]
        return self.penalty(edge), columns.attributes[columns.edge_attribute[edge]], text


FLAG_PENALTIES = (
    (int(EdgeFlag.KEY), 60),
    (int(EdgeFlag.VISIBILITY), 60),
    (int(EdgeFlag.POSSIBLE), 30),
    (int(EdgeFlag.IMPLICIT), 20),
    (int(EdgeFlag.TOOL), 20),
)
CONDITION_PENALTY, DEFAULT_BRANCH_PENALTY = 8, 2
ATTRIBUTE_PENALTIES = {"deps": 0, "": 0, "srcs": 0, "actual": 0, "exports": 1, "data": 3, "tools": 6}
OTHER_ATTRIBUTE_PENALTY = 2


def edge_penalty(attribute: str, condition: EdgeCondition, flags: int) -> int:
    """0 for an unconditional ``deps`` that somebody wrote; a step itself counts 10 (``paths.STEP``)."""
    return attribute_penalty(attribute) + condition_penalty(condition) + flag_penalty(flags)


def attribute_penalty(attribute: str) -> int:
    """What it costs that an edge is there for this attribute."""
    return ATTRIBUTE_PENALTIES.get(attribute, OTHER_ATTRIBUTE_PENALTY)


def condition_penalty(condition: EdgeCondition) -> int:
    """What it costs that it is there under this condition only."""
    return sum(DEFAULT_BRANCH_PENALTY if term.is_default else CONDITION_PENALTY for term in condition)


def flag_penalty(flags: int) -> int:
    """What it costs that it is of these kinds."""
    return sum(cost for flag, cost in FLAG_PENALTIES if flags & flag)
