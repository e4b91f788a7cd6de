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
