"""What the language itself was in Bazels before 0.22."""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import package, problems
from tests.bazel.test_versions import EXPRESSION


@pytest.mark.parametrize("expression", ["7 / 2", "1 + -7 / 2 + 6", "7\ndef f(x):\n    x /= 2\n    return x\nC = f(B)"])
def test_a_slash_divides_integers_before_bazel_0_21(expression: str) -> None:
    text = EXPRESSION.replace("{}", expression).replace('load(":a.bzl", "B")', 'load(":a.bzl", B = "C")')
    text += "" if "C =" in expression else "C = B\n"
    assert "x3" in package(text, version="0.20.0").targets
    assert "no operator `/`" in problems(package(text, version="0.21.0"))[0]
    assert "x3" not in package(text).targets


@pytest.mark.parametrize(
    "expression",
    ["([1] + range(3))[3] + 1", "len(range(1, 7, 2) * 1)", "3 if range(1) == [0] else 4", "sorted(range(4))[3]"],
)
def test_range_makes_lists_before_bazel_0_20(expression: str) -> None:
    text = EXPRESSION.replace("{}", expression)
    assert "x3" in package(text, version="0.19.1").targets
    assert ("x3" in package(text, version="0.20.0").targets) == expression.startswith("sorted")


def test_a_range_of_a_build_file_is_a_list_before_bazel_0_20() -> None:
    text = '--- BUILD\n[filegroup(name = "x%d" % i) for i in range(1) + [2]]\n'
    assert {"x0", "x2"} <= package(text, version="0.19.1").targets.keys()
    assert problems(package(text, version="0.20.0")) != []
