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
    ("text", "message"),
    [
        ("repo(features = [])\nrepo(features = [])", "'repo' can only be called once in the REPO.bazel file"),
        ("repo(default_visibilty = [])", "unexpected keyword argument: default_visibilty"),
        ("bazel_dep(name = 'a')", "'bazel_dep' is not defined"),
        ("load('//:x.bzl', 'x')", "`load`"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    (problem,) = open_text(f"--- MODULE.bazel\n--- BUILD\n--- REPO.bazel\n{text}").diagnostics
    assert message in problem.message
