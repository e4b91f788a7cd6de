"""Counts, dominators, trunk and cuts of random graphs; networkx and brute force are the oracles."""

from __future__ import annotations

from unittest.mock import patch

import networkx as nx
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bzlgraph.base.label import parse
from bzlgraph.graph.algorithms.dominators import dominator_tree, dominators, places
from bzlgraph.why import cut
from bzlgraph.why.answer import WhyAnswer
from bzlgraph.why.ask import why
from bzlgraph.why.dominators import trunk
from bzlgraph.why.path_graph import Ways, find_ways
from bzlgraph.why.paths import best_path, best_paths
from tests.graph.tree import Tree, plain_tree

SIZE = 8
PAIRS = [(a, b) for a in range(SIZE) for b in range(a + 1, SIZE)]
DAGS = st.sets(st.sampled_from(PAIRS), min_size=6)
GRAPHS = st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), min_size=6)
START, GOAL = 0, SIZE - 1

Pairs = set[tuple[int, int]]


def asked(pairs: Pairs) -> tuple[nx.DiGraph, Ways | None, WhyAnswer]:
    edges: dict[str, list[str]] = {str(number): [] for number in range(SIZE)}
    for a, b in sorted(pairs):
        edges[str(a)].append(str(b))
    graph = plain_tree(edges).graph()
    start, goal = (graph.resolve(parse(f"//p:{name}", "", "")) for name in (START, GOAL))
    view = nx.DiGraph((a, b) for a, b in pairs if a != b)
    view.add_nodes_from(range(SIZE))
    return view, find_ways(graph, [start], goal, 0)[0], why(graph, goal, [start])


def number(text: object) -> int:
    return int(str(text).rpartition(":")[2])


@given(DAGS)
def test_counts_are_those_of_all_simple_paths(pairs: Pairs) -> None:
    view, ways, answer = asked(pairs)
    paths = list(nx.all_simple_paths(view, START, GOAL))
    assert answer.found == bool(paths)
    if ways is None:
        assert answer.no_way is not None
        return
    assert (answer.path_count, answer.path_count_exact) == (len(paths), True)
    shortest = min(map(len, paths))
    assert answer.shortest == shortest - 1
    assert answer.shortest_count == sum(len(path) == shortest for path in paths)
    listed = [[number(ways.graph.labels[n]) for n in p] for p in best_paths(ways)]
    assert sorted(listed) == sorted(paths)
    assert len(listed[0]) == shortest, "all edges cost the same here"
    assert answer.needing == len(set().union(*paths)) - 2
    assert answer.dependencies == len(nx.descendants(view, START))


@given(GRAPHS)
def test_the_path_shown_is_a_shortest_one_and_the_required_are_on_every_path(pairs: Pairs) -> None:
    view, ways, answer = asked(pairs)
    assert answer.found == nx.has_path(view, START, GOAL)
    assume(ways is not None)
    shown = [number(step.node.label) for step in answer.steps]
    assert nx.is_path(view, shown)
    assert len(shown) == nx.shortest_path_length(view, START, GOAL) + 1
    needed = {n for n in set(view) - {START, GOAL} if not nx.has_path(view.subgraph(set(view) - {n}), START, GOAL)}
    assert {number(node.label) for node in answer.required} == needed
    assert [number(node.label) for node in answer.required] == [n for n in shown if n in needed]


@settings(max_examples=100)
@given(GRAPHS)
def test_the_dominator_tree_is_that_of_networkx(pairs: Pairs) -> None:
    _, ways, _ = asked(pairs)
    assume(ways is not None)
    assert ways is not None
    view = nx.DiGraph((end, before) for end, befores in ways.predecessors.items() for before in befores)
    view.add_node(ways.target)
    wanted = dict(nx.immediate_dominators(view, ways.target))
    wanted.pop(ways.target, None)
    assert dominator_tree(ways.predecessors, ways.target) == wanted


@settings(max_examples=50)
@given(DAGS)
def test_the_trunk_is_what_most_targets_on_the_way_cannot_avoid(pairs: Pairs) -> None:
    view, ways, _ = asked(pairs)
    assume(ways is not None)
    assert ways is not None
    found = places(ways.predecessors, ways.target, ways.successors)
    on_the_way = [number(ways.graph.labels[n]) for n in ways.successors]
    part = view.subgraph(on_the_way)
    wanted = {}
    for node in set(part) - {START, GOAL}:
        excluded_flags = part.subgraph(set(part) - {node})
        stuck = sum(not nx.has_path(excluded_flags, other, GOAL) for other in excluded_flags)
        if (stuck + 1) * 2 > len(part):
            wanted[node] = stuck
    stem = trunk(found.nodes, dominators(found), ways)
    assert {number(ways.graph.labels[n]): count for n, count in stem} == wanted


@settings(max_examples=50)
@given(DAGS)
def test_the_cut_has_the_size_of_a_minimum_edge_cut(pairs: Pairs) -> None:
    view, ways, answer = asked(pairs)
    assume(ways is not None)
    assert answer.cut is not None
    smallest = len(nx.minimum_edge_cut(view, START, GOAL))
    assert len(answer.cut) == smallest
    view.remove_edges_from((number(place.source), number(place.target)) for place in answer.cut)
    assert not nx.has_path(view, START, GOAL)


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(st.sampled_from(PAIRS), st.sampled_from(["deps", "data", "_tool"]), min_size=12),
    st.sets(st.integers(0, SIZE - 1)),
    st.integers(0, 3),
)
def test_a_cut_of_too_many_places_is_found_out_by_ways_apart(
    edges: dict[tuple[int, int], str], by_macro: set[int], most: int
) -> None:
    """Whether they are looked for or not: a flow says the same, and more ways than that are found often enough."""
    tree = Tree()
    for source in range(SIZE):
        named: dict[str, list[str]] = {}
        for (a, b), attribute in edges.items():
            if a == source:
                named.setdefault(attribute, []).append(f"//p:{b}")
        macro = [("made", "m.bzl", 3)] if source in by_macro else []
        tree.rule(f"//p:{source}", "cc_library", macro=macro, **named)  # type: ignore[arg-type]
    graph = tree.graph()
    start, goal = (graph.resolve(parse(f"//p:{name}", "", "")) for name in (START, GOAL))
    ways, _ = find_ways(graph, [start], goal, 0)
    assume(ways is not None)
    assert ways is not None
    with patch.object(cut, "MAX_PLACES", most):
        found = cut.cheapest_cut(ways, [])
        with patch.object(cut._Steps, "has_ways_apart", return_value=False):
            assert cut.cheapest_cut(ways, []) == found


def test_ways_apart_are_found() -> None:
    middle = {str(number): ["7"] for number in range(1, 7)}
    graph = plain_tree({"0": list(middle), **middle, "7": []}).graph()
    ways, _ = find_ways(graph, [graph.resolve(parse("//p:0", "", ""))], graph.resolve(parse("//p:7", "", "")), 0)
    assert ways is not None
    assert [cut._Steps(ways).has_ways_apart(most) for most in (4, 5, 6)] == [True, True, False]


@settings(max_examples=50)
@given(GRAPHS)
def test_cycles_do_no_harm(pairs: Pairs) -> None:
    view, ways, answer = asked(pairs)
    assume(ways is not None)
    assert answer.path_count >= 1
    if nx.is_directed_acyclic_graph(view):
        assert answer.path_count_exact
    assert ways is not None
    assert best_path(ways, [])[-1] == ways.target
