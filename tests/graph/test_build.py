"""The graph grows by packages, only as far as a question needs."""

from __future__ import annotations

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import parse
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import EdgeFlag, NodeKind
from tests.graph.tree import Tree


def resolve(graph: BuildGraph, text: str) -> int:
    return graph.resolve(parse(text, "", ""))


def names(graph: BuildGraph, nodes: set[int]) -> set[str]:
    return {str(graph.labels[number]) for number in nodes}


def sample() -> Tree:
    tree = Tree()
    tree.rule("//a:top", "top_rule", deps=["//b:mid", "//a:gone", "@absent//:x"], _tool=["//tools:t"])
    tree.rule("//b:mid", deps=["//c:low", "//nowhere:x"])
    tree.rule("//c:low", srcs=["low.cc"])
    tree.rule("//tools:t")
    tree.rule("//unused:u", deps=["//a:top"])
    return tree


def test_closure_loads_what_it_reaches_and_nothing_else() -> None:
    tree = sample()
    graph = tree.graph()
    reached = graph.closure([resolve(graph, "//b:mid")])
    assert names(graph, reached) == {"//b:mid", "//c:low", "//c:low.cc", "//nowhere:x"}
    assert tree.asked == [("", "b"), ("", "c"), ("", "nowhere")]


def test_a_package_is_asked_for_once() -> None:
    tree = sample()
    graph = tree.graph()
    for _ in range(2):
        graph.closure([resolve(graph, "//a:top")])
    assert len(tree.asked) == len(set(tree.asked))


def test_what_is_not_there_has_a_kind_of_its_own() -> None:
    tree = sample()
    graph = tree.graph()
    graph.closure([resolve(graph, "//a:top")])
    kinds = {text: NodeKind(graph.kinds[resolve(graph, text)]) for text in ("//a:gone", "//nowhere:x", "@absent//:x")}
    assert kinds == {
        "//a:gone": NodeKind.MISSING,
        "//nowhere:x": NodeKind.MISSING,
        "@absent//:x": NodeKind.UNLOADED,
    }
    assert graph.diagnostics["", "nowhere"][0].message.startswith("no such package")
    assert [gap.what for gap in graph.gaps_of(range(len(graph)))] == ["@absent//"]
    # Labels met after their package was added are missing at once.
    assert graph.kinds[graph.node(parse("//c:new", "", ""))] == NodeKind.MISSING


def test_closure_by_depth_and_without_flags() -> None:
    graph = sample().graph()
    top = resolve(graph, "//a:top")
    assert names(graph, graph.closure([top], depth=0)) == {"//a:top"}
    one = {"//a:top", "//b:mid", "//a:gone", "@absent//:x"}
    assert names(graph, graph.closure([top], int(EdgeFlag.IMPLICIT), 1)) == one
    assert names(graph, graph.closure([top], depth=1)) == one | {"//tools:t"}


def test_cycles_end() -> None:
    tree = Tree()
    tree.rule("//a:x", deps=["//a:y"])
    tree.rule("//a:y", deps=["//a:x", "//a:y"])
    graph = tree.graph()
    assert names(graph, graph.closure([resolve(graph, "//a:x")])) == {"//a:x", "//a:y"}


def test_adding_a_package_again_changes_nothing() -> None:
    tree = sample()
    graph = BuildGraph()
    for package in tree.found.values():
        graph.add(package)
    before = len(graph), len(graph.columns.edge_target)
    for package in tree.found.values():
        graph.add(package)
    assert (len(graph), len(graph.columns.edge_target)) == before


def test_a_node_tells_where_it_comes_from() -> None:
    tree = Tree()
    tree.rule("//a:x", "_impl", line=7, macro=[("my_macro", "a/defs.bzl", 3), ("inner", "a/inner.bzl", 9)])
    graph = tree.graph()
    node = graph.describe(resolve(graph, "//a:x"))
    assert (node.kind_words, node.made_by, str(node.location)) == ("_impl rule", "my_macro", "a/BUILD:7:1")
    assert [frame.location.path for frame in node.stack] == ["a/inner.bzl", "a/defs.bzl", "a/BUILD"]


def test_every_reason_between_two_targets() -> None:
    tree = Tree()
    tree.rule("//a:x", deps=["//a:y"], data=["//a:y"])
    tree.rule("//a:y")
    graph = tree.graph()
    x, y = resolve(graph, "//a:x"), resolve(graph, "//a:y")
    assert [edge.attribute for edge in graph.edges_between(x, y)] == ["deps", "data"]
    assert graph.edges_between(y, x) == []


def test_gaps_of_packages_are_told() -> None:
    tree = sample()
    gap = Gap("glob", 'glob(["*.h"])', "files of //c")
    tree.found["", "c"].gaps.append(gap)
    graph = tree.graph()
    reached = graph.closure([resolve(graph, "//b:mid")])
    assert graph.gaps_of(reached) == (gap,)
    assert graph.gaps_of([resolve(graph, "//b:mid")]) == ()


def test_a_target_that_a_gap_may_hide_is_not_an_error() -> None:
    tree = sample()
    tree.rule("//d:user", deps=["//c:unsure", "//b:sure"])
    tree.package_of(parse("//c:low", "", "")).gaps.append(Gap(GapKind.MACRO.value, "proto_gen", "what it really makes"))
    graph = tree.graph()
    graph.closure([resolve(graph, "//d:user")])
    assert graph.kinds[resolve(graph, "//c:unsure")] == NodeKind.UNLOADED
    assert graph.kinds[resolve(graph, "//b:sure")] == NodeKind.MISSING
