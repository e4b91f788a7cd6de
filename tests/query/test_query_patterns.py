"""What target patterns stand for."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import LoadProblem, QueryProblem
from bzlgraph.base.label import LabelError
from bzlgraph.query.patterns import TargetPattern, expand, expand_list, parse_pattern
from tests.graph.tree import Tree


def sample() -> Tree:
    tree = Tree()
    tree.rule("//:root")
    tree.rule("//a:a", srcs=["a.cc", "sub/b.cc"])
    tree.rule("//a/b:x")
    tree.rule("//a/b:gen", "genrule", outs=["x.h"])
    tree.rule("//ab:no")
    tree.rule("@r//q:z")
    return tree


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("//...", ["//:root", "//a:a", "//a/b:gen", "//a/b:x", "//ab:no"]),
        ("...", ["//:root", "//a:a", "//a/b:gen", "//a/b:x", "//ab:no"]),
        ("//a/...", ["//a:a", "//a/b:gen", "//a/b:x"]),
        ("a/...", ["//a:a", "//a/b:gen", "//a/b:x"]),
        ("//a/...:all", ["//a:a", "//a/b:gen", "//a/b:x"]),
        ("//a/b/...:*", ["//a/b:gen", "//a/b:x", "//a/b:x.h"]),
        ("//a/b/...:all-targets", ["//a/b:gen", "//a/b:x", "//a/b:x.h"]),
        ("//a:all", ["//a:a"]),
        ("//a:*", ["//a:a", "//a:a.cc", "//a:sub/b.cc"]),
        ("//a:all-targets", ["//a:a", "//a:a.cc", "//a:sub/b.cc"]),
        ("//a", ["//a:a"]),
        ("//a:a", ["//a:a"]),
        ("a", ["//a:a"]),
        ("a:a", ["//a:a"]),
        ("a/a.cc", ["//a:a.cc"]),
        ("a/sub/b.cc", ["//a:sub/b.cc"]),
        (":root", ["//:root"]),
        (":all", ["//:root"]),
        ("@r//...", ["@r//q:z"]),
        ("@r//q:z", ["@r//q:z"]),
        ("@r//q:all", ["@r//q:z"]),
    ],
)
def test_patterns(text: str, wanted: list[str]) -> None:
    graph = sample().graph()
    found = expand(parse_pattern(text, "", ""), graph)
    assert sorted(str(graph.labels[number]) for number in found) == sorted(wanted)


def test_relative_patterns_start_from_their_folder() -> None:
    assert parse_pattern(":x", "", "a/b") == TargetPattern(":x", "", "a/b", "x")
    assert parse_pattern("b/...", "", "a") == TargetPattern("b/...", "", "a/b", "", True, "all")
    assert parse_pattern("b:*", "", "a") == TargetPattern("b:*", "", "a/b", "", False, "*")
    assert parse_pattern("...", "", "a") == TargetPattern("...", "", "a", "", True, "all")
    assert parse_pattern("//b:*", "", "a") == TargetPattern("//b:*", "", "b", "*", False, "*")


def test_repository_names_are_mapped() -> None:
    pattern = parse_pattern("@self//a/...", "", "", lambda current, name: "" if name == "self" else name)
    assert (pattern.repo, pattern.package, pattern.below) == ("", "a", True)


def test_lists_add_and_take_away_in_order() -> None:
    graph = sample().graph()
    found = expand_list(["//a/...", "-//a/b/...", "//a/b:x"], graph)
    assert {str(graph.labels[number]) for number in found} == {"//a:a", "//a/b:x"}


@pytest.mark.parametrize("text", ["//a/...:b", "//a::b", "//a:", "@", "//a:b/../c"])
def test_no_patterns(text: str) -> None:
    with pytest.raises((LabelError, QueryProblem, LoadProblem)):
        expand_list([text], sample().graph())


@pytest.mark.parametrize(
    "text",
    [
        *("//a//b:all", "a//b:all", "@//a//b:*", "//a/:all", "///a:all", "//./a:all", "//a/.:all", "//.:all"),
        *("//a//...", "//a/b//...", "///...", "//a/../c:all", "//a/../c/...", "//a//b/...:all"),
    ],
)
def test_wildcards_need_the_name_of_a_package(text: str) -> None:
    """Bazels 0.19.1, 2.1.0, 4.2.3 and 7.7.1 refuse each: the folder a//b is there, and is no package's name."""
    with pytest.raises(LabelError, match="invalid package name"):
        parse_pattern(text, "", "")


@pytest.mark.parametrize(("text", "package", "wanted"), [(".", "a", "//a:a"), ("a/.", "", "//a:a"), ("./.", "", "")])
def test_a_dot_at_the_end_is_the_folder_itself(text: str, package: str, wanted: str) -> None:
    graph = sample().graph()
    if not wanted:
        with pytest.raises(LabelError):
            parse_pattern(text, "", package)
        return
    found = expand(parse_pattern(text, "", package), graph)
    assert [str(graph.labels[node]) for node in found] == [wanted]
