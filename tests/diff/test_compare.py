"""What differs between two configurations, on a workspace with one of each sort of difference."""

from __future__ import annotations

from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.base.errors import QueryProblem, UsageProblem
from bzlgraph.diff.model import What
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.query.answer import QueryAnswer
from tests.selects.small_workspace import written

BUILD = """
load("@absent//:defs.bzl", "if_cuda")

config_setting(name = "fast", values = {"define": "fast=1"})
config_setting(name = "cuda", values = {"define": "cuda=1"})
cc_binary(
    name = "app",
    srcs = ["app.cc"] + select({":fast": ["fast.cc"], "//conditions:default": ["slow.cc"]}),
    copts = ["-Wall"] + select({":fast": ["-O3", "-Wall"], "//conditions:default": ["-O0"]}),
    defines = select({":fast": ["FAST"], "//conditions:default": []}),
    linkopts = select({":fast": ["-s"], ":cuda": ["-s"], "//conditions:default": []}),
    includes = select({":fast": ["fast"], "//conditions:default": ["slow"]}),
    deps = [":base"] + select({":fast": [":quick"], "//conditions:default": []}) + if_cuda([":gpu"]),
)
cc_library(name = "base", deps = select({":fast": [":both"], "//conditions:default": [":both"]}))
cc_library(name = "both")
cc_library(name = "quick", deps = [":far"])
cc_library(name = "far", copts = select({":fast": ["-far"], "//conditions:default": []}))
cc_library(name = "gpu")
genrule(
    name = "made",
    outs = ["made.txt"],
    tools = [":tool"],
    cmd = select({":fast": "fast", "//conditions:default": "slow"}),
)
cc_binary(name = "tool", copts = select({":fast": ["-tool"], "//conditions:default": []}))
cc_library(name = "maybe", deps = select({":fast": if_cuda([":far"]), "//conditions:default": []}))
"""
Found = tuple[str, str, str, str, str]


@pytest.fixture
def workspace(tmp_path: Path) -> bzlgraph.Workspace:
    return written(tmp_path, {"BUILD": BUILD, ".bazelrc": "build:fast --define=fast=1\n"})


def differences(workspace: bzlgraph.Workspace, text: str, left: list[str], right: list[str]) -> list[Found]:
    """The differences in the main repository: what Bazel's own tools are made of is not asked here."""
    return [
        (each.change.value, each.what.value, each.target.name, each.attribute, str(each.value))
        for each in workspace.diff_config(text, left, right, keep_going=True).differences
        if not each.target.repo and not str(each.value).startswith("@")
    ]


def test_one_of_each_sort(workspace: bzlgraph.Workspace) -> None:
    found = differences(workspace, "//:app", [], ["--config=fast"])
    assert found == [
        ("added", "target", "far", "", ""),
        ("added", "target", "quick", "", ""),
        ("added", "source", "fast.cc", "", ""),
        ("removed", "source", "slow.cc", "", ""),
        ("added", "edge", "app", "deps", "//:quick"),
        ("added", "edge", "app", "srcs", "//:fast.cc"),
        ("removed", "edge", "app", "srcs", "//:slow.cc"),
        ("added", "edge", "quick", "deps", "//:far"),
        ("added", "copts", "app", "copts", "-O3"),
        ("removed", "copts", "app", "copts", "-O0"),
        ("added", "defines", "app", "defines", "FAST"),
        ("added", "linkopts", "app", "linkopts", "-s"),
        ("added", "attribute", "app", "includes", "fast"),
        ("removed", "attribute", "app", "includes", "slow"),
    ]


def test_the_other_way_round_everything_is_the_other_way_round(workspace: bzlgraph.Workspace) -> None:
    there = differences(workspace, "//:app", [], ["--config=fast"])
    back = differences(workspace, "//:app", ["--config=fast"], [])
    turned = {"added": "removed", "removed": "added"}
    assert sorted((turned[change], *rest) for change, *rest in there) == sorted(back)


def test_what_both_have_through_different_branches_is_no_difference(workspace: bzlgraph.Workspace) -> None:
    fast_or_cuda = differences(workspace, "//:app", ["--define=fast=1"], ["--define=cuda=1"])
    assert not [each for each in fast_or_cuda if each[1] == "linkopts"]
    assert differences(workspace, "//:base", [], ["--config=fast"]) == []


def test_the_same_configuration_has_no_difference(workspace: bzlgraph.Workspace) -> None:
    result = workspace.diff_config("//...", ["-c", "opt"], ["-c", "opt"], keep_going=True)
    assert len(result) == 0
    assert str(result).startswith("No known difference")
    assert result._repr_svg_() is None


def test_conditions_places_and_reasons(workspace: bzlgraph.Workspace) -> None:
    found = workspace.diff_config("//:app", [], ["--config=fast"], keep_going=True).differences
    edge = next(each for each in found if str(each.value) == "//:quick")
    assert edge.condition == "//:fast"
    assert edge.location is not None
    assert (edge.location.path, edge.location.line) == ("BUILD", 13)
    assert edge.reason.startswith("--define=fast is 1 (.bazelrc:1")
    gone = next(each for each in found if each.value == "-O0")
    assert (gone.condition, gone.reason) == ("//conditions:default", "//:fast holds")


def test_a_tool_is_built_for_another_machine(workspace: bzlgraph.Workspace) -> None:
    found = differences(workspace, "//:made", [], ["--config=fast"])
    assert ("added", "attribute", "made", "cmd", "fast") in found
    assert not [each for each in found if each[2] == "tool"]
    assert [each for each in differences(workspace, "//:tool", [], ["--config=fast"]) if each[4] == "-tool"]


def test_what_nobody_can_know_is_possible(workspace: bzlgraph.Workspace) -> None:
    found = differences(workspace, "//:maybe", [], ["--config=fast"])
    assert found == [
        ("possibly added", "target", "far", "", ""),
        ("possibly added", "edge", "maybe", "deps", "//:far"),
    ]


def test_what_is_unknown_on_both_sides_is_counted(workspace: bzlgraph.Workspace) -> None:
    same = workspace.diff_config("//:app", ["-c", "opt"], ["-c", "opt"], implicit_deps=False)
    assert same.answer.unknown == 1  # if_cuda([":gpu"])
    assert str(same).startswith("No known difference: ")
    assert "1 edge or value unresolved on both sides" in str(same)
    known = workspace.diff_config("//:quick", [], [], implicit_deps=False)
    assert str(known).startswith("No difference: 3 targets")  # :quick, :far, :fast


def edges_of(answer: QueryAnswer) -> set[tuple[str, str, str]]:
    graph, inside = answer.graph, set(answer.nodes)
    edges = [graph.edge(number) for node in inside for number in graph.edges_from(node)]
    return {
        (str(graph.labels[each.source]), each.attribute, str(graph.labels[each.target]))
        for each in edges
        if each.target in inside and not each.flags & (EdgeFlag.KEY | EdgeFlag.VISIBILITY | EdgeFlag.NODEP)
    }


@pytest.mark.parametrize("right", [["--config=fast"], ["--define=fast=1", "--define=cuda=1"], ["-c", "opt"]])
def test_targets_and_edges_are_those_of_the_two_queries(workspace: bzlgraph.Workspace, right: list[str]) -> None:
    left = ["--define=cuda=1"]
    found = workspace.diff_config("//...", left, right, keep_going=True).differences
    ours = workspace.query("deps(//...)", left, keep_going=True)
    theirs = workspace.query("deps(//...)", right, keep_going=True)
    nodes = {str(each.target) for each in found if each.what in (What.TARGET, What.SOURCE) and each.change.certain}
    assert nodes == set(ours) ^ set(theirs)
    edges = {(str(each.target), each.attribute, str(each.value)) for each in found if each.what is What.EDGE}
    assert edges == edges_of(ours.answer) ^ edges_of(theirs.answer)


def test_an_expression_is_asked_as_it_is_and_a_pattern_with_what_it_needs(workspace: bzlgraph.Workspace) -> None:
    as_it_is = differences(workspace, "kind(cc_binary, //...)", [], ["--config=fast"])
    assert not [each for each in as_it_is if each[1] in ("target", "source", "edge")]
    assert [each for each in as_it_is if each[1] == "copts"]
    assert differences(workspace, "deps(//:app)", [], ["--config=fast"]) == differences(
        workspace, "//:app", [], ["--config=fast"]
    )


def test_faults_are_told_in_what_was_typed(workspace: bzlgraph.Workspace) -> None:
    with pytest.raises(QueryProblem):
        workspace.diff_config("//:app +", [], ["--config=fast"])
    with pytest.raises(UsageProblem):
        workspace.diff_config("//:app", [], ["--config=fats"])


def test_the_data_frame(workspace: bzlgraph.Workspace) -> None:
    frame = workspace.diff_config("//:app", [], ["--config=fast"], keep_going=True).to_frame()
    assert list(frame.columns) == [
        "change", "what", "target", "kind", "attribute", "value", "condition", "location", "reason",
    ]  # fmt: skip
    assert frame[(frame.what == "defines")].value.tolist() == ["FAST"]


BEHIND = {
    "rules.bzl": """
def _nothing(ctx):
    return []

def _to(settings, attr):
    return {"//command_line_option:compilation_mode": attr.mode}

def _all(settings, attr):
    return {mode: {"//command_line_option:compilation_mode": mode} for mode in ["dbg", "opt"]}

_MODE = "//command_line_option:compilation_mode"
holder = rule(_nothing, attrs = {"deps": attr.label_list(), "words": attr.string_list()})
moved = rule(
    implementation = _nothing,
    cfg = transition(implementation = _to, inputs = [], outputs = [_MODE]),
    attrs = {"deps": attr.label_list(), "words": attr.string_list(), "mode": attr.string()},
)
split = rule(
    implementation = _nothing,
    attrs = {"deps": attr.label_list(cfg = transition(implementation = _all, inputs = [], outputs = [_MODE]))},
)
tooled = rule(implementation = _nothing, attrs = {"tool": attr.label(cfg = "exec")})
""",
    "BUILD": """
load(":rules.bzl", "holder", "moved", "split", "tooled")

config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "asked", values = {"define": "asked=1"})
moved(name = "top", mode = "opt", deps = [":below"], words = select({":opt": ["O"], "//conditions:default": ["F"]}))
holder(name = "below", words = select({":opt": ["o"], "//conditions:default": ["f"]}) +
    select({":asked": ["a"], "//conditions:default": []}))
split(name = "both", deps = [":below"])
tooled(name = "with_tool", tool = ":program")
holder(name = "program", deps = select({":asked": [":more"], "//conditions:default": []}))
holder(name = "more")
""",
}


@pytest.mark.parametrize(
    ("text", "left", "right", "found"),
    [
        ("//:top", [], ["-c", "opt"], []),
        ("//:below", [], ["-c", "opt"], [("removed", "below", "f"), ("added", "below", "o")]),
        ("//:both", [], ["-c", "opt"], []),
        ("//:top", [], ["--define=asked=1"], [("added", "below", "a")]),
        ("//:both + //:below", [], ["-c", "opt"], []),
    ],
)
def test_values_are_those_of_the_configurations_of_their_target(tmp_path: Path, text, left, right, found) -> None:
    """A transition leads to -c opt whatever the command line says; behind a split a target has the values of both."""
    told = differences(written(tmp_path, BEHIND), f"deps({text})", left, right)
    assert sorted((change, name, value) for change, _, name, _, value in told) == sorted(found)


def test_the_reason_is_that_of_the_configuration_of_the_target(tmp_path: Path) -> None:
    answer = written(tmp_path, BEHIND).diff_config("//:with_tool", [], ["--define=asked=1"])
    (edge,) = (each for each in answer.differences if each.what is What.EDGE)
    assert (str(edge.target), str(edge.value)) == ("//:program", "//:more")
    assert edge.reason == "--define=asked is 1 (command line)"
