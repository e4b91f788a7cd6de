"""Preludes beside what tests/workspaces/prelude records of real Bazel: broken ones, unknown files, old statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.bazel.model import Package
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files

OLD, NEW = "2.1.0", "7.7.1"


def load(root: Path, version: str, prelude: str, build: str) -> Package:
    files = {
        "WORKSPACE": "",
        "tools/build_rules/BUILD": "",
        "tools/build_rules/prelude_bazel": prelude,
        "p/BUILD": build,
    }
    write_files(root, files)
    package = open_loader(open_workspace(root, Options(bazel_version=version))).package("", "p")
    assert package is not None
    return package


def problems(package: Package) -> list[str]:
    return [f"{each.location}: {each.message}" for each in package.diagnostics]


@pytest.mark.parametrize("version", [OLD, NEW])
def test_rules_that_nobody_has_are_unknown_rules(version: str, tmp_path: Path) -> None:
    """As where a BUILD file loads them itself: most preludes load a rule set."""
    prelude = "load('@rules_rare//rare:defs.bzl', 'rare_library')\n"
    package = load(tmp_path, version, prelude, "rare_library(name = 'x', deps = ['//q:y'])\n")
    assert not problems(package)
    assert [rule.rule_class.name for rule in package.rules()] == ["rare_library"]
    assert "@rules_rare//rare:defs.bzl is not on disk" in {gap.what for gap in package.gaps}


@pytest.mark.parametrize("version", [OLD, NEW])
def test_a_broken_prelude_is_a_problem_of_each_package(version: str, tmp_path: Path) -> None:
    package = load(tmp_path, version, "A = 'a'\nB = None + 1\n", "filegroup(name = A)\n")
    assert problems(package)[0].startswith("tools/build_rules/prelude_bazel:2:10: unsupported binary operation")
    assert package.broken


def test_statements_of_an_old_prelude_begin_the_file(tmp_path: Path) -> None:
    """They may make targets, and the file goes on with what they bound: asked of 2.1.0."""
    build = "NAMES += ['c']\n[filegroup(name = each) for each in NAMES]\n"
    package = load(tmp_path, OLD, "NAMES = ['b']\nfilegroup(name = 'a')\n", build)
    assert not problems(package)
    assert [rule.label.name for rule in package.rules()] == ["a", "b", "c"]


def test_a_prelude_that_is_a_module_makes_no_targets(tmp_path: Path) -> None:
    package = load(tmp_path, NEW, "NAMES = ['b']\n", "NAMES += ['c']\n")
    assert problems(package) == ["p/BUILD:1:1: global variable 'NAMES' is referenced before assignment."]


def test_functions_of_a_prelude(tmp_path: Path) -> None:
    prelude = "def _named(name):\n    native.filegroup(name = name)\nnamed = _named\n"
    package = load(tmp_path / "new", NEW, prelude, "named(name = 'x')\n")
    assert not problems(package)
    assert [rule.label.name for rule in package.rules()] == ["x"]
    assert package.bzl_files == ()
    assert [str(each) for each in package.prelude_files] == ["//tools/build_rules:prelude_bazel"]
    package = load(tmp_path / "old", OLD, prelude, "filegroup(name = 'y')\n")
    assert "functions may not be defined in BUILD files" in problems(package)[0]
