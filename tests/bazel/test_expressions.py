"""Expressions of the dialect against the recorded answers of real Bazels.

Values must be the same; the words of errors only those of the newer Bazel, whose wording we follow.
"""

from __future__ import annotations

import tomllib

import pytest

from tests.bazel.expressions import CASES, evaluate, expressions, golden

WORDS_OF = "4.2.3"
ANSWERS = {version: golden(version) for version in ("0.19.1", "4.2.3")}
DIFFERENCES = tomllib.loads((CASES / "differences.toml").read_text())
EXPLAINED = {(version, each) for version in ANSWERS for entry in DIFFERENCES[version] for each in entry["expressions"]}
RECORDED = [(version, each) for version, answers in ANSWERS.items() for each in answers]


def ours(version: str, expression: str) -> str:
    """Our answer; of errors, only that there is one where the words do not matter."""
    return _comparable(version, evaluate(expression, version))


def theirs(version: str, expression: str) -> str:
    """The recorded answer, likewise."""
    return _comparable(version, ANSWERS[version][expression])


def _comparable(version: str, answer: str) -> str:
    return "error" if version != WORDS_OF and answer.startswith("error") else answer


@pytest.mark.parametrize("version", ANSWERS)
def test_every_expression_is_recorded(version: str) -> None:
    assert list(ANSWERS[version]) == expressions()


@pytest.mark.parametrize(("version", "expression"), [each for each in RECORDED if each not in EXPLAINED])
def test_as_bazel(version: str, expression: str) -> None:
    assert ours(version, expression) == theirs(version, expression)


@pytest.mark.parametrize(("version", "expression"), sorted(EXPLAINED))
def test_difference_is_still_one(version: str, expression: str) -> None:
    assert ours(version, expression) != theirs(version, expression)


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ('"%x %X" % (-1, -255)', '= "ffffffff FFFFFF01"'),
        ('"%o" % -1099511627776', '= "1777777760000000000000"'),
        ('"%x" % -9223372036854775809', '= "-8000000000000001"'),
        ('int("0b1", 16)', "= 177"),
        ('int("0x1", 36)', "= 1189"),
        ('int("0b1", 8)', 'error: invalid base-8 literal: "0b1" (0b prefix wants base 2)'),
        ("2.0 in range(3)", "= False"),
        ('enumerate(list = ["a"])', '= [(0, "a")]'),
        ('[d.setdefault("z", default = 1) for d in [{}]]', "= [1]"),
        ('{}.get(key = "a")', "error: get() got named argument for positional-only parameter 'key'"),
        ("depset(range(2))", "= depset([0, 1])"),
        ('select({":x": [1]}) + range(2)', '= select({":x": [1]}) + range(0, 2)'),
    ],
)
def test_odd_arguments_as_in_7_7(expression: str, answer: str) -> None:
    assert evaluate(expression, "7.7.1") == answer
