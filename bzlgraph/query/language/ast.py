"""Expressions of the query language, each with the place it stands at (offsets into the text)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Word:
    """A target pattern, a number or a regular expression: what it is, the place it stands in decides."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Variable:
    """``$name``, bound by ``let``."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Call:
    """``function(arguments)``."""

    function: str
    arguments: tuple[Expression, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SetOf:
    """``set(a b c)``: the union of target patterns."""

    words: tuple[Word | Variable, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Let:
    """``let name = value in body``."""

    name: str
    value: Expression
    body: Expression
    start: int
    end: int


class Operator(Enum):
    """The operators; each has a word and a sign."""

    UNION = "union"
    EXCEPT = "except"
    INTERSECT = "intersect"


@dataclass(frozen=True, slots=True)
class Chain:
    """``first op e op e ...``, from left to right, all operators alike."""

    first: Expression
    rest: tuple[tuple[Operator, Expression], ...]
    start: int
    end: int


Expression = Word | Variable | Call | SetOf | Let | Chain
