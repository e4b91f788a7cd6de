"""``repo_mapping``: what names of repositories mean inside one repository."""

from __future__ import annotations

from bzlgraph.base.label import Label
from bzlgraph.loading.loader import Loader
from tests.bazel.memory_workspace import open_text, rule

REPO_MAPPING = """
--- WORKSPACE
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
workspace(name = "me")
http_archive(name = "archive", url = "u", build_file = "//:archive.BUILD", repo_mapping = {"@a": "@b", "@self": "@me"})
local_repository(name = "other", path = "other")
--- archive.BUILD
load("@absent//:defs.bzl", "conditional")
filegroup(name = "x", srcs = ["@a//:f", "@self//:mine", "@c//:g"] + conditional(["@a//:h"]))
--- BUILD
filegroup(name = "x", srcs = ["@a//:f"])
"""


def test_repo_mapping_is_for_the_files_of_its_repository() -> None:
    """As Bazel 4.2.3 answers for local_repository and new_local_repository: the names given are final."""
    loader = Loader(open_text(REPO_MAPPING))
    archive, main = loader.find("archive", ""), loader.find("", "")
    assert archive is not None
    assert main is not None
    parts = rule(archive, "x").get("srcs").parts
    assert parts[0] == [Label("b", "", "f"), Label("me", "", "mine"), Label("c", "", "g")]
    assert parts[1].branches[0][1] == [Label("b", "", "h")]
    assert rule(main, "x").get("srcs") == [Label("a", "", "f")]


def test_the_own_name_inside_bazel_tools() -> None:
    """Bazel 2.1.0 and 4.2.3 know @bazel_tools before WORKSPACE says what it calls itself: there the name stands for a
    repository of its own, everywhere else for the main one."""
    text = '--- WORKSPACE\nworkspace(name = "me")\nlocal_repository(name = "other", path = "other")\n'
    for version in ("2.1.0", "4.2.3"):
        mapping = open_text(text, version).bzl_loader.mapping
        assert [mapping(current, "me") for current in ("", "other", "bazel_tools")] == ["", "", "me"]
