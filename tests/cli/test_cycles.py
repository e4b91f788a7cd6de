"""Targets that need themselves, as each command tells them: query as Bazel's query, configured as Bazel's analysis."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

REFUSAL = "in filegroup rule //plain:a: cycle in dependency graph"
WORKSPACE = Path(__file__).parents[1] / "workspaces" / "cycles"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(WORKSPACE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_query_answers_as_for_any_graph() -> None:
    done = run("query", "deps(//plain:in)")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.split()) == ["//plain:a", "//plain:b", "//plain:in", "//plain:self"]


def test_in_a_configuration_what_an_analysis_refuses_is_a_problem_with_its_places() -> None:
    done = run("query", "-c", "opt", "deps(//plain:a)")
    assert done.returncode == 7
    assert done.stdout.split() == ["//plain:a", "//plain:b"]
    assert done.stderr.splitlines()[1:] == [
        f"plain/BUILD:2:10: error: {REFUSAL}: //plain:a -> //plain:b -> //plain:a",
        "plain/BUILD:2:10: note: srcs of //plain:a names //plain:b",
        "plain/BUILD:3:10: note: srcs of //plain:b names //plain:a",
    ]


@pytest.mark.parametrize("mode", ["opt", "dbg"])
def test_a_cycle_that_needs_two_configurations_at_once_is_none_in_any(mode: str) -> None:
    assert run("query", "-c", mode, "deps(//select:a)").returncode == 0


BROKEN_IN_OPT = """\
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "a", srcs = [":x"] + select({":opt": [], "//conditions:default": [":b"]}))
filegroup(name = "b", srcs = [":a"])
filegroup(name = "x")
filegroup(name = "apart", srcs = [":x"])
filegroup(name = "alone")
"""
"""Bazel 4.2.3 and 7.7.1 answer ``cquery rdeps(//..., ...)`` with -c opt and refuse it with -c dbg, whichever target
is asked about."""


@pytest.mark.parametrize("expression", ["rdeps(//..., //:x)", "allrdeps(//:x)"])
def test_a_cycle_that_a_select_removes_is_none(tmp_path: Path, expression: str) -> None:
    done = asked_of(tmp_path, "-c", "opt", expression)
    assert (done.returncode, sorted(done.stdout.split())) == (0, ["//:a", "//:apart", "//:b", "//:x"])


@pytest.mark.parametrize("expression", ["rdeps(//..., //:{})", "allrdeps(//:{})"])
@pytest.mark.parametrize("target", ["x", "alone"])
def test_a_cycle_in_the_universe_is_a_problem_whatever_is_asked_about(
    tmp_path: Path, expression: str, target: str
) -> None:
    done = asked_of(tmp_path, "-c", "dbg", expression.format(target))
    assert done.returncode == 7
    assert "BUILD:2:10: error: in filegroup rule //:a: cycle in dependency graph: //:a -> //:b -> //:a" in done.stderr


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("//...", ["//:a", "//:alone", "//:apart", "//:b", "//:opt", "//:x"]),
        ("//... - //:a", ["//:alone", "//:apart", "//:b", "//:opt", "//:x"]),
        ("//:all - //:all", []),
        ("set(//:b //:x)", ["//:b", "//:x"]),
        ("kind(filegroup, //:b)", ["//:b"]),
    ],
)
def test_a_cycle_of_what_is_named_is_a_problem_where_no_edge_is_followed(
    tmp_path: Path, expression: str, answer: list[str]
) -> None:
    done = asked_of(tmp_path, "-c", "dbg", expression)
    assert (done.returncode, sorted(done.stdout.split())) == (7, answer)
    assert "BUILD:2:10: error: in filegroup rule //:a: cycle in dependency graph: //:a -> //:b -> //:a" in done.stderr
    assert asked_of(tmp_path, "-c", "dbg", "-k", expression).returncode == 3
    assert asked_of(tmp_path, "-c", "opt", expression).returncode == 0
    assert asked_of(tmp_path, expression).returncode == 0


@pytest.mark.parametrize("expression", ["//:x", "//:x + //:apart", "//:x - //:alone"])
def test_a_cycle_that_is_not_needed_is_none_of_the_question(tmp_path: Path, expression: str) -> None:
    assert asked_of(tmp_path, "-c", "dbg", expression).returncode == 0


def test_a_universe_without_the_cycle_is_answered(tmp_path: Path) -> None:
    done = asked_of(tmp_path, "-c", "dbg", "rdeps(//:apart, //:x)")
    assert (done.returncode, sorted(done.stdout.split())) == (0, ["//:apart", "//:x"])


def asked_of(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A query of a workspace whose cycle -c opt removes; the last -C counts."""
    (tree / "WORKSPACE").touch()
    (tree / "BUILD").write_text(BROKEN_IN_OPT, encoding="utf-8")
    return run("-C", str(tree), "query", *arguments)


def test_doctor_tells_each_cycle_once_with_attribute_place_macro_and_condition() -> None:
    done = run("doctor", "//attrs:m + //select:a")
    assert done.returncode == 7
    assert done.stdout.startswith("2 packages, 12 rules, 15 targets: 2 problems\n")
    assert [line for line in done.stdout.splitlines()[1:] if line.startswith(("cycle ", "     "))] == [
        "cycle  2 targets depend on each other; Bazel refuses to analyze that",
        "       //attrs:m               r  attrs/BUILD:3 > attrs/r.bzl:5  made by m",
        "        ├ deps  //attrs:m_lib  r  attrs/BUILD:3 > attrs/r.bzl:6  made by m",
        "        └ late  //attrs:m      r  attrs/BUILD:3 > attrs/r.bzl:5  made by m",
        "cycle  //attrs:t depends on itself; Bazel refuses to analyze that",
        "       //attrs:t            r  attrs/BUILD:2",
        "        └ _tool  //attrs:t  r  attrs/BUILD:2  (default of a private attribute, attrs/r.bzl:3)",
        "cycle  2 targets depend on each other where all these conditions hold",
        "       //select:a           filegroup  select/BUILD:3",
        "        ├ srcs  //select:b  filegroup  select/BUILD:4  when //select:opt",
        "        └ srcs  //select:a  filegroup  select/BUILD:3  when //select:dbg",
    ]
    assert [line.partition("cycle in")[0] for line in done.stderr.splitlines()] == [
        "attrs/BUILD:3:2: error: in r rule //attrs:m: ",
        "attrs/BUILD:2:2: error: in r rule //attrs:t: ",
    ]


def test_doctor_has_the_cycles_in_its_json() -> None:
    data = json.loads(run("doctor", "//groups/...", "--output=json").stdout)
    chains = [[step["node"]["label"] for step in cycle["steps"]] for cycle in data["cycles"]]
    assert chains == [["//groups:g", "//groups:h", "//groups:g"], ["//groups:self", "//groups:self"]]
    assert [(cycle["size"], cycle["certain"]) for cycle in data["cycles"]] == [(2, True), (1, True)]
    assert data["cycles"][0]["steps"][1]["reasons"][0]["attribute"] == "includes"
    assert len(data["problems"]) == 2


def test_why_tells_the_cycles_on_the_way() -> None:
    done = run("why", "//plain:self", "--from", "//plain:in")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-4:-1] == [
        "Cycle: //plain:self depends on itself; Bazel refuses to analyze that",
        "  //plain:self           filegroup  plain/BUILD:9",
        "   └ srcs  //plain:self  filegroup  plain/BUILD:9",
    ]


def test_why_of_a_target_from_itself_shows_the_way_round() -> None:
    assert (
        "Cycle: 3 targets depend on each other (the shortest way round: 2)"
        in run("why", "//plain:x", "--from", "//plain:x").stdout
    )


@pytest.mark.parametrize(
    "arguments", [("select", "//..."), ("diff-config", "//select:a", "-c", "opt", "--vs", "-c", "dbg")]
)
def test_cycles_do_not_break_what_asks_about_conditions(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, "//select:b" in done.stdout) == (0, True)


def test_a_cycle_behind_what_an_unknown_value_decided_is_not_certain(tmp_path: Path) -> None:
    decided = 'load("@absent//:names.bzl", "NAMES")\nfilegroup(name = "c", srcs = ["a.c"] if NAMES else [])\n'
    circle = 'filegroup(name = "a", srcs = [":b"])\nfilegroup(name = "b", srcs = [":a"])\n'
    (tmp_path / "WORKSPACE").touch()
    for text, code, words in (
        (circle, 7, "2 targets depend on each other; Bazel refuses to analyze that"),
        (decided + circle, 0, "2 targets depend on each other, unless something that is not on disk decides otherwise"),
    ):
        (tmp_path / "BUILD").write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "bzlgraph", "--no_cache", "-C", str(tmp_path), "doctor"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, words in done.stdout) == (code, True)
