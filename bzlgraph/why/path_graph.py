"""The part of the graph that matters to one ``why``: every target on some path from the sources to the target."""

from __future__ import annotations

from bzlgraph.graph.model import EdgeFlag, condition_text

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Protocol

    from bzlgraph.base.resolved_label import Label
    from bzlgraph.base.span import Location
    from bzlgraph.graph.columns import Columns
    from bzlgraph.graph.model import Edge, EdgeCondition, Making, Node
    from bzlgraph.graph.view import ChosenConfiguration

    class WhyIndex(Protocol):
        """A graph against its direction."""

        def reaching(self, goals: Iterable[int], within: set[int], /) -> set[int]:
            """Nodes from which a goal is reached, the goals included."""

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


ROOT = -1
"""Stands before the sources when there are several: every path starts at it."""


class Ways:
    """Targets on the way and who names whom, each pair once. ``start`` is the source, or ROOT before several.

    ``links`` has the numbers of the edges of each pair by source and end, most meaningful first; ``penalties`` what the
    first one costs. ``may_turn``: a target on the way names itself, or the one that is asked about names one of them.
    """

    def __init__(
        self,
        graph: WhyGraph,
        start: int,
        target: int,
        sources: tuple[int, ...],
        successors: dict[int, list[int]],
        predecessors: dict[int, list[int]],
        links: dict[int, dict[int, list[int]]],
        penalties: dict[int, dict[int, int]],
        may_turn: bool,
    ) -> None:
        self.graph = graph
        self.start = start
        self.target = target
        self.sources = sources
        self.successors = successors
        self.predecessors = predecessors
        self.links = links
        self.penalties = penalties
        self.may_turn = may_turn

    def __len__(self) -> int:
        """The number of targets on the way, the ends included."""
        return len(self.successors) - (self.start == ROOT)

    def edges(self, source: int, target: int) -> list[Edge]:
        """The reasons for one step, most meaningful first."""
        return [self.graph.edge(number) for number in self.links[source][target]]


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
    on_the_way = graph.index(excluded_flags).reaching([target], closure)
    links = _links(graph, sorted(on_the_way), on_the_way, excluded_flags)
    may_turn = bool(links[target]) or any(number in found for number, found in links.items())
    links[target] = {}  # nothing leads on from the target itself
    for number, found in links.items():
        found.pop(number, None)
    successors = {number: sorted(found) for number, found in links.items()}
    predecessors: dict[int, list[int]] = {number: [] for number in links}
    for number, ends in successors.items():
        for end in ends:
            predecessors[end].append(number)
    penalties = _sort_links(graph, links)
    starts = tuple(number for number in sources if number in on_the_way)
    start = starts[0] if len(starts) == 1 else ROOT
    if start == ROOT:
        successors[ROOT], predecessors[ROOT], penalties[ROOT] = list(starts), [], dict.fromkeys(starts, 0)
        for number in starts:
            predecessors[number].append(ROOT)
    return Ways(graph, start, target, starts, successors, predecessors, links, penalties, may_turn), closure


def _links(
    graph: WhyGraph, nodes: Sequence[int], inside: set[int], excluded_flags: int
) -> dict[int, dict[int, list[int]]]:
    """The edges of targets to others on the way, by source and end."""
    links: dict[int, dict[int, list[int]]] = {}
    edges_from, ends, flags = graph.edges_from, graph.columns.edge_target, graph.columns.edge_flags
    for source in nodes:
        edges = edges_from(source)
        found: dict[int, list[int]] = {}
        for edge, end in enumerate(ends[edges.start : edges.stop], edges.start):
            if end not in inside or (excluded_flags and flags[edge] & excluded_flags):
                continue
            if end in found:
                found[end].append(edge)
            else:
                found[end] = [edge]
        links[source] = found
    return links


class _Known(dict[int, int]):
    """Numbers that are computed when they are first asked for."""

    def __init__(self, compute: Callable[[int], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: int) -> int:
        self[key] = found = self._compute(key)
        return found


def _sort_links(graph: WhyGraph, links: Mapping[int, Mapping[int, list[int]]]) -> dict[int, dict[int, int]]:
    """Put the most meaningful edge of each pair first; what it costs. Of equal parts the penalty is asked for once."""
    columns = graph.columns
    attributes, conditions, flags = columns.edge_attribute, columns.edge_condition, columns.edge_flags
    of_attribute = _Known(lambda number: attribute_penalty(columns.attributes[number]))
    of_condition = _Known(lambda number: condition_penalty(columns.conditions[number]))
    of_flags = _Known(flag_penalty)

    def meaning(number: int) -> tuple[int, str, str]:
        attribute, condition = attributes[number], conditions[number]
        penalty = of_attribute[attribute] + of_condition[condition] + of_flags[flags[number]]
        return penalty, columns.attributes[attribute], condition_text(columns.conditions[condition])

    penalties: dict[int, dict[int, int]] = {}
    for source, ends in links.items():
        costs = penalties[source] = {}
        for end, numbers in ends.items():
            if len(numbers) > 1:
                numbers.sort(key=meaning)
            first = numbers[0]
            costs[end] = of_attribute[attributes[first]] + of_condition[conditions[first]] + of_flags[flags[first]]
    return penalties


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
