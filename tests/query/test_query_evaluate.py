"""The functions and operators of the query language; networkx and Python's sets are the oracles."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from tests.graph.tree import Select, Tree, plain_tree, plus

SIZE = 7
NAMES = [str(number) for number in range(SIZE)]
GRAPHS = st.fixed_dictionaries({name: st.lists(st.sampled_from(NAMES), unique=True, max_size=4) for name in NAMES})
SETS = st.lists(st.sampled_from(NAMES), min_size=1, unique=True)


def ask(tree: Tree, text: str, **settings: bool) -> list[str]:
    return list(map(str, query(text, Environment(tree.graph(), QuerySettings(**settings)))))


def named(names: list[str]) -> str:
    return f"set({' '.join(f'//p:{name}' for name in names)})"


def labels(names: set[str]) -> list[str]:
    return sorted(f"//p:{name}" for name in names)


def view(edges: dict[str, list[str]]) -> nx.DiGraph:
    return nx.DiGraph({name: list(ends) for name, ends in edges.items()})


@given(GRAPHS, SETS, SETS, st.integers(0, 3))
def test_reachability_is_that_of_networkx(edges: dict[str, list[str]], a: list[str], b: list[str], depth: int) -> None:
    tree, graph = plain_tree(edges), view(edges)
    closure = {x for root in a for x in nx.descendants(graph, root) | {root}}
    near = {x for root in a for x in nx.single_source_shortest_path_length(graph, root, cutoff=depth)}
    part = graph.subgraph(closure)
    back = {x for goal in b if goal in closure for x in nx.ancestors(part, goal) | {goal}}
    assert ask(tree, f"deps({named(a)})") == labels(closure)
    assert ask(tree, f"deps({named(a)}, {depth})") == labels(near)
    assert ask(tree, f"rdeps({named(a)}, {named(b)})") == labels(back)
    assert ask(tree, f"allpaths({named(a)}, {named(b)})") == labels(back)
    users = {x for goal in b if goal in closure for x in {goal, *part.predecessors(goal)}}
    assert ask(tree, f"rdeps({named(a)}, {named(b)}, 1)") == labels(users)


@given(GRAPHS, st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_somepath_is_a_shortest_path(edges: dict[str, list[str]], a: str, b: str) -> None:
    graph = view(edges)
    found = [label.removeprefix("//p:") for label in ask(plain_tree(edges), f"somepath(//p:{a}, //p:{b})")]
    if not nx.has_path(graph, a, b):
        assert found == []
        return
    assert len(found) == nx.shortest_path_length(graph, a, b) + 1
    assert (found[0], found[-1]) == (a, b)
    assert nx.is_path(graph, found)


@given(SETS, SETS, SETS)
def test_operators_are_those_of_sets_and_associate_to_the_left(a: list[str], b: list[str], c: list[str]) -> None:
    tree = plain_tree({name: [] for name in NAMES})
    x, y, z = named(a), named(b), named(c)
    assert ask(tree, f"{x} + {y}") == ask(tree, f"{x} union {y}") == labels({*a, *b})
    assert ask(tree, f"{x} - {y}") == ask(tree, f"{x} except {y}") == labels({*a} - {*b})
    assert ask(tree, f"{x} ^ {y}") == ask(tree, f"{x} intersect {y}") == labels({*a} & {*b})
    assert ask(tree, f"{x} - {y} + {z}") == labels(({*a} - {*b}) | {*c})
    assert ask(tree, f"{x} + {y} ^ {z}") == labels(({*a} | {*b}) & {*c})
    assert ask(tree, f"{x} - ({y} + {z})") == labels({*a} - {*b} - {*c})
    assert ask(tree, f"{x} - {x}") == []


@given(GRAPHS, SETS)
def test_deps_is_idempotent_and_grows(edges: dict[str, list[str]], a: list[str]) -> None:
    tree = plain_tree(edges)
    once = ask(tree, f"deps({named(a)})")
    assert ask(tree, f"deps(deps({named(a)}))") == once
    assert set(labels(set(a))) <= set(once)
    assert ask(tree, f"let x = {named(a)} in deps($x) - $x + $x") == once


def sample() -> Tree:
    tree = Tree()
    windows = Select({"//c:windows": ["//a:win"], "//conditions:default": ["//a:unix"]})
    tree.rule("//a:top", "py_library", srcs=["top.py"], deps=plus(["//a:lib"], windows))
    tree.rule("//a:lib", "cc_library", srcs=["lib.cc"], copts=Select({"//c:opt": ["-O3"], "//c:dbg": ["-g"]}))
    tree.rule("//a:win", "cc_library", testonly=True)
    tree.rule("//a:unix", "cc_binary", _malloc=["//tools:malloc"])
    tree.rule("//a:gen", "genrule", cmd="cat $< > $@", outs=["gen.h"])
    for name in ("windows", "opt", "dbg"):
        tree.rule(f"//c:{name}", "config_setting")
    tree.rule("//tools:malloc", "other")
    return tree


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("kind(cc_, //a:all)", ["//a:lib", "//a:unix", "//a:win"]),
        ("kind('cc_.* rule', //a:all)", ["//a:lib", "//a:unix", "//a:win"]),
        ("kind('^source file$', //a:*)", ["//a:lib.cc", "//a:top.py"]),
        ("kind('generated file', //a:*)", ["//a:gen.h"]),
        ("filter('(lib|win)$', //a:*)", ["//a:lib", "//a:win"]),
        ("labels(srcs, //a:all)", ["//a:lib.cc", "//a:top.py"]),
        ("labels(deps, //a:top)", ["//a:lib", "//a:unix", "//a:win"]),
        ("labels(nothing, //a:top)", []),
        ("deps(//a:gen.h)", ["//a:gen", "//a:gen.h"]),
        ("some(//a:all)", ["//a:gen"]),
        ("some(//a:all, 2)", ["//a:gen", "//a:lib"]),
        ("attr(copts, '-g', //a:all)", ["//a:lib"]),
        ("attr(copts, '^\\[-O3\\]$', //a:all)", ["//a:lib"]),
        ("attr(testonly, 1, //a:all)", ["//a:win"]),
        ("attr(testonly, True, //a:all)", []),
        ("attr(deps, '//a:unix', //a:all)", ["//a:top"]),
        ("attr(cmd, 'cat', //a:all)", ["//a:gen"]),
        ("attr(name, '^lib$', //a:*)", ["//a:lib"]),
        ("let v = //a:lib in '$v' + set(\"$v\")", ["//a:lib"]),
        ("let v = //a:all in filter('$', kind(py, $v))", ["//a:top"]),
        ("let v = //a:all in kind(py, $v) + kind(genrule, $v)", ["//a:gen", "//a:top"]),
        ("# a comment\n//a:lib  # another", ["//a:lib"]),
        ("set()", []),
        ("set(//a:lib '//a:win')", ["//a:lib", "//a:win"]),
    ],
)
def test_functions(text: str, wanted: list[str]) -> None:
    assert ask(sample(), text) == wanted


def test_deps_goes_through_all_branches_and_to_conditions() -> None:
    everything = ["//a:lib", "//a:lib.cc", "//a:top", "//a:top.py", "//a:unix", "//a:win"]
    conditions = ["//c:dbg", "//c:opt", "//c:windows"]
    assert ask(sample(), "deps(//a:top)") == sorted([*everything, *conditions, "//tools:malloc"])
    assert ask(sample(), "deps(//a:top)", implicit_deps=False) == sorted([*everything, *conditions])


def test_label_kind() -> None:
    answer = query("//a:*", Environment(sample().graph()))
    assert [answer.graph.kind_words(node) for node in answer.nodes[:3]] == [
        "genrule rule",
        "generated file",
        "cc_library rule",
    ]


def test_what_is_not_on_disk_stays_in_the_answer() -> None:
    tree = plain_tree({"x": []})
    tree.rule("//p:y", deps=["@absent//q:z"])
    answer = query("deps(//p:y)", Environment(tree.graph()))
    assert [answer.graph.kind_words(node) for node in answer.nodes] == ["cc_library rule", "unloaded target"]
    assert [str(label) for label in answer] == ["//p:y", "@absent//q:z"]
    assert [gap.what for gap in answer.gaps] == ["@absent//q"]
