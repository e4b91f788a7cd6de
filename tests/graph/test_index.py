"""The arrays give what networkx gives, and stay small."""

from __future__ import annotations

import sys

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.index import EDGES_WORTH_NUMPY, SparseRows
from bzlgraph.graph.networkx_view import graphml_text, to_networkx
from tests.graph.graphs import GRAPHS, SIZE, loaded
from tests.graph.tree import Select, Tree, plain_tree


@given(GRAPHS, st.integers(0, SIZE - 1), st.sets(st.integers(0, SIZE - 1)), st.integers(0, 3))
def test_reaching_and_distances_are_those_of_networkx(
    edges: dict[str, list[str]], root: int, inside: set[int], depth: int
) -> None:
    graph = loaded(edges)
    frozen, view = graph.index(), nx.DiGraph()
    view.add_nodes_from(range(SIZE))
    view.add_edges_from(
        (graph.columns.edge_source[e], graph.columns.edge_target[e]) for e in range(len(graph.columns.edge_target))
    )
    inside |= {root}
    part = view.subgraph(inside)
    assert graph.closure([root]) == nx.descendants(view, root) | {root}
    assert frozen.reaching([root], inside) == nx.ancestors(part, root) | {root}
    backward = nx.single_source_shortest_path_length(part.reverse(), root)
    assert frozen.distances_to([root], inside) == backward
    near = {n for n, length in nx.single_source_shortest_path_length(view, root).items() if length <= depth}
    assert graph.closure([root], depth=depth) == near


def test_a_frozen_graph_does_not_change_when_the_graph_grows() -> None:
    tree = plain_tree({"a": ["b"], "b": []})
    tree.rule("//q:c", deps=["//p:a"])
    graph = tree.graph()
    graph.load([("", "p")])
    frozen = graph.index()
    graph.load([("", "q")])
    assert len(frozen.dependents) == 2
    assert len(graph) == 3
    assert len(graph.index().dependents) == 3


def test_an_empty_graph_has_an_index() -> None:
    assert BuildGraph().index().dependents == []


def test_flags_leave_edges_out() -> None:
    tree = Tree()
    tree.rule("//p:a", deps=["//p:b"], _x=["//p:c"])
    tree.rule("//p:b")
    tree.rule("//p:c", "other")
    graph = tree.graph()
    graph.load([("", "p")])
    dependents = graph.index(1).dependents
    assert {str(graph.labels[end]): list(dependents[end]) for end in range(3)} == {
        "//p:a": [],
        "//p:b": [0],
        "//p:c": [],
    }


def test_a_large_graph_stays_small() -> None:
    """100 k nodes and 1 M edges are 330 MB in networkx; arrays need a tenth of it."""
    graph = BuildGraph()
    nodes, degree = 20_000, 16
    for number in range(nodes):
        graph.columns.first_edge.append(number * degree)
        graph.columns.edge_count.append(degree)
        for step in range(1, degree + 1):
            graph.columns.edge_source.append(number)
            graph.columns.edge_target.append((number + step * step) % nodes)
            graph.columns.edge_attribute.append(0)
            graph.columns.edge_condition.append(0)
            graph.columns.edge_flags.append(0)
    graph.columns.labels.extend([None] * nodes)  # type: ignore[list-item]
    assert len(graph.columns.edge_target) > EDGES_WORTH_NUMPY
    frozen = graph.index()
    assert isinstance(frozen.dependents, SparseRows)
    columns = (
        graph.columns.edge_source,
        graph.columns.edge_target,
        graph.columns.edge_attribute,
        graph.columns.edge_condition,
    )
    held = sum(column.itemsize * len(column) for column in columns) + len(graph.columns.edge_flags)
    held += sum(memoryview(each).nbytes for each in (frozen.dependents.offsets, frozen.dependents.values))  # type: ignore[arg-type]
    assert held / (nodes * degree) < 40  # bytes per edge: 40 MB for a million edges
    assert frozen.reaching([0], set(range(nodes))) == set(range(nodes))


@given(GRAPHS)
def test_a_large_graph_is_turned_round_like_a_small_one(edges: dict[str, list[str]]) -> None:
    graph = loaded(edges)
    in_lists = graph.index().dependents
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[SparseRows.__module__], "EDGES_WORTH_NUMPY", 0)
        in_columns = graph.index().dependents
    assert [list(each) for each in in_columns] == in_lists


def test_the_networkx_view_keeps_kinds_and_reasons() -> None:
    tree = Tree()
    tree.rule("//a:x", line=4, deps=Select({"//c:win": ["//a:y"], "//conditions:default": []}), data=["//a:y"])
    tree.rule("//a:y")
    graph = tree.graph()
    graph.load([("", "a"), ("", "c")])
    view = to_networkx(graph)
    assert view.nodes["//a:x"] == {
        "kind": "cc_library rule",
        "rule_class": "cc_library",
        "package": "//a",
        "location": "a/BUILD:4:1",
    }
    assert view.nodes["//c:win"]["kind"] == "missing target"
    assert view.edges["//a:x", "//a:y"]["attributes"] == ("deps", "data")
    assert view.edges["//a:x", "//a:y"]["conditions"] == ("//c:win", "")
    assert view.edges["//a:x", "//c:win"]["flags"] == ("key",)
    part = to_networkx(graph, [0, 1])
    assert set(part) == {str(graph.labels[0]), str(graph.labels[1])}
    again = nx.parse_graphml(graphml_text(graph))
    assert again.edges["//a:x", "//a:y"]["attributes"] == "deps; data"
