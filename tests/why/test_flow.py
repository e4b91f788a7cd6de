"""The minimum cut of ``why`` is networkx's, the one that is nearest to the goal."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from bzlgraph.why.flow import closest_cut

MOST = 4
Arc = tuple[int, int]


def by_networkx(arcs: list[Arc], links: list[Arc], start: int, goal: int) -> list[Arc] | None:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from((start, goal))
    graph.add_edges_from(arcs)
    graph.add_edges_from(links, capacity=1)
    try:
        _, (near_start, _) = nx.minimum_cut(graph, start, goal)
    except nx.NetworkXUnbounded:
        return None
    found = [(first, end) for first, end in links if first in near_start and end not in near_start]
    return found if len(found) <= MOST else None


def cut(arcs: list[Arc], links: list[Arc], start: int, goal: int) -> list[Arc] | None:
    def into(node: int) -> tuple[list[int], list[int]]:
        return [first for first, end in arcs if end == node], [first for first, end in links if end == node]

    found = closest_cut(into, start, goal, MOST)
    return None if found is None else sorted(found)


@pytest.mark.parametrize("seed", range(300))
def test_random_networks(seed: int) -> None:
    """Of nodes from 0 to ``size``, between which links lie that are cut: from an even number to the next."""
    chosen = random.Random(seed)
    size, count = chosen.randint(2, 12), chosen.randint(2, 14)
    links = [(100 + 2 * each, 101 + 2 * each) for each in range(count)]
    arcs = set()
    for first, end in links:
        for _ in range(chosen.randint(1, 3)):
            arcs.add((chosen.randrange(size), first))
        arcs.add((end, chosen.randrange(size)))
    for _ in range(chosen.randint(0, 2)):
        arcs.add((chosen.randrange(size), chosen.randrange(size)))
    listed = sorted(arcs)
    chosen.shuffle(listed)
    assert cut(listed, links, 0, size - 1) == by_networkx(listed, links, 0, size - 1)


def test_the_samples_have_cuts_of_every_size() -> None:
    """So many ways side by side, each of two links: the later ones are nearer to the goal."""
    for ways in range(1, MOST + 2):
        links = [(10 * each + step, 10 * each + step + 1) for each in range(1, ways + 1) for step in (1, 3)]
        arcs = [arc for each in range(1, ways + 1) for arc in ((0, 10 * each + 1), (10 * each + 2, 10 * each + 3))]
        arcs += [(10 * each + 4, 1) for each in range(1, ways + 1)]
        assert cut(arcs, links, 0, 1) == (links[1::2] if ways <= MOST else None)
