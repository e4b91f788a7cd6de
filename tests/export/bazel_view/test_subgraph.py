"""Orders and ranks, on graphs small enough to check by hand; cycles included."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.export.bazel_view.subgraph import Subgraph, in_dependency_order, max_ranks, min_ranks, walks

DIAMOND = Subgraph((1, 2, 3, 4), {1: (2, 3, 4), 2: (3,), 3: (4,), 4: ()})
CYCLE = Subgraph((1, 2, 3, 4), {1: (2,), 2: (3,), 3: (2, 4), 4: ()})


def test_dependents_come_before_dependencies_and_ties_go_by_label() -> None:
    assert in_dependency_order(DIAMOND) == [1, 2, 3, 4]
    assert in_dependency_order(Subgraph((1, 2, 3), {1: (), 2: (1,), 3: (1,)})) == [3, 2, 1]


def test_ranks_of_a_diamond() -> None:
    assert min_ranks(DIAMOND) == {1: 0, 2: 1, 3: 1, 4: 1}
    assert max_ranks(DIAMOND) == {1: 0, 2: 1, 3: 2, 4: 3}


def test_a_cycle_has_one_rank() -> None:
    assert min_ranks(CYCLE) == {1: 0, 2: 1, 3: 1, 4: 2}
    assert max_ranks(CYCLE) == {1: 0, 2: 1, 3: 1, 4: 2}


def test_a_cycle_that_nothing_needs_is_a_root() -> None:
    part = Subgraph((1, 2, 3), {1: (2,), 2: (1, 3), 3: ()})
    assert min_ranks(part) == max_ranks(part) == {1: 0, 2: 0, 3: 1}


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_laws_of_graphs_without_cycles(pairs: list[tuple[int, int]]) -> None:
    edges = {node: tuple(sorted({b for a, b in pairs if a == node and b > a})) for node in range(10)}
    part = Subgraph(tuple(range(10)), edges)
    order = {node: at for at, node in enumerate(in_dependency_order(part))}
    low, high = min_ranks(part), max_ranks(part)
    assert sorted(order) == list(part.nodes)
    for node, ends in edges.items():
        for end in ends:
            assert order[node] < order[end]
            assert low[end] <= low[node] + 1
            assert high[end] >= high[node] + 1
    assert all(low[node] <= high[node] for node in part.nodes)


def test_whether_a_query_follows_edges() -> None:
    assert walks("kind(rule, deps(//a))")
    assert not walks("//a:deps + //...:all")
