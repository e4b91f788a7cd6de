"""The part of the graph that matters to one ``why``: every target on some path from the sources to the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bzlgraph.graph.model import Edge, EdgeCondition, EdgeFlag, condition_text
from bzlgraph.graph.view import GraphView

ROOT = -1
"""Stands before the sources when there are several: every path starts at it."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Targets on the way and who names whom, each pair once. ``start`` is the source, or ROOT before several.

    ``links`` has the numbers of the edges of each pair by source and end, most meaningful first; ``penalties`` what the
    first one costs. ``may_turn``: a target on the way names itself, or the one that is asked about names one of them.
    """

    graph: GraphView
    start: int
    target: int
    sources: tuple[int, ...]
    successors: dict[int, list[int]]
    predecessors: dict[int, list[int]]
    links: dict[int, dict[int, list[int]]]
    penalties: dict[int, dict[int, int]]
    may_turn: bool

    def __len__(self) -> int:
        """The number of targets on the way, the ends included."""
        return len(self.successors) - (self.start == ROOT)

    def edges(self, source: int, target: int) -> list[Edge]:
        """The reasons for one step, most meaningful first."""
        return [self.graph.edge(number) for number in self.links[source][target]]


def find_ways(
    graph: GraphView, sources: Sequence[int], target: int, excluded_flags: int
) -> tuple[Ways | None, set[int]]:
    """The ways from any source to the target (None when there is none), and all that the sources depend on."""
    closure = graph.closure(sources, excluded_flags)
    if target not in closure:  # a view of a configuration may know it as a tool only
        alike = graph.same_label([target]) & closure
        if not alike:
            return None, closure
        target = min(alike)
    on_the_way = graph.index(excluded_flags).reaching([target], closure)
    links = {number: _links(graph, number, on_the_way, excluded_flags) for number in sorted(on_the_way)}
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


def _links(graph: GraphView, source: int, inside: set[int], excluded_flags: int) -> dict[int, list[int]]:
    """The edges of a target to others on the way, by where they lead."""
    columns, edges = graph.columns, graph.edges_from(source)
    ends, flags = columns.edge_target[edges.start : edges.stop], columns.edge_flags
    found: dict[int, list[int]] = {}
    for edge, end in zip(edges, ends, strict=True):
        if end in inside and not (excluded_flags and flags[edge] & excluded_flags):
            if end in found:
                found[end].append(edge)
            else:
                found[end] = [edge]
    return found


def _sort_links(graph: GraphView, links: Mapping[int, Mapping[int, list[int]]]) -> dict[int, dict[int, int]]:
    """Put the most meaningful edge of each pair first; what it costs. Equal reasons cost the same, so ask once."""
    columns = graph.columns
    attributes, conditions, flags = columns.edge_attribute, columns.edge_condition, columns.edge_flags
    known: dict[tuple[int, int, int], int] = {}

    def penalty(number: int) -> int:
        row = attributes[number], conditions[number], flags[number]
        if row not in known:
            condition = columns.conditions[conditions[number]]
            known[row] = edge_penalty(columns.attributes[attributes[number]], condition, flags[number])
        return known[row]

    def meaning(number: int) -> tuple[int, str, str]:
        words = condition_text(columns.conditions[conditions[number]]) if conditions[number] else ""
        return penalty(number), columns.attributes[attributes[number]], words

    penalties: dict[int, dict[int, int]] = {}
    for source, ends in links.items():
        costs = penalties[source] = {}
        for end, numbers in ends.items():
            if len(numbers) > 1:
                numbers.sort(key=meaning)
            costs[end] = penalty(numbers[0])
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
    penalty = ATTRIBUTE_PENALTIES.get(attribute, OTHER_ATTRIBUTE_PENALTY)
    if flags:
        penalty += sum(cost for flag, cost in FLAG_PENALTIES if flags & flag)
    return penalty + sum(DEFAULT_BRANCH_PENALTY if term.is_default else CONDITION_PENALTY for term in condition)
