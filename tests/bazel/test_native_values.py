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
