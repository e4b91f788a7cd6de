"""The part of the graph that matters to one ``why``: every target on some path from the sources to the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bzlgraph.graph.model import Edge, EdgeFlag
from bzlgraph.graph.view import GraphView

ROOT = -1
"""Stands before the sources when there are several: every path starts at it."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Targets on the way and who names whom, each pair once. ``start`` is the source, or ROOT before several.

    ``links`` has the numbers of the edges of each pair, most meaningful first; ``penalties`` what the first one costs.
    """

    graph: GraphView
    start: int
    target: int
    sources: tuple[int, ...]
    successors: dict[int, tuple[int, ...]]
    predecessors: dict[int, tuple[int, ...]]
    links: dict[tuple[int, int], list[int]]
    penalties: dict[tuple[int, int], int]

    def __len__(self) -> int:
        """The number of targets on the way, the ends included."""
        return len(self.successors) - (self.start == ROOT)

    def edges(self, source: int, target: int) -> list[Edge]:
        """The reasons for one step, most meaningful first."""
        return [self.graph.edge(number) for number in self.links[source, target]]


def find_ways(
    graph: GraphView, sources: Sequence[int], target: int, excluded_flags: int
) -> tuple[Ways | None, set[int]]:
    """The ways from any source to the target (None when there is none), and all that the sources depend on."""
    closure = graph.closure(sources, excluded_flags)
    if target not in closure:  # a view of a configuration may know it as a tool only
        found = graph.same_label([target]) & closure
        if not found:
            return None, closure
        target = min(found)
    on_the_way = graph.index(excluded_flags).reaching([target], closure)
    links = _links(graph, on_the_way, target, excluded_flags)
    penalties = _sort_links(graph, links)
    forward: dict[int, list[int]] = {number: [] for number in sorted(on_the_way)}
    backward: dict[int, list[int]] = {number: [] for number in forward}
    for source, end in sorted(links):
        forward[source].append(end)
        backward[end].append(source)
    starts = tuple(number for number in sources if number in on_the_way)
    start = starts[0] if len(starts) == 1 else ROOT
    if start == ROOT:
        forward[ROOT], backward[ROOT] = list(starts), []
        for number in starts:
            backward[number].append(ROOT)
            penalties[ROOT, number] = 0
    successors = {number: tuple(ends) for number, ends in forward.items()}
    predecessors = {number: tuple(ends) for number, ends in backward.items()}
    return Ways(graph, start, target, starts, successors, predecessors, links, penalties), closure


def _links(graph: GraphView, inside: set[int], target: int, excluded_flags: int) -> dict[tuple[int, int], list[int]]:
    """The edges of each pair of targets on the way; nothing leads on from the target itself."""
    columns = graph.columns
    links: dict[tuple[int, int], list[int]] = {}
    for source in inside - {target}:
        for edge in graph.edges_from(source):
            end = columns.edge_target[edge]
            if end in inside and end != source and not columns.edge_flags[edge] & excluded_flags:
                links.setdefault((source, end), []).append(edge)
    return links


def _sort_links(graph: GraphView, links: dict[tuple[int, int], list[int]]) -> dict[tuple[int, int], int]:
    """Put the most meaningful edge of each pair first; what it costs. Equal reasons cost the same, so ask once."""
    columns = graph.columns
    known: dict[tuple[int, int, int], tuple[int, str, str]] = {}

    def meaning(number: int) -> tuple[int, str, str]:
        row = (
            columns.edge_attribute[number],
            columns.edge_condition[number],
            columns.edge_flags[number],
        )
        if row not in known:
            edge = graph.edge(number)
            known[row] = edge_penalty(edge), edge.attribute, edge.when
        return known[row]

    penalties = {}
    for pair, numbers in links.items():
        numbers.sort(key=meaning)
        penalties[pair] = meaning(numbers[0])[0]
    return penalties


FLAG_PENALTIES = (
    (EdgeFlag.KEY, 60),
    (EdgeFlag.VISIBILITY, 60),
    (EdgeFlag.POSSIBLE, 30),
    (EdgeFlag.IMPLICIT, 20),
    (EdgeFlag.TOOL, 20),
)
CONDITION_PENALTY, DEFAULT_BRANCH_PENALTY = 8, 2
ATTRIBUTE_PENALTIES = {"deps": 0, "": 0, "srcs": 0, "actual": 0, "exports": 1, "data": 3, "tools": 6}
OTHER_ATTRIBUTE_PENALTY = 2


def edge_penalty(edge: Edge) -> int:
    """0 for an unconditional ``deps`` that somebody wrote; a step itself counts 10 (``paths.STEP``)."""
    penalty = ATTRIBUTE_PENALTIES.get(edge.attribute, OTHER_ATTRIBUTE_PENALTY)
    penalty += sum(cost for flag, cost in FLAG_PENALTIES if edge.flags & flag)
    return penalty + sum(DEFAULT_BRANCH_PENALTY if term.is_default else CONDITION_PENALTY for term in edge.condition)
