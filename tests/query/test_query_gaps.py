"""What a function cannot know is a gap of the answer, and what a configuration does not take is not in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import open_loader
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.config.workspace import ask, view

FILES = {
    "BUILD": """
load("@absent//:defs.bzl", "mystery")
load("@rules_cc//cc:defs.bzl", "cc_library")

mystery(name = "m")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "unknown", flag_values = {"@absent//:flag": "1"})
filegroup(name = "x", srcs = select({":opt": ["fast.txt"], "//conditions:default": ["slow.txt"]}))
filegroup(name = "y", srcs = select({":unknown": ["perhaps.txt"], "//conditions:default": ["slow.txt"]}))
""",
    "cc/BUILD": """
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(name = "lib")
""",
}


def labels(answer: object) -> list[str]:
    return list(map(str, answer))  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("text", "found", "gap"),
    [
        ("kind('cc_library rule', //:all)", [], "mystery is not on disk: the kind of the rules it creates is unknown"),
        ("kind('source file', //:all)", [], "macro mystery of @absent//:defs.bzl is unknown"),
        ("kind('cc_library rule', //:x)", [], "macro mystery of @absent//:defs.bzl is unknown"),
        ("kind(rule, //cc:all)", ["//cc:lib"], ""),
        (
            "attr(generator_function, '.+', //cc:all)",
            [],
            "@rules_cc//cc:defs.bzl is not on disk: whether its functions",
        ),
        ("loadfiles(//cc:lib)", ["@rules_cc//cc:defs.bzl"], "@rules_cc//cc:defs.bzl is not on disk: the files"),
        ("attr(name, lib, //cc:all)", ["//cc:lib"], ""),
    ],
)
def test_gaps_of_functions(tmp_path: Path, text: str, found: list[str], gap: str) -> None:
    answer = ask(view(tmp_path, FILES), text)
    assert labels(answer) == found
    assert [str(each) for each in answer.gaps if gap and gap in str(each)] or (not gap and not answer.gaps), answer.gaps


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("attr(srcs, fast, //:x)", ("-c", "dbg"), []),
        ("attr(srcs, slow, //:x)", ("-c", "dbg"), ["//:x"]),
        ("attr(srcs, fast, //:x)", ("-c", "opt"), ["//:x"]),
        ("labels(srcs, //:x)", ("-c", "opt"), ["//:fast.txt"]),
        ("attr('$config_dependencies', opt, //:x)", ("-c", "dbg"), ["//:x"]),
    ],
)
def test_only_branches_that_may_be_taken_are_matched(
    tmp_path: Path, text: str, words: tuple[str, ...], found: list[str]
) -> None:
    assert labels(ask(view(tmp_path, FILES, *words), text)) == found


def test_a_branch_that_may_be_taken_is_matched_and_said(tmp_path: Path) -> None:
    answer = ask(view(tmp_path, FILES), "attr(srcs, perhaps, //:y)")
    assert labels(answer) == ["//:y"]
    assert "@absent//:flag is unknown: @absent is not on disk" in [gap.what for gap in answer.gaps]
    assert labels(ask(view(tmp_path, FILES), "labels(srcs, //:y)")) == ["//:perhaps.txt", "//:slow.txt"]


@pytest.mark.parametrize(
    ("version", "pattern", "found"),
    [
        ("4.2.3", "^@other//", ["@other//:x"]),
        ("4.2.3", "^@@other//", []),
        ("7.7.1", "^@other//", []),
        ("7.7.1", "^@@other//", ["@other//:x"]),
        ("7.7.1", "^//:a", ["//:a"]),
        ("", "^@other//", ["@other//:x"]),
        ("", "^@@other//", ["@other//:x"]),
    ],
)
def test_filter_sees_labels_as_the_version_writes_them(
    tmp_path: Path, version: str, pattern: str, found: list[str]
) -> None:
    files = {
        "WORKSPACE": 'local_repository(name = "other", path = "other")',
        "BUILD": 'filegroup(name = "a", srcs = ["@other//:x"])',
        "other/WORKSPACE": "",
        "other/BUILD": 'filegroup(name = "x")',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    loader = open_loader(open_workspace(tmp_path, Options(bazel_version=version, jobs=1)))
    settings = QuerySettings(facts=loader.workspace.facts)
    answer = query(f"filter('{pattern}', deps(//:a))", Environment(BuildGraph(loader), settings))
    assert labels(answer) == found


def test_what_only_an_unknown_rule_names_need_not_be_there(tmp_path: Path) -> None:
    unknown = """
load("@absent//:defs.bzl", "mystery")

mystery(
    name = "m",
    deps = ["//nowhere:possible"],
    settings = {"//command_line_option:cpu": "k8", "//conditions:default": "x"},
)
"""
    answer = ask(view(tmp_path, {"BUILD": unknown}), "deps(//:m)")
    assert not answer.problems
    assert answer.gaps[0].what.startswith("the rule class or macro mystery")
    assert labels(answer) == ["//:m"]
    (tmp_path / "BUILD").write_text(unknown + 'filegroup(name = "g", srcs = [":m", "//nowhere:possible"])\n')
    (problem,) = ask(view(tmp_path, {}), "deps(//:g)").problems
    assert problem.message.startswith("//nowhere:possible: no such package '//nowhere'")


def test_what_is_in_an_answer_only_by_an_unknown_value_is_possible(tmp_path: Path) -> None:
    text = """
load("@absent//:defs.bzl", "if_cuda")

filegroup(name = "top", srcs = [":a"] + if_cuda([":b", ":c"]))
filegroup(name = "a", srcs = [":b"])
filegroup(name = "b")
filegroup(name = "c", srcs = [":d"])
filegroup(name = "d")
"""
    seen = view(tmp_path, {"BUILD": text})
    for asked, possible in [
        ("deps(//:top)", ["//:c", "//:d"]),
        ("deps(//:top) - //:c", ["//:d"]),
        ("//...", []),
        ("rdeps(//..., //:d)", ["//:top"]),
        ("somepath(//:top, //:d)", ["//:c", "//:d", "//:top"]),
    ]:
        assert sorted(map(str, ask(seen, asked).possible)) == possible, asked


def test_executables_are_what_runs_but_tests(tmp_path: Path) -> None:
    rules = "".join(f'{rule}(name = "{rule}")\n' for rule in ("sh_binary", "sh_library", "sh_test", "filegroup"))
    tool = (
        'genrule(name = "g", outs = ["o"], cmd = "", executable = True)\ngenrule(name = "h", outs = ["p"], cmd = "")\n'
    )
    answer = ask(view(tmp_path, {"BUILD": rules + tool}), "executables(//:all)")
    assert labels(answer) == ["//:g", "//:sh_binary"]


ELSEWHERE = {
    "top/BUILD": "filegroup(name = 'top', srcs = ['//end'], visibility = ['//visibility:public'])",
    "end/BUILD": "cc_library(name = 'end', visibility = ['//visibility:public'])",
    "side/BUILD": """
load("@absent//:defs.bzl", "mystery")

mystery(name = "m")
filegroup(name = "side")
""",
    "empty/BUILD": """
load("@absent//:defs.bzl", "mystery")

mystery()
""",
}
"""What the unknown macro really makes may depend on //end, or be needed by //side."""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("rdeps(//..., //end)", ["//end:end", "//top:top"]),
        ("rdeps(//side + //top, //end)", ["//end:end", "//top:top"]),
        ("rdeps_by(srcs, //side + //top, //end)", ["//end:end", "//top:top"]),
        ("allrdeps(//end)", ["//end:end", "//top:top"]),
        ("allpaths(//side, //end)", []),
        ("somepath(//side, //end)", []),
        ("same_pkg_direct_rdeps(//side)", []),
        ("kind(cc_library, //side + //end)", ["//end:end"]),
        ("kind(cc_library, //empty/... + //end)", ["//end:end"]),
        ("//end intersect deps(//side)", []),
    ],
)
@pytest.mark.parametrize("configured", [False, True])
def test_what_was_looked_into_and_is_not_in_the_answer(
    tmp_path: Path, text: str, found: list[str], configured: bool
) -> None:
    graph = view(tmp_path, ELSEWHERE)
    answer = ask(graph if configured else graph.base, text)
    assert labels(answer) == found
    assert [each for each in answer.gaps if "mystery" in each.what], answer.gaps


@pytest.mark.parametrize("text", ["rdeps(//..., //end)", "somepath(//top, //end)", "deps(//top)"])
def test_the_tools_of_bazel_hide_no_dependent_of_the_checkout(tmp_path: Path, text: str) -> None:
    files = {name: ELSEWHERE[name] for name in ("top/BUILD", "end/BUILD")}
    answer = ask(view(tmp_path, files), text)
    assert {each.repository for each in answer.gaps} == (
        {"bazel_tools", "local_config_cc"} if "deps(//top" in text else set()
    )
