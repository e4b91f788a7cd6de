"""What a platform says beside its constraints, from Bazel 8 on: flags, settings that it needs to run actions.

As the documentation of ``platform`` and BuildConfigurationKeyProducer of Bazel's source (07e7b246) have it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.bazel.model import Rule
from bzlgraph.config.configured.view import ConfiguredView
from tests.config.workspace import ask, verdict, view

RULES = """
def _nothing(ctx):
    return []

flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
asks = rule(implementation = _nothing, toolchains = [":type"])

def _to_phone(settings, attr):
    return {"//command_line_option:platforms": "//:phone", "//:colour": "blue"}

to_phone = rule(
    implementation = _nothing,
    cfg = transition(
        implementation = _to_phone,
        inputs = [],
        outputs = ["//command_line_option:platforms", "//:colour"],
    ),
    attrs = {"deps": attr.label_list()},
)
"""
BUILD = """
load(":rules.bzl", "asks", "flag", "to_phone")

flag(name = "colour", build_setting_default = "grey")
platform(name = "small", flags = ["--copt=-Os", "--//:colour=red", "--define=size=small", "--stamp"])
platform(name = "phone", flags = ["--copt=-g", "--//:colour=green"], parents = [":small"])
platform(name = "plain")
platform(name = "odd", flags = ["--no_such_option"])
alias(name = "other_name", actual = ":phone")
config_setting(name = "green", flag_values = {":colour": "green"})
config_setting(name = "grey", flag_values = {":colour": "grey"})
config_setting(name = "size", define_values = {"size": "small"})
config_setting(name = "stamped", values = {"stamp": "1"})
config_setting(name = "given_copt", values = {"copt": "-O3"})
config_setting(name = "own_copt", values = {"copt": "-g"})
filegroup(name = "A")
filegroup(name = "B")
filegroup(name = "by_colour", srcs = select({":green": [":A"], "//conditions:default": [":B"]}))
to_phone(name = "leads", deps = [":by_colour"])
"""
FILES = {"MODULE.bazel": "", "rules.bzl": RULES, "BUILD": BUILD}


@pytest.mark.parametrize("version", ["8.0.1", "9.1.0"])
@pytest.mark.parametrize("platform", ["phone", "other_name"])
def test_flags_win_over_the_command_line(tmp_path: Path, platform: str, version: str) -> None:
    words = (f"--platforms=//:{platform}", "--//:colour=blue", "--copt=-O3")
    seen = view(tmp_path, FILES, *words, version=version)
    named = ("green", "grey", "size", "stamped", "given_copt", "own_copt")
    assert [verdict(seen, f"//:{name}").truth.value for name in named] == ["yes", "no", "yes", "yes", "no", "yes"]
    assert verdict(seen, "//:grey").why == f"//:colour is green (BUILD:6:9 (flags of //:{platform})), not grey"


def test_a_platform_without_flags_changes_nothing(tmp_path: Path) -> None:
    assert verdict(view(tmp_path, FILES, "--platforms=//:plain", version="8.0.1"), "//:grey").truth.value == "yes"


def test_platform_mappings_are_for_platforms_without_flags(tmp_path: Path) -> None:
    entries = "".join(f"  //:{name}\n    --//:colour=grey\n    --cpu=mapped\n" for name in ("phone", "plain"))
    files = {**FILES, "BUILD": BUILD + 'config_setting(name = "mapped", values = {"cpu": "mapped"})\n'}
    files["platform_mappings"] = f"platforms:\n{entries}"
    for name, found in (("phone", ["yes", "no"]), ("plain", ["no", "yes"])):
        seen = view(tmp_path, files, f"--platforms=//:{name}", version="8.0.1")
        assert [verdict(seen, f"//:{each}").truth.value for each in ("green", "mapped")] == found


def test_flags_win_over_the_transition_that_leads_to_the_platform(tmp_path: Path) -> None:
    answer = ask(view(tmp_path, FILES, "-c", "opt", version="8.0.1"), "deps(//:leads)")
    assert {"//:A", "//:B"} & set(map(str, answer)) == {"//:A"}


def test_flags_that_bazel_refuses_leave_all_options_unknown(tmp_path: Path) -> None:
    found = verdict(view(tmp_path, FILES, "--platforms=//:odd", version="8.0.1"), "//:green")
    assert found.truth.value == "unknown"
    assert (
        found.why == "//:colour: flags of //:odd: --no_such_option: the documentation of Bazel 8.0.1 has no such option"
    )


@pytest.mark.parametrize(("version", "told"), [("8.0.1", 1), ("7.7.1", 0)])
@pytest.mark.parametrize("platform", ["@zig//:arm", "//:far"])
def test_a_platform_that_is_not_on_disk_may_have_flags(tmp_path: Path, platform: str, version: str, told: int) -> None:
    build = 'filegroup(name = "x")\nplatform(name = "far", parents = ["@zig//:arm"])\n'
    files = {"MODULE.bazel": 'bazel_dep(name = "zig", version = "1")', "BUILD": build}
    seen = view(tmp_path, files, f"--platforms={platform}", version=version)
    gaps = [str(gap) for gap in ask(seen, "//:x").gaps if gap.what.startswith("--platforms: @zig//:arm is unknown")]
    assert len(gaps) == told
    assert all("the options that it sets are unknown" in each for each in gaps)


TOOLCHAINS = """
load(":rules.bzl", "asks")

toolchain_type(name = "type")
constraint_setting(name = "os")
[constraint_value(name = each, constraint_setting = ":os") for each in ("linux", "mac")]
platform(name = "on_linux", constraint_values = [":linux"])
platform(name = "on_mac", constraint_values = [":mac"], required_settings = [":optimized"])
platform(name = "target", constraint_values = [":linux"])
config_setting(name = "optimized", values = {"compilation_mode": "opt"})
filegroup(name = "same")
filegroup(name = "any")
toolchain(name = "first", toolchain = ":same", toolchain_type = ":type", use_target_platform_constraints = True)
toolchain(name = "second", toolchain = ":any", toolchain_type = ":type")
asks(name = "a")
"""


def chosen(seen: ConfiguredView) -> tuple[list[str], list[str]]:
    """The platforms that //:a may run on, and the toolchains that it may get."""
    rule = seen.configuration.target(parse("//:a", "", ""))
    assert isinstance(rule, Rule)
    (found,) = seen.configuration.toolchains.of(rule)
    labels = [str(each.toolchain.implementation) for kind in found.types for each in kind.chosen]
    return [str(each.label) for each in found.platforms], labels


@pytest.mark.parametrize(
    ("registered", "words", "platform", "toolchain"),
    [
        (("on_mac", "on_linux"), ("-c", "opt"), "//:on_mac", "//:any"),
        (("on_mac", "on_linux"), ("-c", "dbg"), "//:on_linux", "//:same"),
        (("on_linux", "on_mac"), ("-c", "opt"), "//:on_linux", "//:same"),
    ],
)
def test_where_actions_may_run(
    tmp_path: Path, registered: tuple[str, ...], words: tuple[str, ...], platform: str, toolchain: str
) -> None:
    """A platform needs its ``required_settings``; a toolchain may be for those that are like the target platform."""
    listed = ", ".join(f'"//:{each}"' for each in registered)
    module = f'register_execution_platforms({listed})\nregister_toolchains("//:first", "//:second")\n'
    files = {"MODULE.bazel": module, "rules.bzl": RULES, "BUILD": TOOLCHAINS}
    seen = view(tmp_path, files, "--platforms=//:target", *words, version="8.0.1")
    assert chosen(seen) == ([platform], [toolchain])


def test_a_group_of_actions_may_need_more_of_its_platform(tmp_path: Path) -> None:
    """``exec_group_compatible_with``; ``exec_compatible_with`` is for the group without a name."""
    rules = """
def _nothing(ctx):
    return []

grouped = rule(implementation = _nothing, exec_groups = {"link": exec_group(), "test": exec_group()})
"""
    build = """
load(":rules.bzl", "grouped")
constraint_setting(name = "os")
[constraint_value(name = each, constraint_setting = ":os") for each in ("linux", "mac")]
platform(name = "on_linux", constraint_values = [":linux"])
platform(name = "on_mac", constraint_values = [":mac"])
grouped(name = "a", exec_group_compatible_with = {"link": [":mac"]}, exec_compatible_with = [":mac"])
"""
    files = {"rules.bzl": rules, "BUILD": build}
    files["MODULE.bazel"] = 'register_execution_platforms("//:on_linux", "//:on_mac")\n'
    seen = view(tmp_path, files, "-c", "opt", version="8.0.1")
    rule = seen.configuration.target(parse("//:a", "", ""))
    assert isinstance(rule, Rule)
    found = {each.group: str(each.platforms[0].label) for each in seen.configuration.toolchains.of(rule)}
    assert found == {"": "//:on_mac", "link": "//:on_mac", "test": "//:on_linux"}
