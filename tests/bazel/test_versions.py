"""What old Bazels accepted and newer ones refuse: each pair of versions was asked (``tools/ask_behaviour.py``)."""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import package, problems

REEXPORT = """
--- BUILD
load(":a.bzl", "B")
filegroup(name = B)
--- a.bzl
load(":b.bzl", "B")
--- b.bzl
B = "x"
"""
EXPRESSION = """
--- BUILD
load(":a.bzl", "B")
filegroup(name = "x%s" % B)
--- a.bzl
B = {}
"""
CHANGES = {
    "a loaded name can be loaded again": (REEXPORT, "0.24.1", "0.25.0"),
    "dictionaries can be added": (EXPRESSION.replace("{}", "len({1: 2} + {3: 4})"), "0.23.2", "0.24.0"),
    "010 is eight": (EXPRESSION.replace("{}", "010"), "0.26.1", "0.27.0"),
    "depsets can be added": (EXPRESSION.replace("{}", "len((depset([1]) + [2]).to_list())"), "0.25.1", "0.26.0"),
    "depsets can be united": (
        EXPRESSION.replace("{}", "len((depset([1]) | depset([2])).to_list())"), "0.25.1", "0.26.0"
    ),
    "depsets can be iterated over": (EXPRESSION.replace("{}", "len([x for x in depset([1])])"), "0.26.1", "0.27.0"),
    "depsets have a length": (EXPRESSION.replace("{}", "len(depset([1]))"), "0.26.1", "0.27.0"),
    "depsets contain": (EXPRESSION.replace("{}", "1 in depset([1])"), "0.26.1", "0.27.0"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_accepted_until_a_release(change: str) -> None:
    text, last, first = CHANGES[change]
    assert problems(package(text, version=last)) == []
    assert problems(package(text, version=first)) != []


@pytest.mark.parametrize("change", CHANGES)
def test_without_a_version_what_any_bazel_accepts_is_accepted(change: str) -> None:
    assert problems(package(CHANGES[change][0])) == []


def test_old_octal_numbers() -> None:
    text = '--- BUILD\nfilegroup(name = "x%d_%d" % (010, 0777))'
    assert "x8_511" in package(text, version="0.26.1").targets
    [problem] = problems(package(text, version="0.27.0"))[:1]
    assert problem == "`010` is not a number"


def test_a_rule_under_third_party_needs_a_license_until_025() -> None:
    text = '--- third_party/x/BUILD\nfilegroup(name = "x")'
    assert "lacks a license" in problems(package(text, "third_party/x", "0.24.1"))[0]
    assert problems(package(text, "third_party/x", "0.25.0")) == []


def test_public_or_private_among_other_labels() -> None:
    text = '--- BUILD\nfilegroup(name = "x", visibility = ["//visibility:public", "//a:g"])'
    wrong = "cannot be used in combination with other labels"
    for version, effective in (("4.2.3", ["//visibility:private"]), ("7.7.1", ["//a:g", "//visibility:public"])):
        found = package(text, version=version)
        assert wrong in problems(found)[0]
        assert list(map(str, found.targets["x"].visibility)) == effective
    assert problems(package(text)) == problems(package(text, version="8.0.0")) == []
