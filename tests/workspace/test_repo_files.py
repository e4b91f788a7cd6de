"""REPO.bazel: https://bazel.build/rules/lib/globals/repo."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import PRIVATE
from tests.bazel.memory_workspace import open_text, package

FILES = """
--- MODULE.bazel
--- REPO.bazel
repo(default_visibility = ["//friends:__pkg__"], features = ["f"])
ignore_directories(["out", "**/node_modules"])
--- BUILD
filegroup(name = "a")
--- own/BUILD
package(default_visibility = ["//visibility:public"])
filegroup(name = "b")
--- out/BUILD
--- deep/node_modules/BUILD
--- deep/node_modules/below/BUILD
--- deep/BUILD
"""


def test_defaults_of_every_package_that_package_replaces() -> None:
    assert package(FILES).default_visibility == (Label("", "friends", "__pkg__"),)
    assert package(FILES).defaults == {"features": ["f"]}
    assert [str(each) for each in package(FILES, "own").default_visibility] == ["//visibility:public"]


def test_folders_that_do_not_exist() -> None:
    assert list(open_text(FILES).repositories.main.tree.packages_below("")) == ["", "deep", "own"]


def test_older_bazels_do_not_read_it() -> None:
    assert package(FILES, version="4.2.3").default_visibility == (PRIVATE,)


@pytest.mark.parametrize(
    ("version", "said", "packages"),
    [("7.7.1", ["name 'ignore_directories' is not defined"], ["", "a"]), ("8.0.0", [], [""])],
)
def test_folders_are_ignored_since_bazel_8(version: str, said: list[str], packages: list[str]) -> None:
    text = "--- MODULE.bazel\n--- BUILD\n--- a/BUILD\n--- REPO.bazel\nignore_directories(['a'])"
    workspace = open_text(text, version=version)
    assert [each.message for each in workspace.diagnostics] == said
    assert list(workspace.repositories.main.tree.packages_below("")) == packages


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("repo(features = [])\nrepo(features = [])", "'repo' can only be called once in the REPO.bazel file"),
        (
            "ignore_directories([])\nrepo(features = [])",
            "repo() is called, it must be called before any other functions",
        ),
        ("repo(default_visibilty = [])", "unexpected keyword argument: default_visibilty"),
        ("bazel_dep(name = 'a')", "'bazel_dep' is not defined"),
        ("load('//:x.bzl', 'x')", "`load`"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    (problem,) = open_text(f"--- MODULE.bazel\n--- BUILD\n--- REPO.bazel\n{text}").diagnostics
    assert message in problem.message
