"""`bzlgraph diff-config`, through the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.commands.diff_config import FORMATS
from bzlgraph.cli.main import main
from tests.selects.small_workspace import written

BUILD = """
config_setting(name = "fast", values = {"define": "fast=1"})
filegroup(name = "all", srcs = select({":fast": ["fast.txt"], "//conditions:default": ["slow.txt"]}))
filegroup(name = "top", srcs = [":all"])
"""


def run_bytes(folder: Path, *arguments: str, command: str = "diff-config") -> tuple[int, bytes, str]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--no_cache", "--jobs=1", "-C", str(folder), command, *arguments])
        return int(stop.value.code or 0), out.getvalue(), err.getvalue().decode("utf-8")


def run(folder: Path, *arguments: str, command: str = "diff-config") -> tuple[int, str, str]:
    code, out, err = run_bytes(folder, *arguments, command=command)
    return code, out.decode("utf-8"), err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path, {"BUILD": BUILD, ".bazelrc": "build:fast --define=fast=1\n"})
    return tmp_path


def test_the_first_line_answers(folder: Path) -> None:
    code, out, err = run(folder, "//:top", "--vs", "--config=fast")
    assert code == 0
    assert out.splitlines() == [
        "1 source file added, 1 removed; 1 edge added, 1 removed. 3 targets are on both sides.",
        "left   no options  (4 targets)",
        "right  --config=fast  (4 targets)",
        "",
        "1 change",
        "  --config=fast  1 source file added, 1 removed; 1 edge added, 1 removed",
        "                 sets --define=fast=1",
        "",
        "1 source file added, 1 removed",
        "  +  //:fast.txt  source file  BUILD:3",
        "  -  //:slow.txt  source file  BUILD:3",
        "",
        "1 edge added, 1 removed",
        "  +  srcs  //:fast.txt  when //:fast  --define=fast is 1 (.bazelrc:1:12 (config fast))  BUILD:3",
        "       //:all",
        "  -  srcs  //:slow.txt  when //conditions:default  //:fast holds  BUILD:3",
        "       //:all",
    ]
    assert "configuration: .bazelrc read" in err


def test_each_of_several_options_is_told_by_itself(tmp_path: Path) -> None:
    more = """
config_setting(name = "opt", values = {"compilation_mode": "opt"})
cc_library(name = "lib", srcs = ["a.cc"] + select({":opt": ["opt.cc"], "//conditions:default": []}))
cc_library(name = "c", srcs = [":files"])
filegroup(name = "files", srcs = ["b.c"])
cc_library(name = "headers", hdrs = ["h.h"])
cc_binary(name = "app", deps = [":lib", ":c", ":headers"])
filegroup(name = "both", srcs = [":top", ":app"])
"""
    written(tmp_path, {"BUILD": BUILD + more, ".bazelrc": "build:fast --define=fast=1\n"})
    words = ("-c", "opt", "--config=fast", "--copt=-g", "--conlyopt=-w", "--linkopt=-s", "--noimplicit_deps")
    out = run(tmp_path, "//:both", *words)[1]
    block = out.partition("each by itself\n")[2].partition("\n\n")[0].splitlines()
    assert [" ".join(line.split()) for line in block] == [
        "-c opt 1 source file added; 1 edge added",
        "--compilation_mode=opt applies to 2 C++ targets",
        "sets --compilation_mode=opt",
        "--config=fast 1 source file added, 1 removed; 1 edge added, 1 removed",
        "sets --define=fast=1",
        "--copt=-g no select() of these targets depends on it",
        "--copt=-g applies to 2 C++ targets",
        "--conlyopt=-w no select() of these targets depends on it",
        "--conlyopt=-w applies to 1 C target",
        "--linkopt=-s no select() of these targets depends on it",
        "--linkopt=-s applies to 1 linked C++ target",
    ]
    assert run(tmp_path, "//:both", "--vs", *words)[1] == out


def test_every_word_before_vs_is_left_and_after_it_right(folder: Path) -> None:
    plain = run(folder, "//:top", "-c", "opt", "--vs", "-c", "opt", "--config", "fast", "--output=csv")[1]
    for arguments in (
        ("-c", "opt", "//:top", "--vs", "-c", "opt", "--config", "fast", "--output=csv"),
        ("--output", "csv", "-c", "opt", "--vs", "//:top", "-c", "opt", "--config", "fast"),
    ):
        assert run(folder, *arguments)[1] == plain
    rows = list(csv.DictReader(io.StringIO(plain)))
    assert [(row["change"], row["what"], row["value"]) for row in rows] == [
        ("added", "source", ""),
        ("removed", "source", ""),
        ("added", "edge", "//:fast.txt"),
        ("removed", "edge", "//:slow.txt"),
    ]
    assert run(folder, "//:top", "--vs", "--config=fast", command="diff_config")[0] == 0


def test_an_option_that_changes_nothing_says_where_it_is_set(folder: Path) -> None:
    (folder / ".bazelrc").write_text("build -c opt\nbuild:fast --define=fast=1\n", encoding="utf-8")
    told = run(folder, "//:top", "--vs", "-c", "opt", "--config=fast", "--copt=-g")[1]
    assert "  -c opt         the left side has it already (.bazelrc:1:7)\n" in told
    told = run(folder, "//:top", "-c", "opt", "--vs")[1]
    assert "  without -c opt  set without it, too (.bazelrc:1:7)\n" in told
    told = run(folder, "//:top", "--copt=-g", "--vs")[1]
    assert "  without --copt=-g  no select() of these targets depends on it\n" in told


def test_json_has_both_sides_and_counts(folder: Path) -> None:
    document = json.loads(run(folder, "//:top", "--vs", "--config=fast", "--output=json")[1])
    assert list(document)[:6] == ["schema", "query", "left", "right", "rows", "changes"]
    assert list(document)[6:] == ["summary", "problems", "gaps", "complete"]
    assert (document["schema"], document["query"]) == ("bzlgraph.diff-config/1", "deps(//:top)")
    assert [(each["words"], each["differences"]) for each in document["changes"]] == [("--config=fast", 4)]
    assert document["summary"]["differences"] == {
        "source": {"added": 1, "removed": 1},
        "edge": {"added": 1, "removed": 1},
    }


def test_pictures(folder: Path) -> None:
    dot = run(folder, "//:top", "--vs", "--config=fast", "--output=dot")[1]
    assert '"//:all" -> "//:fast.txt" [style=solid' in dot
    assert '"//:all" -> "//:slow.txt" [style=dashed' in dot
    assert "+ //:fast.txt" in dot
    assert "- //:slow.txt" in dot
    assert "//:top" not in dot  # on both sides, and far from what differs
    mermaid = run(folder, "//:top", "--vs", "--config=fast", "--output=mermaid")[1]
    assert "-.-x" in mermaid
    assert run(folder, "//:top", "--vs", "--config=fast", "-o", str(folder / "x.svg"))[0] == 0
    assert b"<svg" in (folder / "x.svg").read_bytes()


@pytest.mark.parametrize("output", [name for name in FORMATS if name != "png"])
def test_no_difference_is_an_answer_in_every_format(folder: Path, output: str) -> None:
    code, out, err = run_bytes(folder, "//:top", "--vs", f"--output={output}")
    assert code == 0
    assert (out != b"") is (output != "jsonl")
    assert "Traceback" not in err
    if output == "text":
        assert out.startswith(b"No difference: 4 targets")


def test_bad_command_lines(folder: Path) -> None:
    for arguments, word in (
        (["//:top"], "--vs"),
        (["//:top", "--vs", "--config=fast", "--vs"], "2 times"),
        (["//:top", "--vs", "--config=fats"], "fats"),
        (["--vs", "--config=fast"], "EXPR"),
        (["//:top", "--vs", "--config=fast", "-o", "x.yaml"], "yaml"),
    ):
        code, out, err = run(folder, *arguments)
        assert (code, out) == (2, ""), arguments
        assert word in err


def test_missing_targets(folder: Path) -> None:
    (folder / "BUILD").write_text(BUILD + 'filegroup(name = "bad", srcs = select({":fast": [":none"]}))\n')
    assert run(folder, "//:bad", "--vs", "--config=fast")[0] == 7
    assert run(folder, "-k", "//:bad", "--vs", "--config=fast")[0] == 3
    assert run(folder, "//:nothing", "--vs", "--config=fast")[0] == 7


def test_help() -> None:
    code, out, _ = run(Path("."), "--help")
    assert code == 0
    assert "--vs" in out


def test_without_a_left_side_both_read_the_same_rc_files(folder: Path) -> None:
    (folder / "more.rc").write_text("build:faster --define=fast=1\nbuild -c opt\n", encoding="utf-8")
    code, out, err = run(folder, "//:top", f"--bazelrc={folder}/more.rc", "--config=faster")
    assert code == 0, err
    assert f"left   --bazelrc={folder}/more.rc  (4 targets)" in out
    assert "  --config=faster  1 source file added, 1 removed" in out


def test_a_config_that_only_the_rc_file_of_one_side_has(folder: Path) -> None:
    (folder / "more.rc").write_text("build:faster --define=fast=1\n", encoding="utf-8")
    code, out, err = run(folder, "//:top", "--vs", f"--bazelrc={folder}/more.rc", "--config=faster")
    assert code == 0, err
    assert "left   no options" in out
    assert "sets --define=fast=1" in out
