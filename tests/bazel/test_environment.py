"""The predeclared names: every Bazel's names exist, and .bzl files that touch them load."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.files.environment import (
    build_environment,
    bzl_environment,
    module_environment,
    workspace_environment,
)
from bzlgraph.facts import for_version, known_versions, predeclared
from tests.bazel.memory_workspace import open_text, package, problems

BZL = """CcInfo DefaultInfo JavaInfo Label OutputGroupInfo PyInfo ProtoInfo Actions analysis_test_transition
android_common apple_common aspect attr cc_common config config_common configuration_field coverage_common depset
exec_group java_common json macro module_extension native platform_common proto proto_common
proto_common_do_not_use provider
repository_rule rule select struct tag_class testing transition visibility cmd_helper PACKAGE_NAME print len""".split()
BUILD = """cc_library genrule filegroup glob package exports_files licenses package_group select depset
existing_rule existing_rules package_name repository_name subpackages test_suite environment_group distribs json
PACKAGE_NAME REPOSITORY_NAME package_relative_label sh_test java_library android_binary toolchain""".split()
WORKSPACE = """workspace bind local_repository new_local_repository register_toolchains http_archive git_repository
maven_jar android_sdk_repository register_execution_platforms""".split()
MODULE = """module bazel_dep use_extension use_repo use_repo_rule include register_toolchains local_path_override
archive_override git_override single_version_override multiple_version_override inject_repo override_repo""".split()


@pytest.mark.parametrize("version", ["", *known_versions(), "5.4.0", "6.5.0", "8.0.0", "9.0.0"])
def test_names_exist(version: str) -> None:
    facts = for_version(version)
    assert set(BZL) - facts.absent_names("bzl") <= bzl_environment(facts).keys()
    assert set(BUILD) - facts.absent_names("build") <= build_environment(facts).keys()
    assert set(WORKSPACE) - facts.absent_names("workspace") <= workspace_environment(facts).keys()
    assert set(MODULE) <= module_environment(facts).keys()


@pytest.mark.parametrize("name", [*predeclared.inert_globals(), *predeclared.namespaces()])
def test_inert_names_do_nothing(name: str) -> None:
    text = f"--- BUILD\n--- a.bzl\nx = [{name}, dir({name}), [{name}] == [{name}]]\ny = repr(x[2])\n"
    loaded = open_text(text).bzl_loader.file(Label("", "", "a.bzl"))
    assert loaded.diagnostics == []
    assert loaded.names["y"] == "True"


def test_calls_and_fields_of_inert_names() -> None:
    text = """
--- BUILD
--- a.bzl
_PROVIDERS = [CcInfo, [JavaInfo, PyInfo], cc_common.CcToolchainInfo, platform_common.ToolchainInfo]
_TYPE = config_common.toolchain_type("//x:y", mandatory = False)
_FLAG = getattr(cc_common, "some_future_thing", None)
_OLD = hasattr(java_common, "JavaToolchainInfo") and not hasattr(java_common, "nothing_like_it")
_X = cc_common.create_compilation_context(headers = depset()).headers
_EMPTY = [x for x in DefaultInfo(files = depset()).files]
if_value = "yes" if proto_common_do_not_use.INCOMPATIBLE_PASS_TOOLCHAIN_TYPE else "no"
value = [_FLAG, _OLD, _EMPTY]
testing_info = testing.ExecutionInfo({})
group = exec_group(toolchains = [_TYPE])
old = attr.label(cfg = HOST_CFG) if False else FileType([".cc"])
"""
    loaded = open_text(text).bzl_loader.file(Label("", "", "a.bzl"))
    assert [each.message for each in loaded.diagnostics] == []
    assert loaded.names["value"] == [None, True, []]


def test_native() -> None:
    text = """
--- p/BUILD
load("//p:a.bzl", "f")
f()
filegroup(name = package_name() + "-" + repository_name())
--- p/a.bzl
VERSION = native.bazel_version
def f():
    native.filegroup(name = native.package_name() + native.repository_name())
    native.filegroup(name = PACKAGE_NAME + "_old" if PACKAGE_NAME else "none")
    native.filegroup(name = native.package_relative_label(":rel").name, srcs = [native.package_relative_label("//q:r")])
    if hasattr(native, "nothing_like_it") or not hasattr(native, "cc_library"):
        fail("no")
"""
    made = package(text, "p")
    assert problems(made) == []
    assert {"p@", "p_old", "rel", "p-@"} <= made.targets.keys()


def test_old_names_of_the_package_are_strings() -> None:
    text = """
--- p/q/BUILD
load("//p/q:a.bzl", "f")
f(1)
filegroup(name = PACKAGE_NAME.replace("/", "_") + REPOSITORY_NAME.replace("@", "_"))
--- p/q/a.bzl
PLACES = {"p/q": "known"}
def f(count):
    native.filegroup(name = "levels_%d_of_%s" % (PACKAGE_NAME.count("/") + count, PACKAGE_NAME.split("/")[-1]))
    native.filegroup(name = PLACES[PACKAGE_NAME] if PACKAGE_NAME == "p/q" and "/" in PACKAGE_NAME else "unknown")
    native.filegroup(name = "_".join([PACKAGE_NAME[0], type(PACKAGE_NAME), str(len(PACKAGE_NAME))]))
--- r/BUILD
load("//p/q:a.bzl", "f")
f(2)
"""
    assert {"levels_2_of_q", "known", "p_string_3", "p_q_"} <= package(text, "p/q", "0.19.1").targets.keys()
    assert {"levels_2_of_r", "unknown", "r_string_1"} <= package(text, "r", "0.19.1").targets.keys()


def test_a_dialect_is_written_alike_in_every_process() -> None:
    """It is part of the keys of kept programs: a set of two names is written in one order here and another there."""
    script = "from bzlgraph.bazel.files.environment import dialect_of; from bzlgraph.facts import for_version"
    script += "; from bzlgraph.syntax.dialect import BUILD, BZL"
    script += "; print([dialect_of(kind, for_version(of)) for kind in (BUILD, BZL) for of in ('', '0.19.1')])"
    written = {
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "12345678"
    }
    assert len(written) == 1


def test_visibility_of_bzl_files() -> None:
    text = (
        "--- BUILD\nload('//:a.bzl', 'f')\nf()\n--- a.bzl\nvisibility(['//...'])\ndef f():\n    visibility('public')\n"
    )
    (message,) = problems(package(text))
    assert message == "visibility() can only be used during .bzl initialization (top-level evaluation)"


def test_analysis_test() -> None:
    text = """
--- BUILD
load("//:a.bzl", "f")
f()
--- a.bzl
def _impl(ctx):
    pass
def f():
    testing.analysis_test(
        name = "t", implementation = _impl, attrs = {"dep": attr.label()}, attr_values = {"dep": ":x"},
    )
"""
    made = package(text)
    assert problems(made) == []
    assert made.targets["t"].get("dep") == Label("", "", "x")


@pytest.mark.parametrize("name", ["select", "depset", "provider", "Label", "native", "json", "rule", "attr", "proto"])
def test_files_of_the_scl_dialect_have_few_names(name: str) -> None:
    text = '--- BUILD\nload("//:a.scl", "X")\nfilegroup(name = X.a)\n'
    text += '--- a.scl\nvisibility("public")\nX = struct(a = "n")\n'
    assert problems(package(text, version="9.0.0")) == []
    (problem,) = problems(package(f"{text}Y = {name}\n", version="9.0.0"))
    assert f"name '{name}' is not defined" in problem


@pytest.mark.parametrize("version", ["", "0.19.1", "7.7.1"])
def test_build_files_have_no_labels(version: str) -> None:
    """In no Bazel: each from 0.18.0 to 7.7.1 was asked (tests/facts/recorded_names.json)."""
    assert "Label" not in build_environment(for_version(version))
