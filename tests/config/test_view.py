"""A graph as a configuration sees it, and queries in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import parse
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.config.configured.view import ConfiguredView, view_for
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.why.ask import why
from tests.config.workspace import ask, view

FILES = {
    "rules.bzl": """
def _nothing(ctx):
    return []

uses = rule(implementation = _nothing, attrs = {
    "deps": attr.label_list(),
    "tools": attr.label_list(cfg = "exec"),
})
""",
    "BUILD": """
load(":rules.bzl", "uses")

config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "unknown", flag_values = {"@absent//:flag": "1"})
filegroup(name = "fast")
filegroup(name = "slow")
filegroup(name = "perhaps")
filegroup(name = "by_mode", srcs = select({":opt": [":fast"], "//conditions:default": [":slow"]}))
filegroup(name = "by_unknown", srcs = select({":unknown": [":perhaps"], "//conditions:default": [":slow"]}))
filegroup(name = "by_nothing", srcs = select({":opt": [":fast"]}, no_match_error = "give -c opt"))
uses(name = "both", deps = [":by_mode"], tools = [":by_mode"])
uses(name = "only_tools", tools = [":by_mode"])
""",
}


def labels(answer: object) -> list[str]:
    return [str(label).removeprefix("//:") for label in answer]  # type: ignore[attr-defined]


def test_only_branches_that_hold_are_followed(tmp_path: Path) -> None:
    assert labels(ask(view(tmp_path, FILES), "deps(//:by_mode)")) == ["by_mode", "opt", "slow"]
    assert labels(ask(view(tmp_path, FILES, "-c", "opt"), "deps(//:by_mode)")) == ["by_mode", "fast", "opt"]


def test_tools_are_built_in_their_own_configuration(tmp_path: Path) -> None:
    seen = view(tmp_path, FILES)
    assert labels(ask(seen, "deps(//:only_tools)")) == ["by_mode", "fast", "only_tools", "opt"]
    assert labels(ask(seen, "deps(//:both)")) == ["both", "by_mode", "fast", "opt", "slow"]
    pairs = {(str(seen.labels[n]), seen.is_tool(n)) for n in seen.closure([seen.node(parse("//:both", "", ""))])}
    assert {("//:by_mode", 0), ("//:by_mode", 1), ("//:slow", 0), ("//:fast", 1)} <= pairs
    assert ("//:fast", 0) not in pairs


def test_a_label_means_both_configurations(tmp_path: Path) -> None:
    seen = view(tmp_path, FILES)
    assert labels(ask(seen, "deps(//:only_tools) except //:by_mode")) == ["fast", "only_tools", "opt"]
    assert labels(ask(seen, "rdeps(//:both, //:fast)")) == ["both", "by_mode", "fast"]
    assert labels(ask(seen, "somepath(//:both, //:fast)")) == ["both", "by_mode", "fast"]
    target, source = (seen.resolve(parse(text, "", "")) for text in ("//:fast", "//:only_tools"))
    assert [str(step.node.label) for step in why(seen, target, [source]).steps] == [
        "//:only_tools",
        "//:by_mode",
        "//:fast",
    ]


def test_what_may_hold_is_followed_and_told(tmp_path: Path) -> None:
    seen = view(tmp_path, FILES)
    answer = ask(seen, "deps(//:by_unknown)")
    assert labels(answer) == ["by_unknown", "perhaps", "slow", "unknown", "@absent//:flag"]
    assert "@absent//:flag is unknown: @absent is not on disk" in [gap.what for gap in answer.gaps]
    number = seen.node(parse("//:by_unknown", "", ""))
    columns = seen.columns
    flags = {str(seen.labels[columns.edge_target[e]]): columns.edge_flags[e] for e in seen.edges_from(number)}
    assert flags["//:perhaps"] & EdgeFlag.POSSIBLE
    assert not flags["//:unknown"] & EdgeFlag.POSSIBLE


def test_what_bazel_refuses_is_a_problem(tmp_path: Path) -> None:
    answer = ask(view(tmp_path, FILES), "deps(//:by_nothing)")
    assert [problem.message for problem in answer.problems] == [
        "//:by_nothing: attribute srcs: no condition holds: give -c opt"
    ]
    assert not ask(view(tmp_path, FILES, "-c", "opt"), "deps(//:by_nothing)").problems


NONE = {
    "rules.bzl": """
def _nothing(ctx):
    return []

needs = rule(implementation = _nothing, attrs = {"dep": attr.label(mandatory = True)})
may = rule(implementation = _nothing, attrs = {"dep": attr.label()})
""",
    "BUILD": """
load(":rules.bzl", "may", "needs")

config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "file")
alias(name = "other", actual = select({":opt": None, "//conditions:default": ":file"}))
needs(name = "needs", dep = select({":opt": None, "//conditions:default": ":file"}))
may(name = "may", dep = select({":opt": None, "//conditions:default": ":file"}))
""",
}


@pytest.mark.parametrize(
    ("version", "words", "refused"),
    [
        ("2.1.0", ["-c", "opt"], ["//:other"]),  # where that Bazel ends with an internal error
        ("4.2.3", ["-c", "opt"], ["//:other", "//:needs"]),
        ("4.2.3", ["-c", "dbg"], []),
    ],
)
def test_a_mandatory_attribute_is_not_none(tmp_path: Path, version: str, words: list[str], refused: list[str]) -> None:
    seen = view(tmp_path, NONE, *words, version=version)
    roots = [seen.node(parse(f"//:{name}", "", "")) for name in ("other", "needs", "may")]
    messages = [problem.message for problem in seen.problems_of(seen.closure(roots))]
    assert [message.partition(": ")[0] for message in messages] == refused
    assert all("chooses None" in message for message in messages)


def test_attributes_have_one_number_whoever_names_them_first(tmp_path: Path) -> None:
    rules = """
def _nothing(ctx):
    return []

names = rule(implementation = _nothing, attrs = {"build_setting_default": attr.label()})
"""
    later = 'load(":rules.bzl", "names")\nnames(name = "x", build_setting_default = "//:fast")\n'
    flag = 'label_flag(name = "flag", build_setting_default = ":fast")\n'
    seen = view(
        tmp_path,
        {
            "BUILD": flag + FILES["BUILD"],
            "rules.bzl": FILES["rules.bzl"],
            "later/BUILD": later,
            "later/rules.bzl": rules,
        },
    )
    assert labels(ask(seen, "deps(//:flag)")) == ["fast", "flag"]
    assert labels(ask(seen, "deps(//later:x)")) == ["fast", "//later:x"]
    names = list(seen.base.columns.attributes)
    assert names.count("build_setting_default") == 1


def test_an_answer_is_shown_with_one_node_for_each_label(tmp_path: Path) -> None:
    answer = ask(view(tmp_path, FILES), "deps(//:both)")
    graph = answer.graph
    number = next(n for n in answer.nodes if str(graph.labels[n]) == "//:by_mode")
    ends = {str(graph.labels[end]) for end in graph.ends_of(number)}
    assert ends == {"//:opt", "//:slow", "//:fast"}


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("--//:missing=1", "--//:missing: //:missing does not exist"),
        ("--//:fast=1", "--//:fast: //:fast is not a build setting (filegroup rule)"),
        ("--//:level=high", "--//:level=high: 'high' is not an int"),
        ("--//:level=007", "--//:level=007: '007' is not an int"),
        ("--//:fixed=1", "--//:fixed: //:fixed cannot be set on the command line"),
        ("--//:board=C", "--//:board=C: 'C' is not one of A, B"),
        ("--//:word", "--//:word needs a value"),
        ("--no//:word", "--//:word needs a value"),
        ("--//:flags.bzl=1", "--//:flags.bzl: //:flags.bzl is not a build setting (source file)"),
        ("--platforms=//:phones", "--platforms: //:phones does not exist"),
        ("--host_platform=//nowhere:phone", "--host_platform: //nowhere:phone does not exist"),
        ("--platforms=//:fast,//:phone", "--platforms: //:fast is not a platform (filegroup rule)"),
        ("--extra_toolchains=//:missing", "--extra_toolchains: //:missing does not exist"),
        ("--extra_toolchains=//nowhere/...", "--extra_toolchains: //nowhere:all does not exist"),
        ("--extra_execution_platforms=//:phones", "--extra_execution_platforms: //:phones does not exist"),
    ],
)
def test_flags_that_are_none(tmp_path: Path, word: str, message: str) -> None:
    flags = """
load(":flags.bzl", "int_flag", "int_setting", "string_flag")
load("@bazel_skylib//rules:common_settings.bzl", board_flag = "string_flag")
exports_files(["flags.bzl"])
board_flag(name = "board", build_setting_default = "A", values = ["A", "B"])
string_flag(name = "word", build_setting_default = "")
int_flag(name = "level", build_setting_default = 1)
int_setting(name = "fixed", build_setting_default = 1)
platform(name = "phone")
"""
    rules = """
def _nothing(ctx):
    return []

int_flag = rule(implementation = _nothing, build_setting = config.int(flag = True))
int_setting = rule(implementation = _nothing, build_setting = config.int())
string_flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
"""
    base = view(tmp_path, {**FILES, "BUILD": flags + FILES["BUILD"], "flags.bzl": rules}).base
    workspace = base.source.workspace  # type: ignore[union-attr]
    with pytest.raises(UsageProblem) as refused:
        view_for(base, workspace, ConfigArguments((word,)))
    assert refused.value.diagnostic.message == message
    if word == "--platforms=//:phones":
        assert refused.value.diagnostic.hint == "did you mean --platforms=//:phone?"


@pytest.mark.parametrize("platform", ["//:phone", "//:small", "@elsewhere//:phone", "@local_config_platform//:host"])
def test_platforms_that_are_some_or_may_be(tmp_path: Path, platform: str) -> None:
    rules = 'platform(name = "phone")\nalias(name = "small", actual = "phone")\n'
    base = view(tmp_path, {**FILES, "BUILD": rules + FILES["BUILD"]}).base
    workspace = base.source.workspace  # type: ignore[union-attr]
    view_for(base, workspace, ConfigArguments((f"--platforms={platform}",)))


def test_a_flag_of_a_repository_that_is_not_on_disk_may_be_one(tmp_path: Path) -> None:
    base = view(tmp_path, FILES).base
    workspace = base.source.workspace  # type: ignore[union-attr]
    assert isinstance(view_for(base, workspace, ConfigArguments(("--@absent//:x=1",))), ConfiguredView)
    assert view_for(base, workspace, ConfigArguments()) is base


def test_why_counts_labels_as_query_prints_them(tmp_path: Path) -> None:
    seen = view(tmp_path, FILES)
    target, source = (seen.resolve(parse(text, "", "")) for text in ("//:opt", "//:both"))
    answer = why(seen, target, [source])
    assert answer.dependencies == len(labels(ask(seen, "deps(//:both) - //:both"))) == 4
    assert answer.needing == len(labels(ask(seen, "rdeps(//:both, //:opt) - //:both - //:opt"))) == 1
    assert answer.configuration == "-c fastbuild"


@pytest.mark.parametrize(
    "word",
    [
        "--extra_toolchains=//:tool,@absent//:x,@absent//...",
        "--extra_toolchains=//...",
        "--extra_execution_platforms=//:all",
        "--crosstool_top=//:missing",
        "--extra_toolchains=//:fast",
        "--crosstool_top=@absent//:x",
        "--grte_top=default",
    ],
)
def test_labels_of_options_that_are_some_or_may_be(tmp_path: Path, word: str) -> None:
    rules = 'platform(name = "phone")\ntoolchain_type(name = "t")\n'
    rules += 'toolchain(name = "tool", toolchain = ":fast", toolchain_type = ":t")\n'
    base = view(tmp_path, {**FILES, "BUILD": rules + FILES["BUILD"]}).base
    workspace = base.source.workspace  # type: ignore[union-attr]
    assert isinstance(view_for(base, workspace, ConfigArguments((word,))), ConfiguredView)


@pytest.mark.parametrize(("version", "told"), [("7.7.1", False), ("8.0.1", True), ("9.0.0", True)])
def test_flags_of_a_project_are_a_gap_since_bazel_8(tmp_path: Path, version: str, told: bool) -> None:
    rule = 'filegroup(name = "x")'
    files = {"MODULE.bazel": "", "a/PROJECT.scl": "", "a/b/BUILD": rule, "c/BUILD": rule}
    seen = view(tmp_path, files, version=version)
    gaps = [gap.what for gap in ask(seen, "deps(//a/b:x)").gaps if "PROJECT" in gap.what]
    assert gaps == (["a/PROJECT.scl is not read"] if told else [])
    assert not [gap for gap in ask(seen, "deps(//c:x)").gaps if "PROJECT" in gap.what]
