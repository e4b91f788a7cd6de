"""What ``why`` says where no single path is the answer: who depends on a target, and what a path would lack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.in_process import run

TOP = """\
config_setting(name = "win", values = {"cpu": "x64_windows"}, define_values = {"fast": "1"})
filegroup(name = "top", srcs = [":mid"] + select({":win": [":goal"], "//conditions:default": []}))
filegroup(name = "mid", srcs = ["//lib:low"])
filegroup(name = "goal", srcs = ["//lib:base"])
filegroup(name = "deep", srcs = [":top"] + select({":win": ["//lib:x0"], "//conditions:default": []}))
"""
LIB = """\
filegroup(name = "low", srcs = [":base"], visibility = ["//visibility:public"])
filegroup(name = "base", visibility = ["//visibility:public"])
[filegroup(name = "x%d" % i, srcs = [":base"], visibility = ["//visibility:public"]) for i in range(20)]
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name, text in {"WORKSPACE": "", "a/BUILD": TOP, "lib/BUILD": LIB}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_without_from_the_direct_dependents_are_told_by_package(workspace: Path) -> None:
    code, out, err = run(workspace, "why", "//lib:base")
    assert code == 0, err
    lines = out.splitlines()
    assert lines[0] == "25 targets in //... depend on base, 22 of them directly."
    assert lines[2:12] == [
        "//lib:base  filegroup",
        " ├ //lib  21 targets",
        " │  ├ srcs  //lib:low  filegroup  lib/BUILD:1",
        " │  ├ srcs  //lib:x0  filegroup  lib/BUILD:3",
        " │  ├ srcs  //lib:x1  filegroup  lib/BUILD:3",
        " │  ├ srcs  //lib:x10  filegroup  lib/BUILD:3",
        " │  └ and 17 more",
        " └ srcs  //a:goal  filegroup  a/BUILD:4",
        "",
        "21 other shortest paths (--all), 28 paths in all.",
    ]
    direct = run(workspace, "query", "rdeps(//..., //lib:base, 1) - //lib:base")[1].splitlines()
    assert len(direct) == 22


@pytest.mark.parametrize(
    ("asked", "headline"),
    [
        (["//a:win"], "2 targets in //... depend on win, all of them directly."),
        (["//lib:low", "--from=//a:mid"], "mid depends on low through 1 edge; none of its 2 transitive dependencies"),
    ],
)
def test_all_and_none_are_words(workspace: Path, asked: list[str], headline: str) -> None:
    assert run(workspace, "why", *asked)[1].startswith(headline)


def test_dependents_are_those_that_the_pattern_matches(workspace: Path) -> None:
    """As ``//...`` in a query: a file that a rule generates is none of them, though ``rdeps(//..., X)`` has it."""
    rules = (
        'genrule(name = "gen", srcs = [":goal"], outs = ["out"], cmd = "")\nfilegroup(name = "user", srcs = [":out"])'
    )
    (workspace / "a" / "BUILD").write_text(TOP + rules)
    assert run(workspace, "why", "//lib:base", "--from=//a:all")[1].startswith("6 targets in //a:all depend on base")
    matching = run(workspace, "query", "rdeps(//a:all, //lib:base) intersect //a:all")[1].splitlines()
    every = run(workspace, "query", "rdeps(//a:all, //lib:base)")[1].splitlines()
    assert len(matching) == 6
    assert set(every) - set(matching) == {"//a:out", "//lib:base", "//lib:low", "//lib:x0"}


def test_the_tree_has_as_many_steps_as_asked_and_tells_nothing_twice(workspace: Path) -> None:
    out = run(workspace, "why", "//lib:low", "--depth=3")[1]
    assert out.splitlines()[2:6] == [
        "//lib:low  filegroup",
        " └ srcs  //a:mid  filegroup  a/BUILD:3",
        "    └ srcs  //a:top  filegroup  a/BUILD:2",
        "       └ srcs  //a:deep  filegroup  a/BUILD:5",
    ]
    (workspace / "lib/BUILD").write_text(
        'filegroup(name = "low", visibility = ["//visibility:public"])\n'
        'filegroup(name = "one", srcs = [":low"])\n'
        'filegroup(name = "two", srcs = [":low", ":one"])\n'
        'filegroup(name = "three", srcs = [":two"])\n'
    )
    out = run(workspace, "why", "//lib:low", "--from=//lib:all", "--depth=3")[1]
    assert "    │  └ srcs  //lib:two  filegroup  lib/BUILD:3  (*)" in out.splitlines()
    told = json.loads(run(workspace, "why", "//lib:low", "--from=//lib:all", "--output=json")[1])["dependents"]
    assert (told["count"], told["packages"], [each["count"] for each in told["groups"]]) == (2, 1, [2])


def test_a_single_source_has_a_path_and_no_tree(workspace: Path) -> None:
    out = run(workspace, "why", "//lib:base", "--from=//a:goal")[1]
    assert "goal depends on base through 1 edge" in out
    assert json.loads(run(workspace, "why", "//lib:base", "--from=//a:goal", "--output=json")[1])["dependents"] is None


def test_no_path_in_a_configuration_tells_the_branch_that_is_not_taken(workspace: Path) -> None:
    words = ("why", "//a:goal", "--from=//a:top")
    out = run(workspace, *words, "-c", "opt")[1]
    assert "//a:top does not depend on //a:goal; it has 4 transitive dependencies (with -c opt)." in out
    assert "In another configuration it does, through 1 edge that this one leaves out:" in out
    assert "  //a:top  srcs  //a:goal  when //a:win  (--cpu=x64_windows --define=fast=1)" in out
    assert "depends on goal through 1 edge" in run(workspace, *words, "--cpu=x64_windows", "--define=fast=1")[1]
    (miss,) = json.loads(run(workspace, *words, "-c", "opt", "--output=json")[1])["no_way"]["misses"]
    assert (miss["source"]["label"], miss["step"]["node"]["label"]) == ("//a:top", "//a:goal")
    assert miss["options"] == ["--cpu=x64_windows", "--define=fast=1"]


def test_the_path_that_lacks_fewest_edges_is_the_nearest_miss(workspace: Path) -> None:
    out = run(workspace, "why", "//lib:x0", "--from=//a:deep", "-c", "opt")[1]
    assert "  //a:deep  srcs  //lib:x0  when //a:win" in out
    assert "In another configuration" not in run(workspace, "why", "//lib:x1", "--from=//a:deep", "-c", "opt")[1]


def test_a_name_that_is_a_word_is_told_as_a_label(workspace: Path) -> None:
    build = (
        'filegroup(name = "none")\nfilegroup(name = "a", srcs = [":none"])\nfilegroup(name = "b", srcs = [":none"])\n'
    )
    (workspace / "a" / "BUILD").write_text(build)
    assert run(workspace, "why", "//a:none")[1].startswith(
        "2 targets in //... depend on //a:none, all of them directly."
    )


STEPS = """\
compile = subrule(implementation = lambda ctx, _tool: None, attrs = {"_tool": attr.label(default = "//a:tool")})
lib = rule(implementation = lambda ctx: None, subrules = [compile])
"""


def test_an_attribute_of_a_subrule_is_told_without_its_file(workspace: Path) -> None:
    """As Kleaf, whose rules are made of dozens of them."""
    (workspace / "a" / "defs.bzl").write_text(STEPS)
    build = 'load(":defs.bzl", "lib")\nlib(name = "one")\nlib(name = "two")\nfilegroup(name = "tool")\n'
    (workspace / "a" / "BUILD").write_text(build)
    line = ("why", "//a:tool", "--bazel_version=8.2.1")
    out = run(workspace, *line)[1]
    assert " ├ _tool (subrule compile)  //a:one  lib  a/BUILD:2" in out.replace(" │ ", " ")
    assert "Minimum cut: 1 edge, the _tool (subrule compile) attribute of lib (2 targets use it)." in out
    assert " └ _tool (subrule compile)  //a:tool" in run(workspace, *line, "--from=//a:one")[1]
    assert '"attribute": "_//a:defs.bzl%compile%_tool"' in run(workspace, *line, "--output=json")[1]
