"""Numbers of 32 bits, which old Bazels had, and those that none has."""

from __future__ import annotations

import pytest

from bzlgraph.bazel.conditional import alternatives
from tests.bazel.memory_workspace import EXPRESSION, package, problems

OVERFLOWS = [
    "2147483647 + 1", "-2147483647 - 2", "46341 * 46341", "-(-2147483647 - 1)", "1 << 31", "3 << 30", "1 << 100",
    "2\ndef f(x):\n    x += 2147483647\nf(1)",
]  # fmt: skip


@pytest.mark.parametrize("expression", OVERFLOWS)
def test_integers_of_32_bits_overflow(expression: str) -> None:
    text = EXPRESSION.replace("{}", expression)
    assert "integer overflow" in problems(package(text, version="2.1.0"))[0]
    assert problems(package(text, version="4.2.3")) == problems(package(text)) == []


def test_integers_of_32_bits() -> None:
    for text, base in (("int('2147483648')", 10), ("int('ffffffff', 16)", 16)):
        words = f"invalid literal for int() with base {base}"
        assert words in problems(package(EXPRESSION.replace("{}", text), version="2.1.0"))[0]
    for text, value in (
        ("-2147483647 - 1", -2147483648),
        ("int('-2147483648')", -2147483648),
        ("(-2147483647 - 1) // -1", 2147483647),
        ("1 >> 40", 0),
    ):
        assert f"x{value}" in package(EXPRESSION.replace("{}", text), version="2.1.0").targets


def test_attributes_hold_32_bits() -> None:
    text = """
--- BUILD
load(":a.bzl", "r")
r(name = "x", one = 1 << 31)
r(name = "y", many = [1, 1 << 31])
--- a.bzl
def _impl(ctx):
    pass
r = rule(implementation = _impl, attrs = {"one": attr.int(), "many": attr.int_list()})
"""
    words = "got 2147483648, want value in signed 32-bit range"
    found = package(text)
    assert [each.partition("for ")[2] for each in problems(found)] == [
        f"attribute 'one' in 'r' rule, {words}",
        f"element 1 of attribute 'many' in 'r' rule, {words}",
    ]
    assert {"x", "y"} <= found.targets.keys()
    for name, value in (("int", "1 << 31"), ("int_list", "[1 << 31]")):
        (problem,) = problems(package(EXPRESSION.replace("{}", f"len([attr.{name}(default = {value})])")))
        assert words in problem


@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
def test_integers_that_no_bazel_has(version: str) -> None:
    assert "binary" in problems(package(EXPRESSION.replace("{}", "0b11"), version=version))[0]


def test_old_octal_numbers() -> None:
    text = '--- BUILD\nfilegroup(name = "x%d_%d" % (010, 0777))'
    assert "x8_511" in package(text, version="0.26.1").targets
    [problem] = problems(package(text, version="0.27.0"))[:1]
    assert problem == "`010` is not a number"


def test_numbers_with_selects_can_be_added() -> None:
    text = "--- BUILD\nload(':a.bzl', 'r')\nr(name = 'x', i = select({':c': 1}) + select({':d': 2}) + 3)\n"
    text += "--- a.bzl\nr = rule(lambda ctx: None, attrs = {'i': attr.int()})\n"
    for version in ("7.7.1", ""):
        found = package(text, version=version)
        assert problems(found) == []
        assert list(alternatives(found.targets["x"].get("i"))) == [6]
