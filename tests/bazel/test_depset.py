"""Depsets of old trees; the rest of their behaviour is in the recorded expressions."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from tests.bazel.expressions import evaluate
from tests.bazel.memory_workspace import package, rule

LEGACY = [
    ("depset([1]) + depset([2])", "depset([2, 1])"),
    ("depset([1]) | [3]", "depset([1, 3])"),
    ("depset([1]).union([3])", "depset([1, 3])"),
    ("[x for x in depset([1, 2])]", "[1, 2]"),
    ("len(depset([1, 2]))", "2"),
    ("2 in depset([1, 2])", "True"),
    ('depset(order = "compile")', 'depset([], order = "postorder")'),
]


@pytest.mark.parametrize(("expression", "value"), LEGACY)
def test_as_bazel_0_19(expression: str, value: str) -> None:
    assert evaluate(expression, "0.19.1") == f"= {value}"


@pytest.mark.parametrize("expression", [expression for expression, _ in LEGACY[:6]])
def test_gone_since(expression: str) -> None:
    assert evaluate(expression, "4.2.3").startswith("error: ")


def test_in_an_attribute() -> None:
    text = "--- BUILD\nfilegroup(name = 'f', srcs = depset(['a'], transitive = [depset(['b'])]))\n"
    assert rule(package(text), "f").get("srcs") == [Label("", "", "b"), Label("", "", "a")]


def test_many_levels_are_no_danger() -> None:
    text = "[d.to_list()[0] for d in [depset([1])]]"
    assert evaluate(text, "4.2.3") == "= [1]"
    deep = """
--- BUILD
load("//:a.bzl", "total")
filegroup(name = total)
--- a.bzl
def _deep():
    d = depset([0])
    for i in range(1, 5000):
        d = depset([i], transitive = [d, d])
    return len(d.to_list())
total = str(_deep())
"""
    assert rule(package(deep), "5000").label.name == "5000"


@pytest.mark.parametrize("expression", ["depset(items = [1])", "depset(depset([1]))"])
def test_items_and_a_depset_as_elements_are_refused_by_bazel_7(expression: str) -> None:
    assert evaluate(expression, "4.2.3") == "= depset([1])"
    assert evaluate(expression, "7.7.1").startswith("error: ")


def test_union_is_refused_since_bazel_0_26() -> None:
    assert evaluate("depset([1]).union([2])", "0.25.1") == "= depset([1, 2])"
    assert evaluate("depset([1]).union([2])", "0.26.1").startswith("error: depset.union() is not supported")
