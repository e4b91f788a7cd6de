"""``--assume NAME=true``: what is not known is taken as given, and the answer says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.in_process import run

ABSENT = """\
load("@absent//:defs.bzl", "if_fast", "thing")
config_setting(name = "asks", flag_values = {"@absent//:flag": "1"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "fast")
filegroup(name = "other")
filegroup(name = "slow")
filegroup(name = "calls", srcs = [":slow"] + if_fast([":fast"]))
filegroup(name = "calls_twice", srcs = if_fast([":fast"], [":other"]))
cc_library(name = "flags", copts = if_fast(["-DFAST"]))
filegroup(name = "selects", srcs = select({":asks": [":fast"], "//conditions:default": [":slow"]}))
thing(name = "unknown_rule", deps = if_fast([":fast"]))
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "WORKSPACE").write_text("", encoding="utf-8")
    (tmp_path / "BUILD").write_text(ABSENT, encoding="utf-8")
    return tmp_path


def deps(workspace: Path, target: str, *words: str) -> tuple[list[str], str]:
    code, out, err = run(workspace, "query", f"deps({target}, 1)", "--exclude_self", *words)
    assert code == 0, err
    return [line for line in out.split() if line not in (":asks", "//:asks")], err


@pytest.mark.parametrize(
    ("target", "words", "expected", "possible"),
    [
        ("//:calls", ["-c", "opt"], ["//:fast", "//:slow"], True),
        ("//:calls", ["--assume=if_fast=true"], ["//:fast", "//:slow"], False),
        ("//:calls", ["--assume", "if_fast=no"], ["//:slow"], False),
        ("//:calls", ["--assume=if_fast=true", "--assume=if_fast=false"], ["//:slow"], False),
        ("//:calls_twice", ["--assume=if_fast=true"], ["//:fast", "//:other"], False),
        ("//:selects", ["-c", "opt"], ["//:fast", "//:slow"], True),
        ("//:selects", ["--assume=//:asks=true"], ["//:fast"], False),
        ("//:selects", ["--assume=//:asks=false"], ["//:slow"], False),
        ("//:unknown_rule", ["--assume=if_fast=true"], ["//:fast"], True),
    ],
)
def test_what_is_unknown_is_taken_as_given(
    workspace: Path, target: str, words: list[str], expected: list[str], possible: bool
) -> None:
    found, err = deps(workspace, target, *words)
    assert (found, "only possible" in err) == (expected, possible)


def test_an_answer_says_on_which_assumptions_it_rests(workspace: Path) -> None:
    err = deps(workspace, "//:calls", "--assume=if_fast=true")[1]
    assert "assumed: if_fast=true, which decides if_fast(...)" in err
    assert "if_fast(...) cannot be evaluated" not in err, "that is no gap any more"
    assert "--assume=if_fast=true has no effect" in deps(workspace, "//:selects", "--assume=if_fast=true")[1]
    out = run(workspace, "why", "//:fast", "--from=//:calls", "--assume=if_fast=true")[1]
    assert out.startswith("calls depends on fast through 1 edge")
    assert "(with --assume=if_fast=true)" in out


def test_what_is_known_is_not_assumed(workspace: Path) -> None:
    err = deps(workspace, "//:calls", "--assume=//:opt=true")[1]
    assert "has no effect: this answer has no unknown value named //:opt" in err
    _, _, err = run(workspace, "query", "//:calls", "--assume=//:opt=true")
    assert "assumed:" not in err
    (workspace / "b").mkdir()
    text = 'filegroup(name = "b", srcs = select({"//:opt": ["x"], "//conditions:default": ["y"]}))'
    (workspace / "b/BUILD").write_text(text, encoding="utf-8")
    found, err = deps(workspace, "//b", "--assume=//:opt=true")
    assert "//b:y" in found
    assert "//b:x" not in found
    assert "--assume=//:opt=true has no effect: its value is known, no: --compilation_mode is fastbuild" in err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--assume=if_fsat=true"], 7, "did you mean if_fast?"),
        (["--assume=//:askss=true"], 7, "did you mean //:asks?"),
        (["--assume=if_fast"], 2, "--assume takes NAME=true or NAME=false"),
        (["--assume=if_fast=maybe"], 2, "--assume takes NAME=true or NAME=false"),
        (["--assume=@@=true"], 2, "--assume=@@=true: "),
    ],
)
def test_names_and_forms_that_cannot_be_meant(workspace: Path, words: list[str], code: int, said: str) -> None:
    found, out, err = run(workspace, "query", "deps(//:calls)", *words)
    assert (found, out if code == 2 else "") == (code, ""), err
    assert said in err


def test_select_and_diff_config_and_graph(workspace: Path) -> None:
    out = run(workspace, "select", "//...", "--assume=if_fast=true", "--output=json")[1]
    rows = {row["target"]: row["holds"] for row in json.loads(out)["rows"] if "if_fast" in row["condition"]}
    assert rows["//:calls"] == rows["//:flags"] == "yes"
    code, out, err = run(
        workspace, "diff-config", "//:calls", "--assume=if_fast=false", "--vs", "--assume=if_fast=true"
    )
    assert code == 0, err
    assert "+  //:fast" in out
    assert "1 target added" in out
    out = run(workspace, "diff-config", "//:flags", "--vs", "--assume=if_fast=true")[1]
    assert "-DFAST" in out
    assert "--assume=if_fast=true" in out
    out = run(workspace, "diff-config", "//:slow", "--vs", "--assume=if_fast=true")[1]
    assert "nothing in these targets depends on it" in out
    picture = run(workspace, "graph", "deps(//:calls)", "--assume=if_fast=false", "--output=dot")[1]
    assert "slow" in picture
    assert "fast" not in picture


def test_the_library_assumes_too(workspace: Path) -> None:
    import bzlgraph

    opened = bzlgraph.open(workspace)
    assert [str(label) for label in opened.query("deps(//:calls)", options=["--assume=if_fast=false"])] == [
        "//:calls",
        "//:slow",
    ]
