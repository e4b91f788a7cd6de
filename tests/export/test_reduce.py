"""Transitive reduction against networkx, on graphs with and without cycles."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.export.pictures.reduce import reduce
from bzlgraph.graph.algorithms.components import strong_components

SIZE = 9
PAIRS = [(a, b) for a in range(SIZE) for b in range(a + 1, SIZE)]
GRAPHS = st.dictionaries(
    st.integers(0, SIZE - 1), st.lists(st.integers(0, SIZE - 1), unique=True, max_size=6), max_size=SIZE
)


def complete(edges: dict[int, list[int]]) -> dict[int, list[int]]:
    return {number: [end for end in edges.get(number, []) if end != number] for number in range(SIZE)}


@given(st.sets(st.sampled_from(PAIRS)))
def test_a_graph_without_cycles_is_reduced_as_networkx_does(pairs: set[tuple[int, int]]) -> None:
    edges = complete({a: sorted(b for x, b in pairs if x == a) for a in range(SIZE)})
    wanted = nx.transitive_reduction(nx.DiGraph(edges))
    assert {(a, b) for a, ends in reduce(edges).items() for b in ends} == set(wanted.edges)


@given(GRAPHS)
def test_cycles_stay_whole_and_reachability_stays(edges: dict[int, list[int]]) -> None:
    full = complete(edges)
    reduced = reduce(full)
    before, after = nx.DiGraph(full), nx.DiGraph(reduced)
    assert list(reduced) == list(full)
    assert all(nx.descendants(before, n) == nx.descendants(after, n) for n in full)
    between = nx.transitive_reduction(nx.condensation(before)).number_of_edges()
    component, _ = strong_components(full)
    kept = [(a, b) for a, ends in reduced.items() for b in ends]
    assert sum(component[a] != component[b] for a, b in kept) == between
    inside = {(a, b) for a, ends in full.items() for b in ends if component[a] == component[b]}
    assert inside <= set(kept)


@given(GRAPHS)
def test_components_are_those_of_networkx_sinks_first(edges: dict[int, list[int]]) -> None:
    full = complete(edges)
    component, members = strong_components(full)
    wanted = {frozenset(found) for found in nx.strongly_connected_components(nx.DiGraph(full))}
    assert {frozenset(found) for found in members} == wanted
    assert all(component[end] <= component[n] for n, ends in full.items() for end in ends)


def test_a_long_chain_needs_no_recursion() -> None:
    chain = {n: [n + 1, n + 2] for n in range(20_000)} | {20_000: [], 20_001: []}
    assert sum(map(len, reduce(chain).values())) == 20_001
