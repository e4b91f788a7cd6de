"""``deps`` and ``rdeps``: trees in the terminal, the same as data, and what they leave out is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.in_process import run

TOP = """\
config_setting(name = "win", values = {"cpu": "x64_windows"})
filegroup(name = "top", srcs = [":mid", ":low"] + select({":win": [":goal"], "//conditions:default": []}))
filegroup(name = "mid", srcs = [":low"])
filegroup(name = "low", srcs = [":base", "base.txt"])
filegroup(name = "goal", srcs = ["//lib:x0"])
filegroup(name = "base", srcs = ["//lib:x%d" % i for i in range(20)])
genrule(name = "made", outs = ["made.txt"], cmd = "", srcs = [":base"])
filegroup(name = "reads", srcs = ["made.txt"])
filegroup(name = "round", srcs = [":about"])
filegroup(name = "about", srcs = [":round"])
exports_files(["base.txt"])
"""
LIB = """\
[filegroup(name = "x%d" % i, visibility = ["//visibility:public"]) for i in range(20)]
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name, text in {"WORKSPACE": "", "a/BUILD": TOP, "lib/BUILD": LIB}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def lines(workspace: Path, *words: str) -> list[str]:
    code, out, err = run(workspace, *words)
    assert code == 0, err
    return out.splitlines()


def test_what_is_not_on_disk_is_not_said_to_need_nothing(workspace: Path) -> None:
    (workspace / "WORKSPACE").write_text(
        "load('@bazel_tools//tools/build_defs/repo:http.bzl', 'http_archive')\nhttp_archive(name = 'far', url = 'x')\n"
    )
    assert lines(workspace, "deps", "@far//:x")[0] == "What @far//:x depends on is not known."
    _, _, err = run(workspace, "query", "deps(@far//:x)")
    assert "note: the answer is only the target itself: what it depends on is not known (" in err


def test_a_target_is_followed_where_it_hangs_nearest_to_the_root(workspace: Path) -> None:
    assert lines(workspace, "deps", "//a:top", "--depth=2") == [
        "//a:top depends on 26 targets.",
        "",
        "//a:top  filegroup  a/BUILD:2",
        " └ //a  3 targets",
        "    ├ srcs  //a:goal  filegroup  a/BUILD:5  when //a:win",
        "    │  └ srcs  //lib:x0  filegroup  lib/BUILD:1",
        "    ├ srcs  //a:low  filegroup  a/BUILD:4",
        "    │  └ //a  2 targets",
        "    │     ├ srcs  //a:base  filegroup  a/BUILD:6",
        "    │     └ srcs  //a:base.txt  source file",
        "    └ srcs  //a:mid  filegroup  a/BUILD:3",
        "       └ srcs  //a:low  filegroup  a/BUILD:4  (*)",
        "",
        "Deeper or in large groups: 19 more (--depth=3, --all).",
        "Conditions, visibility and Bazel's own tools: 1 more (--all).",
    ]


def test_what_possible_means_is_told_once(workspace: Path) -> None:
    """Where a rule set is missing, every line is possible: a reason on each of them hid the labels."""
    text = 'load("@rules_go//go:def.bzl", "go_library")\n'
    text += "".join(f'go_library(name = "g{i}", deps = ["//lib:x0"])\n' for i in range(3))
    (workspace / "g").mkdir()
    (workspace / "g" / "BUILD").write_text(text, encoding="utf-8")
    for words in (["rdeps", "//lib:x0", "--depth=1"], ["why", "//lib:x0"]):
        code, out, err = run(workspace, *words)
        assert code == 0, err
        assert " ├ deps  //g:g0  go_library  g/BUILD:2  (possible)\n" in out
        assert out.count("the rule's definition is not on disk") == 1
        assert "\n(possible): the rule's definition is not on disk.\n" in out


def test_what_is_shown_and_what_is_not_add_up(workspace: Path) -> None:
    asked = len(lines(workspace, "query", "deps(//a:top) - //a:top"))
    for depth in "1", "2", "3", "9":
        told = answer(workspace, "deps", "//a:top", f"--depth={depth}")
        assert told["reached"] == asked
        assert told["shown"] == len({each["label"] for each in nodes(told) if each["label"] != "//a:top"})
        assert told["shown"] <= told["followed"] <= told["reached"]
    whole = answer(workspace, "deps", "//a:top", "--depth=9", "--all")
    assert whole["shown"] == whole["followed"] == whole["reached"] == asked


def answer(workspace: Path, *words: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads("\n".join(lines(workspace, *words, "--output=json")))
    return told


def nodes(told: dict[str, Any]) -> list[dict[str, Any]]:
    found, waiting = [], list(told["roots"])
    for each in waiting:
        found.append(each["node"])
        waiting += [below for group in (each["below"] or {"groups": []})["groups"] for below in group["shown"]]
    return found


def test_a_large_group_is_cut_and_all_shows_it(workspace: Path) -> None:
    shown = lines(workspace, "deps", "//a:base")
    assert shown[3:9] == [
        " └ //lib  20 targets",
        "    ├ srcs  //lib:x0  filegroup  lib/BUILD:1",
        "    ├ srcs  //lib:x1  filegroup  lib/BUILD:1",
        "    ├ srcs  //lib:x10  filegroup  lib/BUILD:1",
        "    ├ srcs  //lib:x11  filegroup  lib/BUILD:1",
        "    └ and 16 more",
    ]
    assert len(lines(workspace, "deps", "//a:base", "--all")) == len(shown) - 3 + 16  # no blank line, no remark
    assert len(nodes(answer(workspace, "deps", "//a:base"))) == 21


def test_dependents_hang_below_what_they_name(workspace: Path) -> None:
    assert lines(workspace, "rdeps", "//a:base", "--depth=2") == [
        "6 targets among the dependencies of //... depend on //a:base.",
        "",
        "//a:base  filegroup  a/BUILD:6",
        " └ //a  2 targets",
        "    ├ srcs  //a:low  filegroup  a/BUILD:4",
        "    │  └ //a  2 targets",
        "    │     ├ srcs  //a:mid  filegroup  a/BUILD:3",
        "    │     └ srcs  //a:top  filegroup  a/BUILD:2",
        "    └ srcs  //a:made  genrule  a/BUILD:7",
        "       └ generated by it  //a:made.txt  generated file",
        "",
        "Deeper or in large groups: 1 more (--depth=3, --all).",
    ]
    assert lines(workspace, "rdeps", "//a:base", "--from=//a:mid")[0] == (
        "2 targets among the dependencies of //a:mid depend on //a:base."
    )
    assert " └ srcs  //a:made.txt  generated file" in lines(workspace, "deps", "//a:reads")
    assert "    └ generated by  //a:made  genrule  a/BUILD:7" in lines(workspace, "deps", "//a:reads")


def test_nobody_depends_on_it(workspace: Path) -> None:
    assert lines(workspace, "rdeps", "//a:top") == [
        "0 targets among the dependencies of //... depend on //a:top.",
        "",
        "//a:top  filegroup  a/BUILD:2",
    ]


@pytest.mark.parametrize("words", [("rdeps", "//a:BUILD"), ("why", "//a:BUILD")])
def test_of_a_build_file_it_is_said_what_to_ask_instead(workspace: Path, words: tuple[str, ...]) -> None:
    for _ in range(2):  # the second one is answered from the kept graph
        code, out, err = run(workspace, *words)
        assert "What depends on the targets that //a:BUILD declares: bzlgraph rdeps 'siblings(//a:BUILD)'." in out
        assert "no target matches" not in err, f"{code}: what was asked has a target"
    assert lines(workspace, "rdeps", "siblings(//lib:BUILD)")[0].endswith("depend on 21 targets.")


def test_a_configuration_leaves_out_what_does_not_hold(workspace: Path) -> None:
    assert not any("//a:goal" in line for line in lines(workspace, "deps", "//a:top", "-c", "opt"))
    shown = lines(workspace, "deps", "//a:top", "--cpu=x64_windows")
    assert shown[0].endswith("(with --cpu=x64_windows).")
    assert any("//a:goal" in line for line in shown)


def test_each_target_of_an_expression_is_a_root(workspace: Path) -> None:
    shown = lines(workspace, "deps", "//a:mid + //a:low")
    assert shown[0] == "2 targets depend on 22 targets."
    assert "//a:mid  filegroup  a/BUILD:3" in shown
    assert "//a:low  filegroup  a/BUILD:4" in shown
    assert " └ srcs  //a:low  filegroup  a/BUILD:4  (*)" in shown


def test_a_cycle_ends(workspace: Path) -> None:
    code, out, _ = run(workspace, "deps", "//a:round", "--depth=50", "-k")
    assert code in (0, 3)
    assert out.splitlines()[2:5] == [
        "//a:round  filegroup  a/BUILD:9",
        " └ srcs  //a:about  filegroup  a/BUILD:10",
        "    └ srcs  //a:round  filegroup  a/BUILD:9  (*)",
    ]


def test_rows_have_a_line_each(workspace: Path) -> None:
    header, first, *rest = lines(workspace, "deps", "//a:mid", "--depth=1", "--output=csv")
    assert header == "step,above,attribute,label,kind,location,when,flags,repeated"
    assert first.startswith("0,,,//a:mid,filegroup rule,a/BUILD:3")
    assert rest == ["1,//a:mid,srcs,//a:low,filegroup rule,a/BUILD:4,,,false"]


def test_what_does_not_exist_is_refused_with_the_nearest(workspace: Path) -> None:
    code, out, err = run(workspace, "deps", "//a:topp")
    assert (code, out) == (7, "")
    assert "//a:top" in err
    assert run(workspace, "rdeps", "//a:top", "--depth=101")[0] == 2
