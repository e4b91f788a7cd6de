"""`bzlgraph select`, through the command line."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main
from tests.selects.small_workspace import kinds, written


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--no_cache", "--jobs=1", "-C", str(folder), "select", *arguments])
        return int(stop.value.code or 0), out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8")


def test_text_answers_first(tmp_path: Path) -> None:
    kinds(tmp_path)
    code, out, err = run(tmp_path, "//:made")
    assert code == 0
    first, empty, head, names, *lines = out.splitlines()
    assert first == (
        "1 of 1 target has selects: 1 select evaluated, written at 1 place. "
        "2 branches in 2 rows, 1 value is a dependency."
    )
    assert (empty, head) == ("", "//:made  cc_library rule  made by lib (BUILD:7) > _inner (defs.bzl:6)")
    assert names.split() == ["attribute", "condition", "value"]
    assert [line.split() for line in lines] == [
        ["deps", "//:fast", "->", "//:plain", "defs.bzl:8"],
        ["//conditions:default", "[]"],
    ]
    assert "select" not in err


def test_without_an_expression_it_is_everything(tmp_path: Path) -> None:
    kinds(tmp_path)
    assert run(tmp_path)[1] == run(tmp_path, "//...")[1]


def test_the_whole_query_language(tmp_path: Path) -> None:
    kinds(tmp_path)
    _, out, _ = run(tmp_path, "--output=csv", "kind(genrule, //...)", "+", "//:made")
    assert {row[0] for row in csv.reader(io.StringIO(out))} == {"target", "//:text", "//:made"}


def test_data_goes_to_stdout_and_the_summary_to_stderr(tmp_path: Path) -> None:
    kinds(tmp_path)
    _, out, err = run(tmp_path, "--output=json")
    assert json.loads(out)["query"] == "//..."
    assert "3 of 6 targets have selects" in err
    assert "1 call of an unknown function" in err
    assert "absent" in err


def test_what_an_unknown_function_gives_is_no_empty_list(tmp_path: Path) -> None:
    """``deps = [artifact("x")]`` of rules_jvm_external looked as if it had no deps."""
    text = 'load("@absent//:defs.bzl", "artifact")\nfilegroup(name = "a", srcs = [artifact("x")])\n'
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(text, encoding="utf-8")
    out = run(tmp_path, "//:a")[1]
    assert out.splitlines()[-1].split() == ["srcs", "unknown", "call", "artifact(...)", "(unknown)", "BUILD:2"]


def test_an_output_file(tmp_path: Path) -> None:
    kinds(tmp_path)
    code, out, _ = run(tmp_path, "--output=csv", "-o", str(tmp_path / "rows.csv"))
    assert (code, out) == (0, "")
    assert (tmp_path / "rows.csv").read_bytes().decode() == run(tmp_path, "--output=csv")[1]


def test_nothing_to_say_is_said(tmp_path: Path) -> None:
    kinds(tmp_path)
    assert run(tmp_path, "//:plain")[1] == "No select in 1 target.\n"


def test_exit_codes(tmp_path: Path) -> None:
    written(tmp_path, {"BUILD": 'cc_library(name = "x", deps = select({":y": [":x"]}))\ncc_library('})
    assert run(tmp_path, "//:all")[0] == 7
    assert run(tmp_path, "-k", "//:all")[0] == 3
    assert run(tmp_path, "(")[0] == 2
    assert run(tmp_path, "--output=yaml")[0] == 2
    assert "//:y" in run(tmp_path, "//:all")[1]


@pytest.mark.parametrize("output", ["text", "table", "csv", "markdown", "json", "jsonl", "html", "parquet"])
def test_an_empty_answer_is_a_document_all_the_same(tmp_path: Path, output: str) -> None:
    kinds(tmp_path)
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--no_cache", "--jobs=1", "-C", str(tmp_path), "select", f"--output={output}", "//:plain"])
        assert (stop.value.code or 0) == 0
        assert (out.getvalue() != b"") is (output != "jsonl")
        assert b"Traceback" not in err.getvalue()


def test_options_of_bazel_say_what_holds(tmp_path: Path) -> None:
    kinds(tmp_path)
    (tmp_path / ".bazelrc").write_text("build:quick --define=fast=1\n")
    code, out, err = run(tmp_path, "//:made", "--config=quick")
    assert code == 0
    assert out.splitlines()[0].endswith("1 holds, 1 does not, 0 unknown.")
    assert "yes      --define=fast is 1 (.bazelrc:1" in out
    assert "configuration: .bazelrc read" in err
    _, out, _ = run(tmp_path, "//:made", "--output=csv", "--define", "fast=1")
    assert [row["holds"] for row in csv.DictReader(io.StringIO(out))] == ["yes", "no"]
    _, out, _ = run(tmp_path, "//:made", "--output=json", "--define=fast=2")
    fast = json.loads(out)["rows"][0]
    assert (fast["holds"], fast["setting"], fast["why"][0]["found"], fast["why"][0]["wanted"]) == (
        "no", "//:fast", "2", "1",
    )  # fmt: skip


def test_why_tells_every_comparison(tmp_path: Path) -> None:
    kinds(tmp_path)
    code, out, _ = run(tmp_path, "//:made", "--define=fast=1", "--why")
    assert code == 0
    assert [line.strip() for line in out.splitlines()[2:]] == [
        "//:made  cc_library rule  made by lib (BUILD:7) > _inner (defs.bzl:6)",
        "deps  defs.bzl:8",
        "yes      //:fast (BUILD:5)",
        "yes      --define=fast is 1 (command line)",
        "-> //:plain",
        "no       //conditions:default",
        "no       //:fast holds",
        "[]",
    ]


def test_bad_command_lines(tmp_path: Path) -> None:
    kinds(tmp_path)
    for arguments in (
        ["--why"],
        ["--why", "--output=csv", "-c", "opt"],
        ["--condition=("],
        ["--config=none"],
        ["-c", "fast"],
    ):
        code, out, err = run(tmp_path, "//:made", *arguments)
        assert (code, out) == (2, ""), arguments
        assert "error:" in err or "Error:" in err


def test_only_some_attributes_and_conditions(tmp_path: Path) -> None:
    kinds(tmp_path)

    def found(*arguments: str) -> set[tuple[str, str]]:
        rows = csv.DictReader(io.StringIO(run(tmp_path, "//:kinds", "--output=csv", *arguments)[1]))
        return {(row["attribute"], row["condition"]) for row in rows}

    assert {attribute for attribute, _ in found("--attribute=deps", "--attribute=linkstatic")} == {"deps", "linkstatic"}
    assert found("--condition=slow") == {("srcs", "//:slow"), ("deps", "//:slow")}
    assert found("--condition=slow", "--attribute=srcs") == {("srcs", "//:slow")}
    with_options = run(tmp_path, "//:kinds", "--output=csv", "--condition=slow", "--define=slow=1")[1]
    assert [row["holds"] for row in csv.DictReader(io.StringIO(with_options))] == ["yes", "yes"]


@pytest.mark.parametrize("pattern", ["//:chosen_rule_string", "//..."])
def test_a_transition_of_the_target_decides_its_selects(pattern: str) -> None:
    folder = Path(__file__).parents[1] / "workspaces/configured/rule_attributes"
    _, out, _ = run(folder, pattern, "-c", "opt", "--output=csv")
    rows = [row for row in csv.DictReader(io.StringIO(out)) if row["target"] == "//:chosen_rule_string"]
    assert [(row["condition"], row["holds"]) for row in rows] == [("//:yes", "yes"), ("//conditions:default", "no")]


def test_an_attribute_that_nothing_has_is_told(tmp_path: Path) -> None:
    kinds(tmp_path)
    for name, hint in (("copst", "hint: did you mean `copts`?"), ("cops", "hint: did you mean `copts`?")):
        code, out, err = run(tmp_path, "//:all", f"--attribute={name}")
        assert (code, out.startswith("No select in ")) == (0, True)
        assert f"rules has an attribute `{name}`\n{hint}" in err
    assert "has an attribute" not in run(tmp_path, "//:all", "--attribute=srcs")[2]
    assert "has an attribute" not in run(tmp_path, "//:all", "--attribute=data")[2]


def test_an_attribute_that_nothing_has_is_told_of_a_kept_graph(tmp_path: Path) -> None:
    kinds(tmp_path)
    words = [f"--cache_dir={tmp_path / 'cache'}", "--jobs=1", "-C", str(tmp_path), "select", "//:all"]
    for each in ([], ["--attribute=copst"]):
        done = subprocess.run(
            [sys.executable, "-m", "bzlgraph", *words, *each], capture_output=True, text=True, check=True
        )
    assert "did you mean `copts`?" in done.stderr
