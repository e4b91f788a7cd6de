"""Rules that left Bazel: loaded by Bazel 8 itself, refused by Bazel 9, native before.

Words of Bazel 9: builtins_bzl/bazel/exports.bzl; of Bazel 8: AutoloadSymbols.java (facts/rule_sets.json).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.bazel.model import Package
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import files_of, package, problems
from tests.written_files import write_files

RULES_JAVA = """
--- WORKSPACE
local_repository(name = "rules_java", path = "rj")
--- rj/WORKSPACE
--- rj/java/BUILD
--- rj/java/java_library.bzl
_java = rule(lambda ctx: None, attrs = {"srcs": attr.label_list(allow_files = True), "mine": attr.string()})
def java_library(name, **kwargs):
    _java(name = name, mine = "yes", **kwargs)
"""
CALL = '--- BUILD\njava_library(name = "a", srcs = ["A.java"])\n'
IN_A_MACRO = '--- BUILD\nload(":m.bzl", "m")\nm()\n--- m.bzl\ndef m():\n    native.java_library(name = "a")\n'


def on_disk(folder: Path, text: str, version: str) -> Package:
    write_files(folder, files_of(RULES_JAVA + text))
    workspace = open_workspace(folder, Options(bazel_version=version, enable_workspace=True))
    found = Loader(workspace).find("", "")
    assert found is not None
    return found


@pytest.mark.parametrize("call", [CALL, IN_A_MACRO])
@pytest.mark.parametrize(("version", "kind"), [("7.7.1", "java_library rule"), ("8.0.1", "_java rule")])
def test_bazel_8_loads_what_earlier_ones_have(tmp_path: Path, version: str, kind: str, call: str) -> None:
    found = on_disk(tmp_path, call, version)
    assert problems(found) == []
    assert found.targets["a"].kind == kind


def test_what_is_not_used_is_not_loaded(tmp_path: Path) -> None:
    assert on_disk(tmp_path, "--- BUILD\nfilegroup(name = 'a')\n", "8.0.1").bzl_files == ()


def test_a_rule_set_that_is_not_on_disk_is_a_gap_that_names_it() -> None:
    found = package(CALL, version="8.0.1")
    assert problems(found) == []
    assert found.targets["a"].kind == "java_library rule"
    assert [gap.repository for gap in found.gaps] == ["@rules_java+"]
    assert package(CALL, version="7.7.1").gaps == []


def test_rules_of_cpp_are_inside_bazel_8() -> None:
    found = package('--- BUILD\ncc_library(name = "c")\n', version="8.0.1")
    assert (problems(found), found.gaps) == ([], [])


@pytest.mark.parametrize("rule", ["cc_library", "cc_import", "objc_library"])
def test_bazel_9_says_that_a_rule_is_removed(rule: str) -> None:
    text = f'--- BUILD\n{rule}(name = "c")\n'
    [problem] = problems(package(text, version="9.0.0"))
    assert problem == "This rule has been removed from Bazel. Please add a `load()` statement for it."
    assert problems(package(text)) == [], "without a version what any Bazel accepts is accepted"


def test_a_loaded_rule_is_read_in_bazel_9() -> None:
    text = '--- MODULE.bazel\nbazel_dep(name = "rules_cc", version = "0.2.0")\n'
    text += '--- BUILD\nload("@rules_cc//cc:defs.bzl", "cc_library")\ncc_library(name = "c")\n'
    found = package(text, version="9.0.0")
    assert problems(found) == []
    assert found.targets["c"].kind == "cc_library rule"
    assert [gap.repository for gap in found.gaps] == ["rules_cc"]
    assert package(text, version="7.7.1").gaps == []


def test_bazel_9_has_the_names_of_java_rules_without_their_attributes() -> None:
    assert "no such attribute 'srcs' in 'java_library' rule" in problems(package(CALL, version="9.0.0"))[0]
    text = '--- MODULE.bazel\nbazel_dep(name = "rules_java", version = "9.0.0")\n'
    loaded = CALL.replace("--- BUILD\n", '--- BUILD\nload("@rules_java//java:defs.bzl", "java_library")\n')
    assert problems(package(text + loaded, version="9.0.0")) == []


@pytest.mark.parametrize(("version", "name"), [("7.7.1", "applicable_licenses"), ("9.0.0", "package_metadata")])
def test_metadata_has_two_names(version: str, name: str) -> None:
    text = '--- BUILD\nload(":r.bzl", "r")\npackage(default_package_metadata = [":l"])\nfilegroup(name = "l")\n'
    text += 'r(name = "a", applicable_licenses = [])\nr(name = "b")\n--- r.bzl\nr = rule(lambda ctx: None)\n'
    found = package(text, version=version)
    assert problems(found) == []
    assert [list(map(str, found.targets[each].get(name))) for each in "ab"] == [[], ["//:l"]]


COMPARISONS = """
--- MODULE.bazel
bazel_dep(name = "bazel_features", version = "1.30.0")
--- BUILD
load(":m.bzl", "m")
m()
--- m.bzl
load("@bazel_features//private:util.bzl", "ge", "ge_same_major", "gt", "lt")
def m():
    found = {"ge": ge("9.0.0-pre.20250911"), "gt": gt("6.5.0rc1"), "lt": lt("9.0.0"), "major": ge_same_major("9.0.0")}
    native.filegroup(name = "-".join([name for name, holds in found.items() if holds]))
"""


@pytest.mark.parametrize(
    ("version", "name"), [("7.7.1", "gt-lt"), ("8.0.0", "gt-lt"), ("9.0.0", "ge-gt-major"), ("9.1.0", "ge-gt-major")]
)
def test_what_bazel_features_compares_is_known_without_it(version: str, name: str) -> None:
    found = package(COMPARISONS, version=version)
    assert problems(found) == []
    assert name in found.targets
