"""The output options of `bzlgraph query`, through the command line."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyarrow import parquet

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


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
@pytest.mark.parametrize("output", ["label", "csv", "json"])
def test_a_path_is_printed_from_start_to_end(version: str, output: str, tmp_path: Path) -> None:
    for name, text in {"WORKSPACE": "", "up/BUILD": "filegroup(name = 'end')"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "up/down").mkdir()
    (tmp_path / "up/down/BUILD").write_text("filegroup(name = 'start', srcs = ['//up:end'])", encoding="utf-8")
    words = ["--no_cache", "--bazel_version", version, "-C", str(tmp_path), "query", f"--output={output}"]
    with CliRunner().isolation() as (out, _err, _mixed), pytest.raises(SystemExit):
        main([*words, "somepath(//up/down:start, //up:end)"])
    assert re.findall(r"^\W*(?:label\W+)?(//up\S*:\w+)", out.getvalue().decode(), re.M) == [
        "//up/down:start",
        "//up:end",
    ]


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ("label", "@//:a\n@other//:x\n"),
        ("label_kind", "filegroup rule @//:a\nfilegroup rule @other//:x\n"),
        ("package", "@//\n@other//\n"),
        ("minrank", "0 @//:a\n1 @other//:x\n"),
        ("graph", 'digraph mygraph {\n  node [shape=box];\n  "@//:a"\n  "@//:a" -> "@other//:x"\n  "@other//:x"\n}\n'),
    ],
)
def test_consistent_labels_as_bazel_7_prints_them(output: str, printed: str, tmp_path: Path) -> None:
    files = {
        "WORKSPACE": 'local_repository(name = "other", path = "other")',
        "BUILD": 'filegroup(name = "a", srcs = ["@other//:x"])',
        "other/WORKSPACE": "",
        "other/BUILD": 'filegroup(name = "x")',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = ["--no_cache", "--bazel_version", "7.7.1", "-C", str(tmp_path), "query", "--noenable_bzlmod"]
    with CliRunner().isolation() as (out, _err, _mixed), pytest.raises(SystemExit):
        main([*words, "--consistent_labels", f"--output={output}", "deps(//:a)"])
    assert out.getvalue().decode() == printed


def test_consistent_labels_where_they_are_not_known() -> None:
    code, printed, said = run("--consistent_labels", "--output=json", "//:lib")
    assert (code, printed) == (2, b"")
    assert b"--consistent_labels cannot be combined with --output=json" in said


def test_an_unknown_format_is_a_bad_command_line() -> None:
    code, _, said = run("--output=yaml", "//:lib")
    assert code == 2
    assert b"yaml" in said


def test_an_empty_answer_is_a_document_all_the_same() -> None:
    assert run("--output=xml", "//:lib - //:lib")[1].endswith(b'<query version="2"/>\n')
    assert run("--output=jsonproto", "//:lib - //:lib")[1] == b"[]"


def test_parquet_without_pyarrow_says_how_to_install_it_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = tmp_path / "answer.parquet"
    code, printed, said = run("--output=parquet", f"--output_file={answer}", "//:lib")
    assert (code, printed) == (2, b"")
    assert b"pip install pyarrow" in said
    assert not answer.exists()


def test_parquet_has_the_parts_of_labels_and_what_each_target_names(tmp_path: Path) -> None:
    answer = tmp_path / "answer.parquet"
    run("--output=parquet", f"--output_file={answer}", "//:lib")
    (row,) = parquet.read_table(answer).to_pylist()
    assert {key: row[key] for key in ("label", "rule_class", "repository", "package", "name", "path")} == {
        "label": "//:lib", "rule_class": "cc_library", "repository": "", "package": "", "name": "lib", "path": "BUILD",
    }  # fmt: skip
    assert "//:a.cc" in row["dependencies"]
