"""Toolchain resolution where real Bazel would stop: what is not on disk may be chosen, and why each one is or is not.

What Bazel chooses is compared in tests/differential (`tests/workspaces/configured/toolchains_*`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.bazel.model import Rule
from bzlgraph.config.configured.view import ConfiguredView
from bzlgraph.config.toolchains.answer import Resolution
from bzlgraph.graph.model import EdgeFlag
from tests.config.workspace import ask, view

RULES = """
def _nothing(ctx):
    return []

asks = rule(implementation = _nothing, toolchains = ["//tc:type"])
implementation = rule(implementation = _nothing)
"""
BUILD = 'load("//:rules.bzl", "asks")\nasks(name = "a")\nplatform(name = "p", constraint_values = ["//tc:linux"])\n'
TOOLCHAINS = """
load("//:rules.bzl", "implementation")
toolchain_type(name = "type")
constraint_setting(name = "os")
constraint_value(name = "linux", constraint_setting = ":os")
constraint_value(name = "windows", constraint_setting = ":os")
implementation(name = "first_impl")
implementation(name = "second_impl")
toolchain(name = "first", toolchain = ":first_impl", toolchain_type = ":type", %s)
toolchain(name = "second", toolchain = ":second_impl", toolchain_type = ":type")
"""
HOST = "@local_config_platform//:host (assumed to be Linux on x86_64)"


def opened(folder: Path, workspace: str, first: str = "", *words: str) -> ConfiguredView:
    """The workspace with a WORKSPACE file, its first toolchain with more arguments."""
    files = {"WORKSPACE": workspace, "rules.bzl": RULES, "BUILD": BUILD, "tc/BUILD": TOOLCHAINS % first}
    return view(folder, files, "--platforms=//:p", *words)


def edges(seen: ConfiguredView) -> dict[str, bool]:
    """The toolchains that //:a leads to, and whether they are only possible."""
    node = seen.resolve(parse("//:a", "", ""))
    found = map(seen.edge, seen.edges_from(node))
    flags = {str(seen.labels[each.target]): each.flags for each in found if each.attribute == "toolchain"}
    return {label: bool(each & EdgeFlag.POSSIBLE) for label, each in flags.items()}


def resolution(seen: ConfiguredView) -> Resolution:
    """What //:a gets."""
    rule = seen.configuration.target(parse("//:a", "", ""))
    assert isinstance(rule, Rule)
    (found,) = seen.configuration.toolchains.of(rule)
    return found


def reasons(seen: ConfiguredView) -> list[str]:
    """``label: chosen, why`` of each candidate."""
    (kind,) = resolution(seen).types
    return [f"{each.toolchain}: {each.chosen.value}, {each.why}" for each in kind.candidates]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ('"//tc:all"', {"//tc:first_impl": False}),
        ('"//tc:second", "//tc:first"', {"//tc:second_impl": False}),
        ('"@absent//:all", "//tc:first"', {"//tc:first_impl": True}),
        ('"@absent//...", "//tc:first"', {"//tc:first_impl": True}),
        ('"@absent//:one", "//tc:first"', {"//tc:first_impl": True}),
        ('"//tc:first", "@absent//:all"', {"//tc:first_impl": False}),
        ('"@absent//:all"', {}),
    ],
)
def test_a_repository_that_is_not_on_disk_may_have_the_toolchain(tmp_path, patterns, expected) -> None:
    seen = opened(tmp_path, f"register_toolchains({patterns})")
    assert edges(seen) == expected
    told = any("@absent" in gap.what for gap in seen.gaps_of([seen.resolve(parse("//:a", "", ""))]))
    assert told == (True in expected.values() or not expected)
    assert not resolution(seen).error


@pytest.mark.parametrize(("leads_to", "told"), [("advertises", True), ("silent", False), ("file.txt", False)])
def test_toolchains_of_an_aspect_are_looked_for_where_it_is_applied(tmp_path, leads_to, told) -> None:
    rules = """
def _nothing(*args):
    return []

P = provider()
asking = aspect(implementation = _nothing, toolchains = ["//tc:type"], required_providers = [P])
asks = rule(implementation = _nothing, attrs = {"deps": attr.label_list(aspects = [asking], allow_files = True)})
advertises = rule(implementation = _nothing, provides = [P])
silent = rule(implementation = _nothing)
"""
    build = f"""
load("//:rules.bzl", "advertises", "asks", "silent")
asks(name = "a", deps = ["{leads_to}"])
advertises(name = "advertises")
silent(name = "silent")
"""
    files = {"WORKSPACE": 'register_toolchains("@absent//:all")', "rules.bzl": rules, "BUILD": build, "file.txt": ""}
    seen = view(tmp_path, {**files, "tc/BUILD": 'toolchain_type(name = "type")\n'}, version="7.7.1")
    assert any("@absent" in gap.what for gap in seen.gaps_of([seen.resolve(parse("//:a", "", ""))])) == told


def test_what_workspace_calls_and_is_unknown_may_register_others(tmp_path) -> None:
    text = 'load("@absent//:x.bzl", "setup")\nsetup()\nregister_toolchains("//tc:first")\n'
    assert edges(opened(tmp_path, text)) == {"//tc:first_impl": True}


@pytest.mark.parametrize("where", ["target_compatible_with", "exec_compatible_with", "target_settings"])
def test_an_unknown_condition_leaves_both_open(tmp_path, where) -> None:
    seen = opened(tmp_path, 'register_toolchains("//tc:all")', f'{where} = ["@absent//:c"]')
    assert edges(seen) == {"//tc:first_impl": True, "//tc:second_impl": True}
    assert any("@absent is not on disk" in gap.what for gap in seen.gaps_of([seen.resolve(parse("//:a", "", ""))]))


def test_each_candidate_has_its_reason(tmp_path) -> None:
    seen = opened(
        tmp_path, 'register_toolchains("//tc:all", "@absent//:all")', 'target_compatible_with = ["//tc:windows"]'
    )
    assert reasons(seen) == [
        "//tc:first: no, target platform //:p is //tc:linux, not //tc:windows",
        f"//tc:second: yes, the first one for //:p that runs on {HOST}",
        "@absent is not on disk (@absent//): no, //tc:second comes before it",
    ]


def test_queries_follow_toolchains_in_a_configuration_only(tmp_path) -> None:
    seen = opened(tmp_path, 'register_toolchains("//tc:all")')

    def deps(graph) -> set[str]:
        answer = ask(graph, "deps(//:a)")
        return {str(answer.graph.labels[node]) for node in answer.nodes}

    assert "//tc:first_impl" in deps(seen)
    assert "//tc:first_impl" not in deps(seen.base)


@pytest.mark.parametrize(
    ("registered", "expected"),
    [("second", "//tc:second_impl"), ("first", "@other//:theirs_impl")],
)
def test_toolchains_of_modules_come_after_those_of_the_root(tmp_path, registered, expected) -> None:
    files = {
        "MODULE.bazel": 'module(name = "root")\nbazel_dep(name = "other", version = "1")\n'
        'local_path_override(module_name = "other", path = "other")\n'
        f'register_toolchains("//tc:{registered}")\n',
        "rules.bzl": RULES.replace("//tc:type", "@other//:type"),
        "BUILD": BUILD,
        "tc/BUILD": (TOOLCHAINS % 'target_compatible_with = [":windows"]').replace('":type"', '"@other//:type"'),
        "other/MODULE.bazel": 'module(name = "other", version = "1")\nregister_toolchains("//:all")\n',
        "other/BUILD": 'toolchain_type(name = "type")\nfilegroup(name = "theirs_impl")\n'
        'toolchain(name = "theirs", toolchain = ":theirs_impl", toolchain_type = ":type")\n',
    }
    seen = view(tmp_path, files, "--platforms=//:p", version="7.7.1")
    assert [label.replace("~", "") for label in edges(seen)] == [expected]


def test_the_platform_of_a_toolchains_tools_is_that_of_who_uses_it(tmp_path) -> None:
    """Bazel builds them for the platform of the target that it serves: with several platforms, either may be it."""
    files = {
        "WORKSPACE": 'register_toolchains("//:t")\nregister_execution_platforms("//:fast", "//:large")\n',
        "rules.bzl": RULES.replace("//tc:type", "//:type")
        + 'tooled = rule(implementation = _nothing, attrs = {"tool": attr.label(cfg = "exec")})\n',
        "BUILD": """
load(":rules.bzl", "asks", "implementation", "tooled")
toolchain_type(name = "type")
constraint_setting(name = "kind")
[constraint_value(name = name + "_kind", constraint_setting = ":kind") for name in ["fast", "large"]]
[platform(name = name, constraint_values = [":" + name + "_kind"]) for name in ["fast", "large"]]
config_setting(name = "is_large", constraint_values = [":large_kind"])
asks(name = "a", exec_compatible_with = [":large_kind"])
tooled(name = "impl", tool = ":tool")
tooled(name = "other", tool = ":tool")
filegroup(name = "tool", srcs = select({":is_large": [":for_large"], "//conditions:default": [":for_fast"]}))
filegroup(name = "for_large")
filegroup(name = "for_fast")
toolchain(name = "t", toolchain = ":impl", toolchain_type = ":type")
""",
    }
    seen = view(tmp_path, files, version="7.7.1")

    def reached(target: str) -> set[str]:
        answer = ask(seen, f"deps({target})")
        return {answer.graph.labels[node].name for node in answer.nodes} & {"for_fast", "for_large"}

    assert reached("//:other") == {"for_fast"}
    assert reached("//:a") == {"for_fast", "for_large"}
    assert any("the execution platform of some tools is unknown" in gap.what for gap in seen.gaps_of(range(len(seen))))
