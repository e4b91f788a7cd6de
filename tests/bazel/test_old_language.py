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
