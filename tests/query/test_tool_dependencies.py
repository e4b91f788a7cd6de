"""What `--notool_deps` leaves out, by version, as real Bazels do (tools/record/tool_attributes.py asks them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import open_loader
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

BUILD = """
load(":defs.bzl", "ruled")
constraint_setting(name = "setting")
constraint_value(name = "value", constraint_setting = ":setting")
environment(name = "environment")
filegroup(name = "license")
filegroup(name = "tool")
genrule(name = "exec_tools", outs = ["made.txt"], cmd = "", exec_tools = [":tool"])
cc_library(name = "exec_constraint", exec_compatible_with = [":value"])
cc_library(name = "target_constraint", target_compatible_with = [":value"])
ruled(name = "ruled_constraint", target_compatible_with = [":value"])
ruled(name = "ruled_environment", compatible_with = [":environment"])
ruled(name = "ruled_license", applicable_licenses = [":license"])
ruled(name = "ruled_toolchain", toolchains = [":tool"])
"""


@pytest.mark.parametrize(
    ("target", "older", "newer"),
    [
        ("exec_tools", "", ""),
        ("exec_constraint", "//:value", ""),
        ("target_constraint", "//:value", ""),
        ("ruled_constraint", "//:value", ""),
        ("ruled_environment", "", ""),
        ("ruled_license", "", ""),
        ("ruled_toolchain", "//:tool", "//:tool"),
    ],
)
def test_tool_dependencies_of(target: str, older: str, newer: str, tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "defs.bzl").write_text("def _impl(ctx):\n    pass\n\nruled = rule(implementation = _impl)\n")
    (tmp_path / "BUILD").write_text(BUILD)
    for version, wanted in (("4.2.3", older), ("7.7.1", newer)):
        loader = open_loader(open_workspace(tmp_path, Options(jobs=1, bazel_version=version)))
        settings = QuerySettings(tool_deps=False, implicit_deps=False)
        answer = query(f"deps(//:{target}, 1) - //:{target}", Environment(BuildGraph(loader), settings))
        assert " ".join(map(str, answer)) == wanted, version


@pytest.mark.parametrize(
    ("call", "label", "is_tool"),
    [
        ("genrule(name = 'x', outs = ['y'], cmd = '')", "//tools/jdk:host_jdk", {"0.19.1": True}),
        ("java_library(name = 'x')", "//tools/jdk:host_jdk", {"0.19.1": True}),
        ("java_library(name = 'x')", "//tools/jdk:toolchain", {"0.19.1": False}),
        ("objc_library(name = 'x')", "//tools/objc:plmerge", {"0.19.1": True, "0.24.1": True}),
        ("cc_test(name = 'x')", "//tools/test:coverage_support", {"4.2.3": False, "7.7.1": True}),
        ("py_binary(name = 'x')", "//tools/launcher:launcher", {"4.2.3": True, "7.7.1": False}),
        ("py_binary(name = 'x')", "//tools/launcher:launcher_maker", {"7.7.1": True}),
    ],
)
def test_what_nobody_sets(call: str, label: str, is_tool: dict[str, bool], tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(f"{call}\n")
    for version, tool in is_tool.items():
        loader = open_loader(open_workspace(tmp_path, Options(jobs=1, bazel_version=version)))
        answers = [
            set(map(str, query("deps(//:x, 1)", Environment(BuildGraph(loader), QuerySettings(tool_deps=kept)))))
            for kept in (True, False)
        ]
        assert f"@bazel_tools{label}" in answers[0], version
        assert (f"@bazel_tools{label}" not in answers[1]) == tool, version


@pytest.mark.parametrize("version", ["0.19.1", "1.2.0", "2.1.0", "7.7.1"])
def test_what_an_instrumentation_test_checks(version: str, tmp_path: Path) -> None:
    """Each of these Bazels has the label where `instruments` is written, and none elsewhere."""
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(
        'android_binary(name = "plain", manifest = "AndroidManifest.xml")\n'
        'android_binary(name = "tests", manifest = "AndroidManifest.xml", instruments = ":plain")\n'
    )
    loader = open_loader(open_workspace(tmp_path, Options(jobs=1, bazel_version=version)))
    environment = Environment(BuildGraph(loader), QuerySettings())
    found = {
        name: list(map(str, query(f'labels("$instrumentation_test_check", //:{name})', environment)))
        for name in ("plain", "tests")
    }
    assert found == {"plain": [], "tests": ["@bazel_tools//tools/android:instrumentation_test_check"]}


@pytest.mark.parametrize("version", ["0.19.1", "1.2.0", "2.1.0", "4.2.3", "7.7.1"])
@pytest.mark.parametrize(
    ("call", "label"),
    [
        ('cc_proto_library(name = "x", deps = [":p"])', "@com_google_protobuf//:cc_toolchain"),
        ('java_proto_library(name = "x", deps = [":p"])', "@com_google_protobuf//:java_toolchain"),
    ],
)
def test_what_an_aspect_brings_is_no_tool(call: str, label: str, version: str, tmp_path: Path) -> None:
    """Each of these Bazels keeps it, asked about the workspace native_aspects."""
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(f'proto_library(name = "p")\n{call}\n')
    loader = open_loader(open_workspace(tmp_path, Options(jobs=1, bazel_version=version)))
    environment = Environment(BuildGraph(loader), QuerySettings(tool_deps=False))
    assert label in list(map(str, query("deps(//:x, 2)", environment)))
