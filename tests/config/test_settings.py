"""Verdicts and their reasons: what decides, who set it, which fact is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.config.kinds.build_setting import flag_fault
from bzlgraph.config.verdict import Truth
from tests.config.workspace import ask, verdict, view

RULES = """
def _nothing(ctx):
    return []

string_flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
"""

BUILD = """
load(":rules.bzl", "string_flag")

string_flag(name = "mode", build_setting_default = "slow")
config_feature_flag(name = "feature", allowed_values = ["on", "off"], default_value = "off")
config_setting(name = "arm", values = {"cpu": "arm"})
config_setting(name = "mkl", define_values = {"mkl": "1"})
config_setting(name = "fast", flag_values = {":mode": "fast"})
config_setting(name = "feature_off", flag_values = {":feature": "off"})
config_setting(name = "absent_flag", flag_values = {"@absent//:flag": "1"})
config_setting(name = "absent_constraint", constraint_values = ["@absent//:c"])
config_setting(name = "osx", constraint_values = ["@platforms//os:osx"])
config_setting(name = "old_linux", constraint_values = ["@bazel_tools//platforms:linux"])
config_setting(name = "msvc", flag_values = {"@bazel_tools//tools/cpp:compiler": "msvc-cl"})
config_setting(name = "arm_and_absent", values = {"cpu": "arm"}, flag_values = {"@absent//:flag": "1"})
platform(name = "far", parents = ["@absent//:p"])
alias(name = "open", actual = select({":absent_flag": ":arm", "//conditions:default": ":mkl"}))
alias(name = "round", actual = ":about")
alias(name = "about", actual = ":round")
"""


@pytest.mark.parametrize(
    ("words", "label", "truth", "why"),
    [
        ("", "//:arm", "no", "--cpu is k8 (default of Bazel 4.2.3), not arm"),
        ("--cpu=arm", "//:arm", "yes", "--cpu is arm (command line)"),
        ("", "//:mkl", "no", "--define=mkl is not set; must be 1"),
        ("--define=mkl=0", "//:mkl", "no", "--define=mkl is 0 (command line), not 1"),
        ("", "//:fast", "no", "//:mode is slow (default), not fast"),
        ("--config=quick", "//:fast", "yes", "//:mode is fast (.bazelrc:1:13 (config quick))"),
        ("", "//:feature_off", "yes", "//:feature is off (default)"),
        ("", "//:absent_flag", "unknown", "@absent//:flag is unknown: @absent is not on disk"),
        ("", "//:absent_constraint", "unknown", "@absent//:c is unknown: @absent is not on disk"),
        ("", "//:arm_and_absent", "no", "--cpu is k8 (default of Bazel 4.2.3), not arm"),
        ("--cpu=arm", "//:arm_and_absent", "unknown", "@absent//:flag is unknown: @absent is not on disk"),
        ("--platforms=//:far", "//:osx", "unknown", "@absent//:p is unknown: @absent is not on disk"),
        ("--cpu=x64_windows", "//:msvc", "yes", "@bazel_tools//tools/cpp:compiler is msvc-cl (command line)"),
        ("--crosstool_top=@absent//:x --compiler=msvc-cl", "//:msvc", "yes",
         "@bazel_tools//tools/cpp:compiler is msvc-cl (command line)"),
        ("", "//:open", "no", "--cpu is k8 (default of Bazel 4.2.3), not arm"),
        ("--cpu=arm", "//:open", "unknown", "@absent//:flag is unknown: @absent is not on disk"),
        ("", "//:round", "no", "settings form a cycle: //:round -> //:about -> //:round"),
        ("", "//:rules.bzl", "no", "//:rules.bzl is not a condition: source file"),
        ("", "@bazel_tools//src/conditions:host_windows", "no",
         "--host_cpu is k8 (default of Bazel 4.2.3), not x64_windows"),
        ("", "@absent//x:y", "unknown", "@absent//x:y is unknown: @absent is not on disk"),
    ],
)  # fmt: skip
def test_verdicts(tmp_path: Path, words: str, label: str, truth: str, why: str) -> None:
    rc = "build:quick --//:mode=fast\n"
    export = 'exports_files(["rules.bzl"])\n'
    seen = view(tmp_path, {"BUILD": BUILD + export, "rules.bzl": RULES, ".bazelrc": rc}, *words.split())
    found = verdict(seen, label)
    assert (found.truth.value, found.why) == (truth, why)


def test_a_setting_that_is_given_twice(tmp_path: Path) -> None:
    files = {
        "rules.bzl": """
def _nothing(ctx):
    return []

many_flag = rule(implementation = _nothing, build_setting = config.string(flag = True, allow_multiple = True))
""",
        "BUILD": """
load(":rules.bzl", "many_flag")

many_flag(name = "names", build_setting_default = "none")
config_setting(name = "has_b", flag_values = {":names": "b"})
""",
    }
    found = verdict(view(tmp_path, files, "--//:names=a", "--//:names=b", version="7.7.1"), "//:has_b")
    assert (found.truth.value, found.why) == ("yes", "//:names is a,b (command line)")


def test_the_platform_is_taken_to_be_linux(tmp_path: Path) -> None:
    seen = view(tmp_path, {"BUILD": BUILD, "rules.bzl": RULES})
    assert verdict(seen, "//:old_linux").truth is Truth.YES
    found = verdict(seen, "//:osx")
    assert found.truth is Truth.NO
    assert "(assumed to be Linux on x86_64)" in found.why


@pytest.mark.parametrize(
    ("words", "truth"),
    [
        (("--cpu=x64_windows",), Truth.NO),
        (("--compiler=msvc-cl",), Truth.NO),
        (("--platforms=//:pc",), Truth.YES),
        (("--platforms=@absent//:x",), Truth.UNKNOWN),
        (("--noincompatible_enable_cc_toolchain_resolution", "--cpu=x64_windows"), Truth.YES),
        (("--platforms=//:pc", "--extra_toolchains=//:for_all"), Truth.NO),
        (("--extra_toolchains=//:for_pc",), Truth.NO),
    ],
)
def test_from_bazel_7_on_the_platform_chooses_the_compiler(tmp_path: Path, words, truth: Truth) -> None:
    text = """
platform(name = "pc", constraint_values = ["@platforms//os:windows"])
config(name = "own_config", compiler = "own")
cc_toolchain(name = "own", toolchain_config = ":own_config")
[toolchain(
    name = name,
    target_compatible_with = needs,
    toolchain = ":own",
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
) for name, needs in {"for_all": [], "for_pc": ["@platforms//os:windows"]}.items()]
"""
    rules = RULES + 'config = rule(implementation = _nothing, attrs = {"compiler": attr.string()})\n'
    build = BUILD.replace('"string_flag"', '"config", "string_flag"', 1) + text
    seen = view(tmp_path, {"BUILD": build, "rules.bzl": rules}, *words, version="7.7.1")
    assert verdict(seen, "//:msvc").truth is truth


def test_the_compiler_of_an_unknown_toolchain_is_unknown(tmp_path: Path) -> None:
    seen = view(tmp_path, {"BUILD": BUILD, "rules.bzl": RULES}, "--crosstool_top=@absent//:x")
    found = verdict(seen, "//:msvc")
    assert found.truth is Truth.UNKNOWN
    assert "set it with --compiler" in found.why


SEVERAL = """
load(":rules.bzl", "list_flag")

list_flag(name = "list", build_setting_default = ["one", "two"])
config_feature_flag(name = "feature", allowed_values = ["on", "off"], default_value = "off")
constraint_setting(name = "size")
[constraint_value(name = each, constraint_setting = ":size") for each in ("small", "large")]
config_setting(name = "both_chains", values = {"extra_toolchains": "//:a,//:b"})
config_setting(name = "no_chain", values = {"extra_toolchains": ""})
config_setting(name = "no_copt", values = {"copt": ""})
config_setting(name = "nameless", values = {"define": "x"})
config_setting(name = "both_elements", flag_values = {":list": "one,two"})
config_setting(name = "impossible", flag_values = {":feature": "maybe"})
config_setting(name = "both_sizes", constraint_values = [":small", ":large"])
"""


@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
@pytest.mark.parametrize(
    ("label", "words", "truth", "error"),
    [
        ("both_chains", "--extra_toolchains=//:b --extra_toolchains=//:c,//:a", "yes", ""),
        ("both_chains", "--extra_toolchains=//:b", "no", ""),
        ("no_chain", "", "yes", ""),
        ("no_chain", "--extra_toolchains=//:b", "no", ""),
        ("no_copt", "", "no", ""),
        ("nameless", "", "no", "--define=x: it must be NAME=VALUE"),
        ("both_elements", "", "no", "//:list cannot be one,two: one exact value of a list can be asked for"),
        ("impossible", "", "no", "//:feature cannot be maybe: it may be off, on"),
        ("both_sizes", "", "no",
         "//:both_sizes wants several values of one constraint_setting: //:small, //:large"),
    ],
)  # fmt: skip
def test_several_values(tmp_path: Path, version: str, label: str, words: str, truth: str, error: str) -> None:
    """As ConfigSettingTest of Bazel expects; real Bazels were asked with ``cquery``."""
    rules = RULES + "list_flag = rule(implementation = _nothing, build_setting = config.string_list(flag = True))\n"
    seen = view(tmp_path, {"BUILD": SEVERAL, "rules.bzl": rules}, *words.split(), version=version)
    found = verdict(seen, f"//:{label}")
    assert (found.truth.value, found.error) == (truth, error)


@pytest.mark.parametrize(
    ("words", "label", "truth"),
    [
        ("--//:number=0x2a", "//:is_42", "yes"),
        ("--//:number=+42", "//:is_42", "yes"),
        ("--//:which=//p:one", "//:is_one", "yes"),
        ("--//:which=p:one", "//:is_one", "yes"),
        ("--//:which=:one", "//:is_one", "no"),
    ],
)
def test_values_as_a_command_line_has_them(tmp_path: Path, words: str, label: str, truth: str) -> None:
    """A label of it begins at the root, with slashes or without. (7.7.1 was asked.)"""
    build = """
load(":rules.bzl", "int_flag")
int_flag(name = "number", build_setting_default = 0)
label_flag(name = "which", build_setting_default = ":one")
filegroup(name = "one")
config_setting(name = "is_42", flag_values = {":number": "42"})
config_setting(name = "is_one", flag_values = {":which": "//p:one"})
"""
    rules = RULES + "int_flag = rule(implementation = _nothing, build_setting = config.int(flag = True))\n"
    files = {"BUILD": build, "rules.bzl": rules, "p/BUILD": 'filegroup(name = "one")\n'}
    assert verdict(view(tmp_path, files, words, version="7.7.1"), label).truth.value == truth


def test_a_value_that_a_rule_computes_is_unknown(tmp_path: Path) -> None:
    """Real Bazel runs the rule, and finds that //:on holds."""
    files = {
        "rules.bzl": """
def _tells(ctx):
    return [config_common.FeatureFlagInfo(value = "on")]

tells = rule(implementation = _tells)
""",
        "BUILD": """
load(":rules.bzl", "tells")

tells(name = "told")
filegroup(name = "files")
config_setting(name = "on", flag_values = {":told": "on"})
config_setting(name = "of_files", flag_values = {":files": "on"})
filegroup(name = "chosen", srcs = select({":on": [":files"], "//conditions:default": []}))
""",
    }
    seen = view(tmp_path, files)
    why = "//:told is unknown: the code of its rule computes it, and is not run"
    assert (verdict(seen, "//:on").truth, verdict(seen, "//:on").why) == (Truth.UNKNOWN, why)
    assert verdict(seen, "//:of_files").why == "//:files is not a build setting (filegroup rule)"
    found = ask(seen, "deps(//:chosen)")
    assert (parse("//:files", "", "") in found, found.problems) == (True, ())
    flagged = view(tmp_path, files, "--//:told=off")
    assert flag_fault(parse("//:told", "", ""), flagged.configuration) == "//:told is not a build setting (tells rule)"
