"""The part of the graph that an answer spans, the orders Bazel prints it in, and the ranks of its targets.

nodes of an answer -> Subgraph(successors, sorted by label). The order "full" is a topological one: each target before
what it depends on, ties broken by label. Mirrors ``Digraph.getTopologicalOrder`` and ``getStrongComponentGraph``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bzlgraph.bazel.model import RuleClass
from bzlgraph.export.bazel_view.brought import brought_edges
from bzlgraph.graph.algorithms.components import between, strong_components
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView

_WALKS = re.compile(r"\b(deps|rdeps|allrdeps|same_pkg_direct_rdeps|allpaths|somepath|buildfiles|rbuildfiles)\s*\(")


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Targets, by label, with the targets among them that they name, by label. Numbers are those of the graph."""

    nodes: tuple[int, ...]
    successors: dict[int, tuple[int, ...]]

    def predecessors(self) -> dict[int, list[int]]:
        """The other direction."""
        found: dict[int, list[int]] = {node: [] for node in self.nodes}
        for node in self.nodes:
            for end in self.successors[node]:
                found[end].append(node)
        return found


def walks(query: str) -> bool:
    """Whether a query follows edges. The text is that of a query that has been answered."""
    return _WALKS.search(query) is not None


def subgraph(graph: GraphView, nodes: Iterable[int], excluded_flags: int = 0, walked: bool = True) -> Subgraph:
    """The targets and the edges among them that have none of the flags excluded.

    Bazel's graph grows as a query walks it: of targets that only a pattern named (``walked`` is False) it has no edges
    to package groups, nor those that aspects bring.
    """
    columns, labels = graph.columns, graph.labels
    if not walked:
        excluded_flags |= int(EdgeFlag.VISIBILITY)
    ordered = tuple(sorted(nodes, key=labels.__getitem__))
    position = {node: at for at, node in enumerate(ordered)}
    successors: dict[int, tuple[int, ...]] = {}
    brought_to: dict[RuleClass | None, frozenset[str]] = {None: frozenset()}
    for node in ordered:
        rule_class = None if walked else graph.rule_class(node)
        if not walked and graph.kinds[node] == NodeKind.GROUP:
            successors[node] = ()
            continue
        if (brought := brought_to.get(rule_class)) is None:
            assert rule_class is not None, "it is there from the start"
            brought = brought_to[rule_class] = brought_edges(rule_class)
        ends = {
            position[columns.edge_target[edge]]
            for edge in graph.edges_from(node)
            if columns.edge_target[edge] in position
            and not columns.edge_flags[edge] & excluded_flags
            and not (brought and graph.attribute_of(edge) in brought)
        }
        successors[node] = tuple(ordered[at] for at in sorted(ends))
    return Subgraph(ordered, successors)


def in_dependency_order(part: Subgraph) -> list[int]:
    """Each target before its dependencies (cycles aside): depth first from the smallest label, read backwards."""
    done: list[int] = []
    seen: set[int] = set()
    for root in part.nodes:
        if root in seen:
            continue
        seen.add(root)
        waiting = [(root, iter(part.successors[root]))]
        while waiting:
            node, ends = waiting[-1]
            fresh = next((end for end in ends if end not in seen), None)
            if fresh is None:
                done.append(node)
                waiting.pop()
            else:
                seen.add(fresh)
                waiting.append((fresh, iter(part.successors[fresh])))
    done.reverse()
    return done


def min_ranks(part: Subgraph) -> dict[int, int]:
    """Steps from the nearest root; a cycle counts as one target, and is a root when nothing outside needs it."""
    component_of, members = strong_components(part.successors)
    after = between(part.successors, component_of, members)
    needed = {end for ends in after for end in ends}
    rank_of = {number: 0 for number in range(len(members)) if number not in needed}
    wave, rank = list(rank_of), 0
    while wave:
        rank += 1
        wave = list(dict.fromkeys(end for number in wave for end in after[number] if end not in rank_of))
        rank_of.update(dict.fromkeys(wave, rank))
    return {node: rank_of[component_of[node]] for node in part.nodes}


def max_ranks(part: Subgraph) -> dict[int, int]:
    """Steps of the longest way from a root; the targets of a cycle share one rank."""
    component_of, members = strong_components(part.successors)
    after = between(part.successors, component_of, members)
    rank_of = [0] * len(members)
    for number in range(len(members) - 1, -1, -1):  # strong_components gives sinks first
        for end in after[number]:
            rank_of[end] = max(rank_of[end], rank_of[number] + 1)
    return {node: rank_of[component_of[node]] for node in part.nodes}
