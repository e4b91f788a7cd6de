"""visibility() of .bzl files: who may load them, in the words of Bazel 7.7.1, which was asked."""

from __future__ import annotations

import pytest

from bzlgraph.loading.loader import Loader
from tests.bazel.memory_workspace import open_text, package, problems

FILES = """
--- a/BUILD
load(":v.bzl", "X")
filegroup(name = "own")
--- b/BUILD
load("//a:v.bzl", "X")
filegroup(name = "direct")
--- b/c/BUILD
load("//a:v.bzl", "X")
filegroup(name = "below")
--- d/BUILD
load("//b:x.bzl", "Y")
filegroup(name = "through")
--- b/x.bzl
load("//a:v.bzl", "X")
Y = X
--- a/v.bzl
X = 1
"""
REFUSED = "Starlark file //a:v.bzl is not visible for loading from package //{}"


def refused(declaration: str, version: str = "7.7.1") -> set[str]:
    """The packages that may not load the file, or load one that may not."""
    loader = Loader(open_text(FILES + declaration, version))
    found = {name: loader.find("", name) for name in ("a", "b", "b/c", "d")}
    assert all(each is not None and each.targets for each in found.values())
    return {name for name, each in found.items() if each is not None and each.diagnostics}


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("", set()),
        ('visibility("public")', set()),
        ('visibility("private")', {"b", "b/c", "d"}),
        ("visibility([])", {"b", "b/c", "d"}),
        ('visibility(["//b"])', {"b/c"}),
        ('visibility("//b")', {"b/c"}),
        ('visibility(["//b/..."])', set()),
        ('visibility(["//b/c"])', {"b", "d"}),
        ('visibility(["private", "//b"])', {"b/c"}),
        ('visibility(["//..."])', set()),
    ],
)
def test_who_may_load_a_file(declaration: str, expected: set[str]) -> None:
    assert refused(declaration) == expected
    assert refused(declaration, "9.0.0") == expected


def test_a_violation_is_told_where_the_load_is() -> None:
    text = FILES + 'visibility("private")'
    (problem,) = package(text, "b", "7.7.1").diagnostics
    assert problem.message == REFUSED.format("b")
    assert str(problem.location).startswith("b/BUILD:1:")
    (problem,) = package(text, "d", "7.7.1").diagnostics
    assert problem.message == REFUSED.format("b")
    assert str(problem.location).startswith("b/x.bzl:1:")


def test_a_tree_of_any_age_is_not_refused() -> None:
    assert refused('visibility("private")', "") == set()


@pytest.mark.parametrize(
    ("declaration", "problem"),
    [
        ('visibility("public")\nvisibility("private")', "load visibility may not be set more than once"),
        ('def f(): visibility("public")\nf()', "load visibility may only be set at the top level"),
        ('visibility(["-//b", "public"])', "Cannot use negative package patterns here"),
        ('visibility(["//b:__pkg__"])', "invalid package name '//b:__pkg__': invalid package identifier"),
        ('visibility(["b"])', "invalid package name 'b': must start with '//' or be 'public' or 'private'"),
        ('visibility(["@x//b"])', "invalid package name '@x//b': must start with '//'"),
        ('visibility(["//b/"])', "invalid package name '//b/': invalid package name 'b/': package names may not end"),
        ('visibility(["//b/.../c"])', "invalid package name 'b/.../c': package name component contains only '.'"),
        ('visibility(("//b",))', "Invalid visibility: got 'tuple', want string or list of strings"),
        ("visibility([1])", "at index 0 of visibility list, got element of type int, want string"),
    ],
)
def test_wrong_declarations(declaration: str, problem: str) -> None:
    assert any(problem in each for each in problems(package(FILES + declaration, "a", "7.7.1")))
