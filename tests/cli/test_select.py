"""`bzlgraph select`, through the command line."""

from __future__ import annotations

import csv
import io
import json
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
    assert "1 call of unknown functions" in err
    assert "absent" in err


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
