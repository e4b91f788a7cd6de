"""Expressions of the dialect against the recorded answers of real Bazels."""

from __future__ import annotations

import tomllib

import pytest

from tests.bazel.expressions import CASES, evaluate, expressions, golden

VERSION = "4.2.3"
ANSWERS = golden(VERSION)
DIFFERENCES = tomllib.loads((CASES / "differences.toml").read_text())
EXPLAINED = {expression for each in DIFFERENCES[VERSION] for expression in each["expressions"]}


def test_every_expression_is_recorded() -> None:
    assert list(ANSWERS) == expressions()


@pytest.mark.parametrize("expression", [each for each in ANSWERS if each not in EXPLAINED])
def test_as_bazel(expression: str) -> None:
    assert evaluate(expression, VERSION) == ANSWERS[expression]


@pytest.mark.parametrize("expression", sorted(EXPLAINED))
def test_difference_is_still_one(expression: str) -> None:
    assert evaluate(expression, VERSION) != ANSWERS[expression]
