"""Values that attributes of native rules are limited to, and values that no rule takes; the Bazels named were asked."""

from __future__ import annotations

import pytest

from bzlgraph.bazel.model import Package
from tests.bazel.memory_workspace import package, problems


def of_build(build: str, version: str) -> Package:
    return package(f"--- pkg/BUILD\n{build}\n", "pkg", version)


@pytest.mark.parametrize(
    ("call", "takes", "refuses"),
    [
        ('py_library(name = "t", srcs_version = "PY4")', (), ("0.19.1", "4.2.3", "7.7.1")),
        ('py_library(name = "t", srcs_version = "PY2AND3")', ("0.19.1", "4.2.3", "7.7.1"), ()),
        ('py_test(name = "t", python_version = "PY2AND3")', (), ("0.24.1", "2.1.0", "7.7.1")),
        ('py_binary(name = "t", default_python_version = "x")', (), ("0.19.1", "2.1.0")),
        ('android_binary(name = "t", multidex = "x")', (), ("0.19.1", "2.1.0", "7.7.1")),
        ('android_binary(name = "t", multidex = "off")', ("2.1.0",), ("7.7.1",)),
        ('cc_binary(name = "t", stamp = 7)', (), ("2.1.0", "4.2.3", "7.7.1")),
        ('cc_binary(name = "t", stamp = -1)', ("2.1.0", "4.2.3", "7.7.1"), ()),
        ('py_library(name = "t", srcs_version = select({"//c:c": "PY3", "//c:d": "PY4"}))', (), ("4.2.3", "7.7.1")),
    ],
)
def test_values_that_native_attributes_are_limited_to(
    call: str, takes: tuple[str, ...], refuses: tuple[str, ...]
) -> None:
    for version in (*takes, *refuses):
        found = of_build(call.replace("android_binary(", 'android_binary(manifest = "m", '), version)
        assert bool(problems(found)) == (version in refuses), (version, problems(found))
        assert "t" in found.targets


def test_a_tree_that_names_no_bazel_has_the_values_of_all() -> None:
    assert not problems(of_build('android_binary(name = "t", manifest = "m", multidex = "off")', ""))


@pytest.mark.parametrize(
    ("call", "made", "none"),
    [
        ('cc_binary(name = "t", srcs = 7)', ("4.2.3",), ("7.7.1", "8.0.0")),
        ('cc_test(name = "t", deps = ["a:b:c"])', ("4.2.3",), ("7.7.1",)),
        ('cc_shared_library(name = "t", shared_lib_name = [])', (), ("7.7.1",)),
        ('cc_binary(name = "t", tags = 7)', ("4.2.3", "7.7.1"), ()),
        ('cc_library(name = "t", srcs = 7)', ("4.2.3", "7.7.1"), ()),
    ],
)
def test_a_wrong_value_before_an_initializer_makes_no_target(
    call: str, made: tuple[str, ...], none: tuple[str, ...]
) -> None:
    """Rules of Bazel 7 and 8 that are written in Starlark inside it."""
    for version in (*made, *none):
        found = of_build(f'{call}\nfilegroup(name = "after")', version)
        assert len(problems(found)) == 1
        assert ({"t", "after"} & found.targets.keys() == {"t", "after"}) == (version in made), version


def test_a_rule_that_stands_in_for_another_doubts_only() -> None:
    build = 'load("@rules_cc//cc:defs.bzl", "cc_binary")\ncc_binary(name = "t", srcs = 7)\nfilegroup(name = "after")'
    found = of_build(build, "7.7.1")
    assert problems(found) == []
    assert {"t", "after"} <= found.targets.keys()
