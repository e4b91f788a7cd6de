"""The k best paths, against networkx on random graphs."""

from __future__ import annotations

from itertools import islice

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bzlgraph.base.label import parse
from bzlgraph.why.path_graph import find_ways
from bzlgraph.why.paths import STEP, best_paths
from tests.graph.tree import Tree

ATTRIBUTES = ("deps", "data", "tools", "exports")
EDGES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from(ATTRIBUTES)), max_size=30)


@settings(max_examples=60, deadline=None)
@given(EDGES)
def test_all_paths_without_cycles_the_cheapest_first(edges: set[tuple[int, int, str]]) -> None:
    tree = Tree()
    for number in range(8):
        named: dict[str, list[str]] = {}
        for source, end, attribute in edges:
            if source == number != end:
                named.setdefault(attribute, []).append(f"//p:n{end}")
        tree.rule(f"//p:n{number}", "cc_library", **named)
    graph = tree.graph()
    start, goal = (graph.resolve(parse(f"//p:n{number}", "", "")) for number in (0, 7))
    ways, _ = find_ways(graph, [start], goal, 0)
    if ways is None:
        return
    weighted = nx.DiGraph()
    weighted.add_weighted_edges_from(
        (source, end, STEP + ways.penalty(source, end)) for source, ends in ways.successors.items() for end in ends
    )
    expected = list(nx.shortest_simple_paths(weighted, start, goal, weight="weight"))
    found = list(best_paths(ways))
    assert sorted(found) == sorted(expected)
    assert [nx.path_weight(weighted, each, "weight") for each in found] == [
        nx.path_weight(weighted, each, "weight") for each in expected
    ]


@pytest.mark.parametrize("wanted", [1, 3])
def test_many_paths_are_told_one_by_one(wanted: int) -> None:
    tree = Tree()
    layers = 40  # 2 ** 40 paths
    for layer in range(layers):
        for side in "ab":
            following = [f"//p:{other}{layer + 1}" for other in "ab"] if layer < layers - 1 else ["//p:goal"]
            tree.rule(f"//p:{side}{layer}", "cc_library", deps=following)
    tree.rule("//p:goal", "cc_library")
    graph = tree.graph()
    start, goal = (graph.resolve(parse(text, "", "")) for text in ("//p:a0", "//p:goal"))
    ways, _ = find_ways(graph, [start], goal, 0)
    assert ways is not None
    found = list(islice(best_paths(ways), wanted))
    assert len(found) == len({tuple(each) for each in found}) == wanted
