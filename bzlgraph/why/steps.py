"""Nodes in a row -> steps with their reasons: a path, or a cycle, which is a path that ends where it begins."""

from __future__ import annotations

from itertools import pairwise

from bzlgraph.graph.model import EdgeFlag
from bzlgraph.why.answer import CycleSteps, EdgeReason, PathStep
from bzlgraph.why.path_graph import edge_penalty

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bzlgraph.graph.algorithms.cycles import Cycle
    from bzlgraph.graph.model import Edge
    from bzlgraph.why.path_graph import Ways, WhyGraph


def path_steps(ways: Ways, path: Sequence[int]) -> tuple[PathStep, ...]:
    """A path with the reasons of each step."""
    edges = [ways.edges(before, here) for before, here in pairwise(path)]
    return _steps(ways.graph, path[0], edges)


def reasons_of(ways: Ways, source: int, target: int) -> tuple[EdgeReason, ...]:
    """Why one target on the way names another, the most meaningful reason first."""
    return tuple(_reason(ways.graph, edge) for edge in ways.edges(source, target))


def edge_steps(graph: WhyGraph, edges: Sequence[Edge]) -> PathStep:
    """What edges from one target to another lead to, the most meaningful reason first."""
    ranked = sorted(edges, key=_meaning)
    return PathStep(graph.describe(ranked[0].target), tuple(_reason(graph, edge) for edge in ranked))


def cycle_steps(graph: WhyGraph, cycle: Cycle) -> CycleSteps:
    """A cycle with the reasons of each step, the most meaningful first."""
    from bzlgraph.graph.algorithms.cycles import step_edges  # whoever has a cycle has it

    edges = [sorted(step_edges(graph, *pair), key=_meaning) for pair in cycle.pairs]
    return CycleSteps(_steps(graph, cycle.nodes[0], edges), cycle.size, cycle.certain)


def _steps(graph: WhyGraph, start: int, edges: Iterable[Sequence[Edge]]) -> tuple[PathStep, ...]:
    """The node at the start, then that behind each list of edges."""
    steps = [PathStep(graph.describe(start), ())]
    for each in edges:
        steps.append(PathStep(graph.describe(each[0].target), tuple(_reason(graph, edge) for edge in each)))
    return tuple(steps)


def _meaning(edge: Edge) -> tuple[int, str, str]:
    """What sorts the most meaningful edge first."""
    return edge_penalty(edge.attribute, edge.condition, int(edge.flags)), edge.attribute, edge.when


def _reason(graph: WhyGraph, edge: Edge) -> EdgeReason:
    if not edge.flags & EdgeFlag.IMPLICIT:
        return EdgeReason(edge.attribute, edge.condition, edge.flags)
    return EdgeReason(edge.attribute, edge.condition, edge.flags, *graph.definition(edge.source, edge.attribute))
