"""The output options of `bzlgraph query`, through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main

SELECTS = Path(__file__).parents[1] / "workspaces" / "selects"


def run(*arguments: str) -> tuple[int, bytes, bytes]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--no_cache", "-C", str(SELECTS), "query", *arguments])
        return int(stop.value.code or 0), out.getvalue(), err.getvalue()


def test_output_file_holds_what_stdout_would(tmp_path: Path) -> None:
    printing, printed, _ = run("--output=proto", "//:lib")
    code, nothing, _ = run("--output=proto", f"--output_file={tmp_path / 'answer.pb'}", "//:lib")
    assert (code, nothing) == (printing, b"")
    assert (tmp_path / "answer.pb").read_bytes() == printed != b""


def test_an_output_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    code, _, said = run(f"--output_file={tmp_path / 'no' / 'folder'}", "//:lib")
    assert code == 2
    assert b"No such file or directory" in said
    assert b"Traceback" not in said


@pytest.mark.parametrize("flag", ["--null", "--line_terminator_null"])
def test_zero_bytes(flag: str) -> None:
    assert run("--output=label", flag, "//:lib + //:gen")[1] == b"//:gen\0//:lib\0"


def test_orders() -> None:
    expression = "//:lib + //:a.cc + //:wrapped"
    assert run("--order_output=full", expression)[1].split() == [b"//:wrapped", b"//:lib", b"//:a.cc"]
    assert run("--order_output=no", expression)[1].split() == [b"//:a.cc", b"//:lib", b"//:wrapped"]
    assert run(expression)[1] == run("--order_output=no", expression)[1]


def test_an_unknown_format_is_a_bad_command_line() -> None:
    code, _, said = run("--output=yaml", "//:lib")
    assert code == 2
    assert b"yaml" in said


def test_an_empty_answer_is_a_document_all_the_same() -> None:
    assert run("--output=xml", "//:lib - //:lib")[1].endswith(b'<query version="2"/>\n')
    assert run("--output=jsonproto", "//:lib - //:lib")[1] == b"[]"
