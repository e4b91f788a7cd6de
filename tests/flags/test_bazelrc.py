"""`flags bazelrc`: groups, what is overridden, text."""

from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.flags_formats.bazelrc_text import STRIKE, text
from bzlgraph.flags.bazelrc_table import COLUMNS, BazelrcView, bazelrc_view, rows
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

RC = """\
startup --host_jvm_args=-Xmx2g
build -c dbg --copt=-g
build -c opt
build --define=a=1 --config=on
try-import %workspace%/user.rc
build:on --define=b=1
build:x --define=a=2 -c fastbuild --config=y --copt="-D X"
build:y --define=a=3 --nosuch=1
test --test_output=errors
test:x --test_output=all
"""


def view(folder: Path, config: str = "", rc: str = RC) -> BazelrcView:
    (folder / "WORKSPACE").touch()
    (folder / ".bazelrc").write_text(rc)
    return bazelrc_view(open_workspace(folder, Options()), None, config)


def found(shown: BazelrcView, *columns: str) -> list[tuple[object, ...]]:
    at = [COLUMNS.index(each) for each in columns]
    return [tuple(row[i] for i in at) for row in rows(shown)]


def test_rows_of_one_config(tmp_path: Path) -> None:
    assert found(view(tmp_path, "x"), "config", "command", "order", "name", "value", "file", "line", "via") == [
        ("", "build", 1, "--compilation_mode", "dbg", ".bazelrc", 2, ""),
        ("", "build", 2, "--copt", "-g", ".bazelrc", 2, ""),
        ("", "build", 3, "--compilation_mode", "opt", ".bazelrc", 3, ""),
        ("", "build", 4, "--define", "a=1", ".bazelrc", 4, ""),
        ("", "build", 5, "--config", "on", ".bazelrc", 4, ""),
        ("", "build", 6, "--define", "b=1", ".bazelrc", 6, "config on"),
        ("", "test", 1, "--test_output", "errors", ".bazelrc", 9, ""),
        ("", "startup", 1, "--host_jvm_args", "-Xmx2g", ".bazelrc", 1, ""),
        ("x", "build", 1, "--define", "a=2", ".bazelrc", 7, "config x"),
        ("x", "build", 2, "--compilation_mode", "fastbuild", ".bazelrc", 7, "config x"),
        ("x", "build", 3, "--config", "y", ".bazelrc", 7, "config x"),
        ("x", "build", 4, "--define", "a=3", ".bazelrc", 8, "config x > config y"),
        ("x", "build", 5, "--nosuch", "1", ".bazelrc", 8, "config x > config y"),
        ("x", "build", 6, "--copt", "-D X", ".bazelrc", 7, "config x"),
        ("x", "test", 1, "--test_output", "all", ".bazelrc", 10, "config x"),
    ]


def test_the_option_is_as_written_its_name_and_value_as_bazel_means_them(tmp_path: Path) -> None:
    shown = view(tmp_path, rc="build -c dbg --nostamp --define a=1\n")
    assert found(shown, "option", "name", "value") == [
        ("-c dbg", "--compilation_mode", "dbg"),
        ("--nostamp", "--stamp", "false"),
        ("--define a=1", "--define", "a=1"),
    ]


def test_what_is_overridden_and_by_what(tmp_path: Path) -> None:
    overridden = [row for row in found(view(tmp_path, "x"), "config", "name", "value", "overridden_by") if row[3]]
    assert overridden == [
        ("", "--compilation_mode", "dbg", ".bazelrc:7:22 (config x)"),
        ("", "--compilation_mode", "opt", ".bazelrc:7:22 (config x)"),
        ("", "--define", "a=1", ".bazelrc:8:9 (config x > config y)"),
        ("", "--test_output", "errors", ".bazelrc:10:8 (config x)"),
        ("x", "--define", "a=2", ".bazelrc:8:9 (config x > config y)"),
    ]


def test_without_a_config_configs_do_not_override_what_is_always_on(tmp_path: Path) -> None:
    overridden = [row for row in found(view(tmp_path), "config", "name", "value", "overridden_by") if row[3]]
    assert overridden == [
        ("", "--compilation_mode", "dbg", ".bazelrc:3:7"),
        ("x", "--define", "a=2", ".bazelrc:8:9 (config x > config y)"),
    ]


def test_all_configs_are_listed_also_those_of_test_only(tmp_path: Path) -> None:
    shown = view(tmp_path, rc="test:t --test_output=all\nbuild:b --config=t\nbuild:c --copt=x")
    assert (shown.configs, list(shown.broken)) == (("t", "c"), ["b"])
    assert [each.headline for each in shown.problems] == [".bazelrc:2:9: error: --config=t is not defined in .bazelrc"]


def test_what_bazel_refuses_is_a_row_and_a_problem(tmp_path: Path) -> None:
    shown = view(tmp_path)
    assert [row for row in found(shown, "name", "problem") if row[1]] == [
        ("--nosuch", "Bazel has no such option"),
        ("--nosuch", "Bazel has no such option"),
    ]
    assert [each.headline for each in shown.problems] == [
        ".bazelrc:8:22: warning: --nosuch=1: Bazel has no such option"
    ]


def test_text_of_a_config(tmp_path: Path) -> None:
    lines = text(view(tmp_path, "x")).splitlines()
    assert lines[:4] == [
        "--config=x: 6 options, 1 of them overridden",
        "",
        "read      .bazelrc (workspace)",
        "not read  user.rc (try-import of .bazelrc:5)",
    ]
    at = lines.index("build --config=x")
    assert [" ".join(line.split()) for line in lines[at + 1 : at + 7]] == [
        "├ --define=a=2 .bazelrc:7 overridden: --define=a=3 (.bazelrc:8)",
        "├ -c fastbuild .bazelrc:7",
        "├ --config=y .bazelrc:7",
        "│ ├ --define=a=3 .bazelrc:8",
        "│ └ --nosuch=1 .bazelrc:8 Bazel has no such option",
        '└ --copt="-D X" .bazelrc:7',
    ]


def test_colours_strike_out_but_words_stay(tmp_path: Path) -> None:
    shown = view(tmp_path, "x")
    plain, colored = text(shown), text(shown, colored=True)
    assert STRIKE not in plain
    assert colored.count(STRIKE) == plain.count("overridden: ") == 5


def test_text_of_all(tmp_path: Path) -> None:
    lines = text(view(tmp_path)).splitlines()
    assert lines[0] == "7 options always, 3 configs in .bazelrc"
    at = lines.index("configs")
    assert lines[at + 1 :] == [
        "  on     1 option  .bazelrc:6",
        "  x     6 options  .bazelrc:7  takes in y  (for build, test)",
        "  y     2 options  .bazelrc:8",
    ]


def test_a_tree_without_rc_files(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    assert text(bazelrc_view(open_workspace(tmp_path, Options()))) == "no rc file: all options have Bazel's defaults"


def test_an_unknown_config_is_refused_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem) as caught:
        view(tmp_path, "onn")
    assert caught.value.diagnostic.hint == "did you mean on?"


def test_a_cyclic_config_is_refused_when_asked_for_and_told_otherwise(tmp_path: Path) -> None:
    rc = "build:a --config=b\nbuild:b --config=a\nbuild:c --copt=x"
    with pytest.raises(UsageProblem, match="expands to itself: a > b > a"):
        view(tmp_path, "a", rc)
    shown = view(tmp_path, "", rc)
    assert shown.configs == ("c",)
    assert len(shown.problems) == 2
