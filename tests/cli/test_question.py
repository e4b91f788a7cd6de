"""The options of `bzlgraph query` that say what is asked; tests/differential compares their meaning with Bazel."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main

WORKSPACE = Path(__file__).parents[1] / "workspaces" / "query_language"


def run(*arguments: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["-C", str(WORKSPACE), "--no_cache", "--jobs=1", "query", *arguments])
        return int(str(stop.value.code)), out.getvalue().decode("utf-8", "replace"), err.getvalue().decode()


def test_query_file(tmp_path: Path) -> None:
    question = tmp_path / "question.txt"
    question.write_text("# the libraries\n//lib:core  # one\n  + //lib:util\n", encoding="utf-8")
    assert run(f"--query_file={question}") == (0, "//lib:core\n//lib:util\n", "")
    code, out, err = run(f"--query_file={question}", "//lib:core")
    assert (code, out) == (2, "")
    assert "cannot be combined" in err
    question.write_bytes(b"\xff\xfe")
    code, out, err = run(f"--query_file={question}")
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_no_question() -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "missing EXPR" in err


@pytest.mark.parametrize("written", ["lib/nested", "//lib/nested", "cyc,lib/nested", "cyc,//lib/nested,suites"])
def test_deleted_packages(written: str) -> None:
    code, out, err = run(f"--deleted_packages={written}", "//lib/nested:deep")
    assert (code, out) == (7, "")
    assert "deleted by --deleted_packages" in err
    assert "//lib/nested:deep" not in run(f"--deleted_packages={written}", "//lib/...")[1]


def test_a_problem_is_told_once() -> None:
    code, out, err = run("--keep_going", "//no/such:x + //lib:core")
    assert (code, out) == (3, "//lib:core\n")
    assert err.count("no such package") == 1


@pytest.mark.parametrize(
    "output", ["location", "build", "xml", "proto", "jsonproto", "graph", "maxrank", "json", "csv"]
)
def test_files_that_no_rule_names_have_every_format(output: str) -> None:
    code, _, err = run("buildfiles(//app:app) + callers(compile, //app:all)", f"--output={output}")
    assert (code, err) == (0, "")
