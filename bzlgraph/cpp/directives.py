"""The preprocessor's directives of one file, and the condition that each place of it stands under.

tokens -> ``Directives``. An include guard is no condition: ``#ifndef X`` followed at once by ``#define X``.

>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "#ifndef A_H_\\n#define A_H_\\n#if CUDA\\nx\\n#else\\ny\\n#endif\\n#endif\\n"
>>> found = read_directives(tokenize(text))
>>> [str(found.condition(text.index(name))) for name in "xy"]
['CUDA', '!CUDA']
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.cpp.condition import FALSE, TRUE, Formula, atom, both, joined, negated, parse_condition
from bzlgraph.cpp.text import NotCppText
from bzlgraph.cpp.tokens import COMMENT, Kind, Token

_DIRECTIVE = re.compile(r"#\s*(\w+)[ \t]*([\s\S]*)")
_COMMENT = re.compile(COMMENT)
MAX_PARTS = 256
"""Conditions that may hold at one place: so many levels of ``#if`` a compiler has to know."""


class Directive(NamedTuple):
    """``# word rest``, ``rest`` without comments, from ``start`` (where the ``#`` stands) to ``end``."""

    word: str
    rest: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Directives:
    """All directives of a file in order; ``starts`` and ``formulas`` say from where on which condition holds."""

    all: tuple[Directive, ...]
    starts: tuple[int, ...]
    formulas: tuple[Formula, ...]

    def condition(self, offset: int) -> Formula:
        """What must hold for a place of the text to be compiled."""
        index = bisect_right(self.starts, offset) - 1
        return self.formulas[index] if index >= 0 else TRUE


def read_directives(tokens: Sequence[Token]) -> Directives:
    """The directives among the tokens of a file."""
    found = tuple(parse_directive(token) for token in tokens if token.kind == Kind.DIRECTIVE)
    return conditions_of(found)


def parse_directive(token: Token) -> Directive:
    """A directive's token, taken apart."""
    match = _DIRECTIVE.match(token.text)
    if match is None:
        return Directive("", "", token.start, token.end)
    rest = match.group(2)
    if "/" in rest and match.group(1) != "include":
        rest = _COMMENT.sub(" ", rest) if '"' not in rest else rest
    return Directive(match.group(1), rest.strip(), token.start, token.end)


def conditions_of(found: tuple[Directive, ...]) -> Directives:
    """Follow ``#if`` ... ``#endif`` through a file; what is never closed lasts to its end. Raises NotCppText."""
    starts: list[int] = []
    formulas: list[Formula] = []
    stack: list[tuple[Formula, Formula]] = []  # (what holds in this branch, what no branch so far covered)
    for index, directive in enumerate(found):
        word = directive.word
        if word in ("if", "ifdef", "ifndef"):
            asked = TRUE if _is_guard(found, index) else _asked(directive)
            stack.append((asked, negated(asked) if asked != TRUE or word == "if" else TRUE))
        elif word in ("elif", "else", "elifdef", "elifndef") and stack:
            left = stack[-1][1]
            asked = TRUE if word == "else" else _asked(directive)
            stack[-1] = (both(left, asked), both(left, negated(asked)))
        elif word == "endif" and stack:
            stack.pop()
        else:
            continue
        holds = joined("and", tuple(branch for branch, _left in stack[: MAX_PARTS + 1]))
        if len(stack) > MAX_PARTS or any(len(each.parts) > MAX_PARTS for each in (holds, *sum(stack[-1:], ()))):
            raise NotCppText(f"its #if directives are nested deeper than {MAX_PARTS}, or have more branches")
        starts.append(directive.start)
        formulas.append(holds)
    return Directives(found, tuple(starts), tuple(formulas))


def _asked(directive: Directive) -> Formula:
    if directive.word in ("if", "elif"):
        return parse_condition(directive.rest)
    name = directive.rest.split()[0] if directive.rest else ""
    return negated(atom(name)) if directive.word in ("ifndef", "elifndef") else atom(name)


def _is_guard(found: tuple[Directive, ...], index: int) -> bool:
    """Whether an ``#ifndef X`` (or ``#if !defined(X)``) is a header's guard, or gives X when nobody did."""
    if index + 1 >= len(found) or found[index + 1].word != "define":
        return False
    asked = _asked(found[index])
    name = found[index + 1].rest.split("(")[0].split()
    return bool(name) and asked == negated(atom(name[0])) and asked != FALSE
