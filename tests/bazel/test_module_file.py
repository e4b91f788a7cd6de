"""MODULE.bazel: which repositories it names, without resolving any module."""

from __future__ import annotations

from bzlgraph.base.label import Label
from tests.bazel.memory_workspace import open_text, package, problems, rule

MODULE = """
--- MODULE.bazel
module(name = "mine", version = "1.0", repo_name = "myself", compatibility_level = 1)
bazel_dep(name = "abseil-cpp", version = "2024", repo_name = "com_google_absl")
bazel_dep(name = "rules_cc", version = "0.1")
bazel_dep(name = "hidden", version = "1", repo_name = None)
local_path_override(module_name = "abseil-cpp", path = "third_party/absl")
ext = use_extension("//:ext.bzl", "ext", dev_dependency = True)
ext.tag(name = "a", deps = ["//x"])
use_repo(ext, "one", two = "made_two")
http_file = use_repo_rule("@bazel_tools//tools/build_defs/repo:http.bzl", "http_file")
http_file(name = "file", url = "u")
register_toolchains("//:all")
single_version_override(module_name = "rules_cc", version = "0.2")
inject_repo(ext, "platforms")
include("//:more.MODULE.bazel")
--- BUILD
load("@rules_cc//cc:defs.bzl", "cc_library")
cc_library(name = "x", deps = ["@com_google_absl//absl/base", "@myself//:y"])
--- p/BUILD
cc_library(name = "z", deps = ["@two//:lib"])
"""


def test_what_is_recorded() -> None:
    workspace = open_text(MODULE)
    assert [each.message for each in workspace.diagnostics] == []
    calls = workspace.context.repositories
    assert list(calls) == ["com_google_absl", "rules_cc", "one", "two", "file"]
    assert calls["com_google_absl"].rule == "local_path_override"
    assert calls["com_google_absl"].attributes["path"] == "third_party/absl"
    assert calls["rules_cc"].rule == "single_version_override"
    assert calls["two"].attributes == {"extension": "//:ext.bzl%ext", "repository": "made_two"}
    assert calls["file"].rule == "http_file"
    assert workspace.context.toolchains == ["//:all"]
    assert any("more.MODULE.bazel" in gap.what for gap in workspace.context.gaps)


def test_packages_load() -> None:
    made = package(MODULE)
    deps = rule(made, "x").get("deps")
    assert deps == [Label("com_google_absl", "absl/base", "base"), Label("", "", "y")]
    assert problems(package(MODULE, "p")) == []


def test_wrong_calls_are_reported() -> None:
    text = "--- MODULE.bazel\nbazel_dep(name = 'a', nothing_like_it = 1)\n--- BUILD\n"
    (problem,) = open_text(text).diagnostics
    assert "nothing_like_it" in problem.message
    assert problem.location is not None
    assert problem.location.path == "MODULE.bazel"
