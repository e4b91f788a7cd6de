"""The part of the graph that matters to one ``why``: every target on some path from the sources to the target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.index import index, mask_of, numbers_of
from bzlgraph.graph.model import Edge, EdgeFlag

ROOT = -1
"""Stands before the sources when there are several: every path starts at it."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Targets on the way and who names whom, each pair once. ``start`` is the source, or ROOT before several."""

    graph: BuildGraph
    start: int
    target: int
    sources: tuple[int, ...]
    successors: dict[int, tuple[int, ...]]
    predecessors: dict[int, tuple[int, ...]]
    without: int

    def __len__(self) -> int:
        """The number of targets on the way, the ends included."""
        return len(self.successors) - (self.start == ROOT)

    def edges(self, source: int, target: int) -> list[Edge]:
        """The reasons for one step, most meaningful first."""
        return sorted(self.graph.edges_between(source, target, self.without), key=_meaning)

    def penalty(self, source: int, target: int) -> int:
        """How far from a plain dependency the best reason for a step is."""
        return 0 if source == ROOT else edge_penalty(self.edges(source, target)[0])


def find_ways(graph: BuildGraph, sources: Sequence[int], target: int, without: int) -> tuple[Ways | None, set[int]]:
    """The ways from any source to the target (None when there are none), and all that the sources depend on."""
    closure = graph.closure(sources, without)
    if target not in closure:
        return None, closure
    frozen = index(graph, without)
    on_the_way = frozen.reaching([target], mask_of(frozen.size, closure))
    nodes = numbers_of(on_the_way)
    successors: dict[int, tuple[int, ...]] = {}
    backward: dict[int, list[int]] = {number: [] for number in nodes}
    for number in nodes:
        ends = frozen.forward.of(number)
        kept = tuple(sorted({int(end) for end in ends[on_the_way[ends]]} - {number})) if number != target else ()
        successors[number] = kept
        for end in kept:
            backward[end].append(number)
    starts = tuple(number for number in sources if number in successors)
    start = starts[0] if len(starts) == 1 else ROOT
    if start == ROOT:
        successors[ROOT] = starts
        backward[ROOT] = []
        for number in starts:
            backward[number].append(ROOT)
    predecessors = {number: tuple(before) for number, before in backward.items()}
    return Ways(graph, start, target, starts, successors, predecessors, without), closure


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


def _meaning(edge: Edge) -> tuple[int, str, str]:
    return edge_penalty(edge), edge.attribute, edge.when


def reachable(successors: dict[int, tuple[int, ...]], roots: Iterable[int]) -> set[int]:
    """Everything reached from ``roots`` in an adjacency."""
    found = set(roots)
    waiting = list(found)
    while waiting:
        for end in successors[waiting.pop()]:
            if end not in found:
                found.add(end)
                waiting.append(end)
    return found
