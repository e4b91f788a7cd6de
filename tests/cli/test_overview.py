"""A first look: what a checkout is made of, on one screen, and questions that work."""

from __future__ import annotations

import csv
import io
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import main
from tests.cli.in_process import run as ask

BUILDS = {
    "WORKSPACE": "",
    ".bazelrc": "build:fast -c opt\n",
    "lib/BUILD": "cc_library(name = 'base')\n"
    "cc_library(name = 'more', deps = [':base'])\n"
    "cc_test(name = 'test', deps = [':base', ':more'])\n",
    "tool/BUILD": "cc_binary(name = 'tool', deps = ['//lib:base'])\n"
    "cc_binary(name = 'program', deps = ['//lib:base', '//lib:more'])\n"
    "genrule(name = 'made', outs = ['x'], cmd = '$(location :tool) > $@', tools = [':tool'])\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in BUILDS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(*words: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit) as stop:
            main(["--no_cache", "--jobs=1", *words])
        return int(stop.value.code or 0), out.getvalue().decode(), err.getvalue().decode()


def test_it_counts_what_is_there(tree: Path) -> None:
    code, printed, said = run("-C", str(tree), "overview", "--output=csv")
    assert code == 0, said
    rows = [(row["what"], row["name"], row["count"]) for row in csv.DictReader(io.StringIO(printed, newline=""))]
    assert next(row for row in rows if row[0] == "kind")[1:] == ("cc_library", "2")
    assert ("kind", "cc_binary", "2") in rows
    assert [row[1] for row in rows if row[0] == "entry"] == ["//tool:program"]  # the other is a tool
    assert [row[1:] for row in rows if row[0] == "used"][:2] == [("//lib:base", "4"), ("//lib:more", "2")]
    assert ("config", "fast", "") in rows
    assert {name for what, name, _ in rows if what == "package"} == {"//lib", "//tool"}


def test_bzlgraph_alone_is_the_overview_and_its_questions_work(tree: Path) -> None:
    code, printed, _ = run("-C", str(tree))
    assert (code, printed) == run("-C", str(tree), "overview")[:2]
    assert len(printed.splitlines()) <= 24
    asked = [line.strip() for line in printed.partition("ask next\n")[2].splitlines()]
    assert len(asked) == 5
    for question in asked:
        program, *words = shlex.split(question)
        assert program == "bzlgraph"
        words = [str(tree / "deps.svg") if word == "deps.svg" else word for word in words]
        code, _, said = run(*words)
        assert code == 0, (question, said)


def test_outside_of_a_checkout_help_is_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with CliRunner().isolation() as (out, err, _mixed):
        with pytest.raises(SystemExit):
            main([])
        assert "Commands:" in out.getvalue().decode() + err.getvalue().decode()


def test_a_broken_package_is_told_and_what_is_there_counts(tree: Path) -> None:
    (tree / "bad").mkdir()
    (tree / "bad" / "BUILD").write_text("cc_library(name = 'x')\n1 // 0\n", encoding="utf-8")
    code, printed, said = run("-C", str(tree), "overview")
    assert code == 3
    assert "cc_library 3" in printed
    assert "bad/BUILD:2" in said


def test_overview_and_doctor_count_alike(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": 'local_repository(name = "near", path = "near")',
        "BUILD": 'filegroup(name = "a", srcs = ["x.txt", "@near//:b"])\nfilegroup(name = "b")',
        "near/WORKSPACE": "",
        "near/BUILD": 'filegroup(name = "b", visibility = ["//visibility:public"])',
        "empty/BUILD": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    first, health = (ask(tmp_path, command)[1].splitlines()[0] for command in ("overview", "doctor"))
    assert first == "2 packages, 2 rules, 5 targets, 0 tests, read as Bazel 4.2.3"
    assert health == "3 packages, 3 rules, 7 targets (including 1 package of other repositories): every package loads"


def test_what_is_shipped_comes_before_what_is_for_tests(tmp_path: Path) -> None:
    """And a target counts as shipped although an alias or a test names it; the first question has a path for answer."""
    files = {
        "WORKSPACE": "",
        "BUILD": "cc_library(name = 'far')\ncc_library(name = 'near', deps = ['far'])\ncc_library(name = 'most')\n"
        "cc_binary(name = 'product', deps = ['near'])\nalias(name = 'it', actual = 'product')\n"
        "sh_test(name = 'try', srcs = ['try.sh'], data = ['product'])\n"
        "cc_binary(name = 'bench', testonly = True, deps = ['near', 'most'])\n"
        "cc_binary(name = 'plugin', deps = ['near', 'far'])\nfilegroup(name = 'all', srcs = ['plugin'])\n"
        "cc_library(name = 'a', deps = ['most'])\ncc_library(name = 'b', deps = ['most'])\n"
        "cc_library(name = 'c', deps = ['most'])\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    code, printed, said = run("-C", str(tmp_path), "overview")
    assert code == 0, said
    assert "to build and run: //:product (cc_binary), //:plugin (cc_binary), //:bench (cc_binary)\n" in printed
    assert "why //:near --from //:product\n" in printed  # not //:most, which it does not need


def test_of_targets_with_as_many_dependents_the_one_that_needs_more_is_first(tmp_path: Path) -> None:
    # Found on google/glog: the first by its letters was a header of the configuration.
    files = {
        "WORKSPACE": "",
        "BUILD": "cc_library(name = 'config')\ncc_library(name = 'log', deps = ['config'])\n"
        "cc_library(name = 'user', deps = ['log'])\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert "most depended on: //:log (1), //:config (1)" in ask(tmp_path, "overview")[1]


def test_a_rule_that_names_another_twice_is_one_dependent(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(
        "config_setting(name = 'fast', values = {'compilation_mode': 'opt'})\n"
        "cc_library(name = 'base')\n"
        "cc_library(name = 'other')\n"
        "cc_library(name = 'a', deps = select({':fast': [':base'], '//conditions:default': [':base']}))\n"
        "cc_binary(name = 'b', deps = [':other'], data = [':other', ':base'])\n",
        encoding="utf-8",
    )
    printed = run("-C", str(tmp_path), "overview")[1]
    assert "most depended on: //:base (2), //:other (1)" in printed


def test_an_action_named_as_a_binary_is_nothing_to_run(tmp_path: Path) -> None:
    """A rule of a .bzl file says whether it runs; one that is not on disk says where its outputs go."""
    files = {
        "WORKSPACE": "",
        "defs.bzl": "def _no(ctx):\n  pass\nrun_binary = rule(implementation = _no, attrs = {'tool': attr.label()})\n"
        "my_binary = rule(implementation = _no, executable = True)\n",
        "BUILD": "load(':defs.bzl', 'my_binary', 'run_binary')\n"
        "load('@far//:defs.bzl', 'far_binary', 'far_run_binary')\n"
        "run_binary(name = 'a', tool = ':b')\nmy_binary(name = 'b')\nmy_binary(name = 'c')\n"
        "far_run_binary(name = 'd', tool = ':b', outs = ['x'])\n"
        "far_run_binary(name = 'e', tool = ':b', out_dirs = ['x'])\n"
        "far_binary(name = 'f', out = 'y')\ncc_binary(name = 'lib.so', linkshared = True)\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    rows = csv.DictReader(io.StringIO(run("-C", str(tmp_path), "overview", "--output=csv")[1]))
    entries = {row["name"] for row in rows if row["what"] == "entry"}
    assert entries == {"//:b", "//:c", "//:f", "//:lib.so"}


def test_a_list_that_is_too_long_for_three_lines_says_how_much_is_missing(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("", encoding="utf-8")
    names = [f"a_program_with_a_very_long_name_so_that_a_line_has_one_of_them_{number}" for number in range(5)]
    (tmp_path / "BUILD").write_text("".join(f"cc_binary(name = '{name}')\n" for name in names), encoding="utf-8")
    lines = run("-C", str(tmp_path), "overview")[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("to build and run"))
    shown = " ".join(lines[start : start + 3])
    assert sum(name in shown for name in names) == 3
    assert shown.endswith(" ... 2 more")


@pytest.mark.parametrize("length", range(8, 16))
def test_no_line_ends_inside_of_what_is_listed(length: int, tree: Path) -> None:
    for number in range(12):
        package = tree / f"{'p' * length}{number}"
        package.mkdir()
        (package / "BUILD").write_text("sh_binary(name = 'b', srcs = ['b.sh'])\n")
    printed = run("-C", str(tree), "overview")[1]
    listed = [line for line in printed.splitlines() if not line.startswith(("ask", "  bzlgraph"))]
    assert any("..." in line for line in listed)
    for line in listed:
        assert not line.endswith("...")
        assert line.count("(") == line.count(")")
        assert line.count("...") == line.count(" more")


def test_on_a_narrow_terminal_the_list_is_broken_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bzlgraph.cli.terminal.layout.terminal_columns", lambda _: 60)
    for number in range(12):
        (tree / f"package{number}").mkdir()
        (tree / f"package{number}" / "BUILD").write_text("sh_binary(name = 'program', srcs = ['b.sh'])\n")
    lines = run("-C", str(tree), "overview", "--color=no")[1].splitlines()
    listed = [line for line in lines if line.startswith("  //")]
    assert listed
    assert all(len(line) <= 60 for line in listed)
    assert not any(line.startswith("    ") for line in lines[2:])
