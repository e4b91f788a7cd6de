"""flags/trace: one name from the question to the dependencies, forwards and backwards."""

from __future__ import annotations

from pathlib import Path

import pytest

import bzlgraph
from bzlgraph import Workspace
from bzlgraph.base.errors import LoadProblem
from bzlgraph.export.flags_formats.results import TraceResult
from tests.flags.flags_workspace import opened, written


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return opened(tmp_path_factory.mktemp("flags"))


def told(workspace: Workspace, name: str) -> TraceResult:
    return workspace.flags(name)


def words(result: TraceResult) -> dict[str, list[str]]:
    frame = result.to_frame()
    return {step: list(dict.fromkeys(rows.name)) for step, rows in frame.groupby("step", sort=False)}


def test_a_define_is_followed_both_ways(workspace: Workspace) -> None:
    found = words(told(workspace, "--define=fast"))
    assert found["asked"] == ["NEED_FAST"]
    assert found["written"] == ["NEED_FAST"]
    assert found["set by"] == ["build:fast", "build:slow", "build:best"]
    assert found["read by"] == ["//:fast_and_shiny", "//:with_fast"]
    assert found["chooses"] == ["//:one", "//:two", "//:three"]
    assert found["adds"] == ["//:quick"]


def test_a_config_sets_what_the_configs_in_it_set(workspace: Workspace) -> None:
    result = told(workspace, "best")
    frame = result.to_frame()
    assert list(frame[frame.step == "sets"].detail) == ["--config=fast", "-c opt", "--define fast=true"]
    assert [str(row.label) for row in result.trace.read_by] == ["//:opt", "//:with_fast"]


def test_a_variable_goes_on_with_what_its_answer_writes(workspace: Workspace) -> None:
    found = words(told(workspace, "NEED_FAST"))
    assert found["sets"] == ["build:fast"]
    assert found["read by"] == ["//:with_fast", "//:fast_and_shiny"]


def test_settings_that_want_more_and_those_that_are_turned_off(workspace: Workspace) -> None:
    best = told(workspace, "best").trace
    assert [(str(row.label), more) for row, more in best.partly] == [("//:fast_and_shiny", ("--//:shiny=true",))]
    assert "//:fast_and_shiny  config_setting" in str(told(workspace, "best"))
    slow = told(workspace, "slow").trace
    assert (slow.read_by, [str(row.label) for row in slow.turned_off]) == ((), ["//:fast_and_shiny", "//:with_fast"])
    assert "turns off   //:with_fast" in str(told(workspace, "slow"))


@pytest.mark.parametrize("value", ["", "=true", "=True", "=1"])
def test_a_boolean_has_many_words(tmp_path: Path, value: str) -> None:
    workspace = opened(tmp_path)
    with (tmp_path / ".bazelrc").open("a") as rc:
        rc.write(f"build:glossy --//:shiny{value}\n")
    trace = told(workspace, "glossy").trace
    assert [str(row.label) for row in trace.read_by] == ["//:is_shiny"]
    assert [more for _, more in trace.partly] == [("--define=fast=true",)]


def test_files_that_name_a_variable(workspace: Workspace) -> None:
    assert told(workspace, "NEED_FAST").trace.named_in == (("gpu_configure.bzl", 2, '_FAST = "NEED_FAST"'),)


def test_a_value_with_spaces_is_in_quotes(tmp_path: Path) -> None:
    workspace = opened(tmp_path)
    with (tmp_path / ".bazelrc").open("a") as rc:
        rc.write('build:stamped --stamp --workspace_status_command="make status --fast"\n')
    assert 'build:stamped --workspace_status_command="make status --fast"' in str(told(workspace, "stamped"))


def test_lines_that_read_a_define(tmp_path: Path) -> None:
    workspace = opened(tmp_path)
    (tmp_path / "more.bzl").write_text('def f(ctx):\n    ctx.var.get("fast")\n    # $(fast)\n    "fast"\n')
    with (tmp_path / "BUILD").open("a") as build:
        build.write('genrule(name = "made", outs = ["o"], cmd = "echo $(fast) > $@")\n')
    made, of_context = told(workspace, "fast").trace.named_in
    assert (made.file, made.text) == ("BUILD", 'genrule(name = "made", outs = ["o"], cmd = "echo $(fast) > $@")')
    assert of_context == ("more.bzl", 2, 'ctx.var.get("fast")')
    assert told(workspace, "--config=best").trace.named_in == (made, of_context)


def test_what_conditions_of_bazel_itself_read(tmp_path: Path) -> None:
    condition = "@bazel_tools//src/conditions:host_windows"
    workspace = opened(tmp_path)
    with (tmp_path / "BUILD").open("a") as build:
        build.write(
            f'cc_library(name = "w", deps = select({{"{condition}": [":quick"], "//conditions:default": []}}))\n'
        )
    trace = told(workspace, "host_cpu").trace
    assert [(str(row.label), row.reads) for row in trace.read_by] == [(condition, ("--host_cpu=x64_windows",))]
    assert [str(use.target) for use in trace.uses] == ["//:w"]


def test_a_build_setting_by_its_name_or_label(workspace: Workspace) -> None:
    by_name, by_label = words(told(workspace, "shiny")), words(told(workspace, "--//:shiny"))
    assert by_name["sets"] == by_label["set by"] == ["build:shiny"]  # the config is called shiny, too
    assert by_label["read by"] == ["//:shiny", "//:fast_and_shiny", "//:is_shiny"]
    assert by_label["chooses"] == ["//:three"]


def test_one_name_of_several_kinds(workspace: Workspace) -> None:
    result = told(workspace, "fast")
    assert set(result.trace.kinds) == {"config", "define", "runtime flag"}
    assert str(result).startswith("fast is a ")


def test_a_variable_carries_flags_and_what_reads_others_is_no_name(workspace: Workspace) -> None:
    carrier = told(workspace, "APP_FLAGS")
    assert str(carrier).startswith("APP_FLAGS is a variable of runtime flags.")
    assert [flag.name for flag in carrier.trace.runtime] == ["careful"]
    with pytest.raises(LoadProblem):
        told(workspace, "absl")  # the library that reads --fast
    with pytest.raises(LoadProblem):
        told(workspace, "--")


def test_a_function_that_is_not_on_disk(workspace: Workspace) -> None:
    assert "1 call of a function that is not on disk" in str(told(workspace, "if_gpu"))


def test_the_text_says_where_and_by_which_function(workspace: Workspace) -> None:
    text = str(told(workspace, "with_fast"))
    assert "defs.bzl:3 extra_deps  2 branches" in text
    assert "copts -O3  of 1 target" in text
    assert len(text.splitlines()) < 40


_OWN_NAMES = {"MODULE.bazel": 'module(name = "mine")\n', "WORKSPACE": 'workspace(name = "mine")\n'}


@pytest.mark.parametrize("file", _OWN_NAMES)
def test_a_repository_may_call_itself_by_its_name(tmp_path: Path, file: str) -> None:
    (written(tmp_path) / file).write_text(_OWN_NAMES[file], encoding="utf-8")
    with (tmp_path / ".bazelrc").open("a", encoding="utf-8") as rc:
        rc.write("build:by_name --@mine//:shiny\n")
    workspace = bzlgraph.open(tmp_path, cache=False, jobs=1)
    assert [str(row.label) for row in told(workspace, "by_name").trace.read_by] == ["//:is_shiny"]
    for name in ("@mine//:shiny", "//:shiny", "@//:shiny", "--@mine//:shiny"):
        assert words(told(workspace, name))["set by"] == ["build:shiny", "build:by_name"]
    assert str(told(workspace, "@mine//:shiny")).startswith("@mine//:shiny is a build setting.\n")


_NAMED_OTHERWISE = """
load("@bazel_skylib//rules:common_settings.bzl", "string_flag")
string_flag(name = "level", build_setting_default = "x")
alias(name = "older", actual = ":level")
alias(name = "old", actual = ":older")
alias(name = "either", actual = select({":is_y": ":is_y", "//conditions:default": ":level"}))
config_setting(name = "is_y", flag_values = {":old": "y"})
filegroup(name = "more")
filegroup(name = "all", srcs = select({":is_y": [":more"], "//conditions:default": []}))
"""


@pytest.mark.parametrize("option", ["--//:level=y", "--//:old=y", "--short=y"])
def test_a_build_setting_has_other_names(tmp_path: Path, option: str) -> None:
    (tmp_path / "MODULE.bazel").touch()
    (tmp_path / "BUILD").write_text(_NAMED_OTHERWISE, encoding="utf-8")
    (tmp_path / ".bazelrc").write_text(f"build --flag_alias=short=//:level\nbuild:set {option}\n", encoding="utf-8")
    workspace = bzlgraph.open(tmp_path, cache=False, jobs=1)
    assert workspace.flags("either").known.names.others.keys() == {"short", "//:old", "//:older"}
    found = told(workspace, "set").trace
    assert ([str(row.label) for row in found.read_by], found.turned_off) == (["//:is_y"], ())
    for name in ("//:level", "level", "//:old", "old", "short", "--short"):
        found = told(workspace, name).trace
        assert [use.section for use in found.set_by] == ["build:set"], name
        assert "//:is_y" in {str(row.label) for row in found.read_by}, name


def test_a_setting_of_a_module_may_be_named_by_its_canonical_name(tmp_path: Path) -> None:
    """``--@@lib+//:fast`` is ``--@lib//:fast``, as select holds them for one."""
    setting = """bool_flag(name = "fast", build_setting_default = False)
config_setting(name = "is_fast", flag_values = {":fast": "true"})
"""
    files = {
        "MODULE.bazel": 'bazel_dep(name = "lib")\nlocal_path_override(module_name = "lib", path = "lib")\n',
        "lib/MODULE.bazel": 'module(name = "lib")\n',
        "lib/defs.bzl": "bool_flag = rule(implementation = lambda ctx: [], build_setting = config.bool(flag = True))\n",
        "lib/BUILD": f'load(":defs.bzl", "bool_flag")\n{setting}',
        "BUILD": 'filegroup(name = "a", srcs = select({"@lib//:is_fast": ["x"], "//conditions:default": ["y"]}))\n',
        ".bazelrc": "build:short --@lib//:fast\nbuild:long --@@lib+//:fast=true\nbuild:none --@nowhere//:fast\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    workspace = bzlgraph.open(tmp_path, cache=False, jobs=1, bazel_version="8.6.0")
    for config in ("short", "long"):
        assert [str(each.label) for each in told(workspace, config).trace.read_by][-1:] == ["@lib//:is_fast"]
    assert told(workspace, "none").trace.read_by == ()
    assert len(told(workspace, "@@lib+//:fast").trace.set_by) == 2


def test_old_bazels_look_behind_no_alias(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(_NAMED_OTHERWISE, encoding="utf-8")
    (tmp_path / ".bazelrc").write_text("build:set --//:level=y\n", encoding="utf-8")
    workspace = bzlgraph.open(tmp_path, cache=False, jobs=1, bazel_version="4.2.3")
    assert told(workspace, "set").trace.read_by == ()


_PLATFORMS = """
constraint_setting(name = "os")
constraint_value(name = "mac", constraint_setting = ":os")
constraint_value(name = "linux", constraint_setting = ":os")
alias(name = "darwin", actual = ":mac")
constraint_setting(name = "cpu")
constraint_value(name = "arm", constraint_setting = ":cpu")
constraint_value(name = "x86", constraint_setting = ":cpu")
platform(name = "any_arm", constraint_values = [":arm", ":linux"])
platform(name = "apple", constraint_values = [":darwin"], parents = [":any_arm"])
platform(name = "old_apple", constraint_values = [":mac", ":x86"])
config_setting(name = "silicon", constraint_values = [":mac", ":arm"])
config_setting(name = "any_mac", constraint_values = [":darwin"])
filegroup(name = "files", srcs = select({":mac": ["a.m"], ":silicon": ["b.m"], "//conditions:default": []}))
"""


@pytest.mark.parametrize(
    ("platform", "read_by", "turned_off"),
    [
        ("//:apple", "any_mac arm darwin mac silicon", "linux x86"),
        ("old_apple,//:apple", "any_mac darwin mac x86", "arm linux"),
        ("@//:any_arm", "arm linux", "mac x86"),
    ],
)
def test_a_platform_decides_constraint_values(tmp_path: Path, platform: str, read_by: str, turned_off: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(_PLATFORMS, encoding="utf-8")
    (tmp_path / ".bazelrc").write_text(f"build:chosen --platforms={platform}\n", encoding="utf-8")
    trace = told(bzlgraph.open(tmp_path, cache=False, jobs=1), "chosen").trace
    names = [" ".join(row.label.name for row in rows) for rows in (trace.read_by, trace.turned_off)]
    assert (names, trace.gaps) == ([read_by, turned_off], ())


def test_a_platform_that_brings_options_is_a_gap(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    text = _PLATFORMS + 'platform(name = "more", parents = [":apple"], flags = ["--copt=-g"])\n'
    (tmp_path / "BUILD").write_text(text, encoding="utf-8")
    (tmp_path / ".bazelrc").write_text("build:chosen --platforms=//:more\n", encoding="utf-8")
    trace = told(bzlgraph.open(tmp_path, cache=False, jobs=1, bazel_version="8.4.2"), "chosen").trace
    assert ([row.label for row in trace.read_by], len(trace.gaps)) == ([], 1)


@pytest.mark.parametrize("name", ["mac", "platforms"])
def test_what_a_platform_brings_is_a_gap(tmp_path: Path, name: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text("", encoding="utf-8")
    (tmp_path / ".bazelrc").write_text("build:mac --platforms=//:mac\n", encoding="utf-8")
    (gap,) = told(bzlgraph.open(tmp_path, cache=False, jobs=1), name).trace.gaps
    assert str(gap).startswith("--platforms=//:mac is not followed: which constraint values hold with it")


def test_a_value_that_is_a_word_for_a_boolean_turns_nothing_off(tmp_path: Path) -> None:
    build = _NAMED_OTHERWISE + 'string_flag(name = "other", build_setting_default = "x")\n'
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(build, encoding="utf-8")
    (tmp_path / ".bazelrc").write_text("build:set --//:other=z\n", encoding="utf-8")
    assert told(bzlgraph.open(tmp_path, cache=False, jobs=1), "set").trace.turned_off == ()


@pytest.mark.parametrize(
    ("name", "meant"), [("with_fats", "with_fast"), ("NEED_FASST", "NEED_FAST"), ("shinny", "shiny")]
)
def test_an_unknown_name_has_its_nearest(workspace: Workspace, name: str, meant: str) -> None:
    with pytest.raises(LoadProblem) as problem:
        told(workspace, name)
    assert problem.value.diagnostic.hint == f"did you mean {meant}?"


@pytest.mark.parametrize("name", ["NEED_OTHER", "--config=other"])
def test_a_name_may_be_in_a_script_that_was_not_read(tmp_path: Path, name: str) -> None:
    (written(tmp_path) / "configure.py").write_text("rc = '.my.bazelrc'\nif (\n", encoding="utf-8")
    with pytest.raises(LoadProblem) as problem:
        told(bzlgraph.open(tmp_path, cache=False, jobs=1), name)
    assert "(it may be in configure.py, not read to the end: bzlgraph flags)" in str(problem.value.diagnostic.hint)


def test_frames_per_kind(workspace: Workspace) -> None:
    found = workspace.flags()
    assert list(found.settings.columns[:7]) == ["label", "kind", "reads", "default", "selects", "branches", "adds"]
    assert list(found.configure.columns[:7]) == [
        "variable", "question", "default", "writes_if_yes", "writes_if_no", "file", "line"
    ]  # fmt: skip
    assert list(found.bazelrc.columns[:7]) == ["config", "command", "order", "option", "file", "line", "via"]
    assert list(found.runtime.columns[:7]) == ["name", "group", "type", "default", "description", "file", "line"]
    assert (len(found.settings), len(found.configure), len(found.runtime)) == (9, 1, 2)
    assert str(found).splitlines()[0] == "configure   1 question  (configure.py)"
