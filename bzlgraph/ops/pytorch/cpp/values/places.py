"""Where the values in a C++ function stand: which tokens a value, a type with its arguments or a call are made of.

tokens of a function -> places, by names and brackets alone: what anything is, ``values.py`` knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from bzlgraph.cpp.outline import Outline
from bzlgraph.cpp.tokens import Kind, Token

BEFORE_VALUE = frozenset("( [ , = { ; return && || ? : == != <= >= += -= *= /= + - * / % & | ^ < !".split())
"""What an operator stands behind that has nothing on its left."""
INFIX = frozenset("+ - * / % += -= *= /= &= |= == != < <= > >= & | ^".split())
"""Operators between two values."""
WORDS = frozenset(
    "if for while switch return sizeof catch static_cast reinterpret_cast const_cast dynamic_cast decltype alignof"
    " typeid throw new delete else case goto const auto typename class struct using namespace".split()
)
"""Words of C++ that name nothing."""
GET = "get"
"""What takes one of several: ``std::get<0>(several)``."""
_STARTS = frozenset({";", "{", "}", "const", "static"})
MAX_ANGLE = 30
"""Tokens between ``<`` and ``>``."""
MAX_HEAD = 12
"""Tokens between the parameters of a lambda (or a loop) and its block."""
_NO_HEAD = frozenset({";", ",", ")", "}", "("})


class Places:
    """The tokens of a function."""

    def __init__(self, outline: Outline[Token]) -> None:
        self._outline = outline
        self._tokens = outline.tokens

    def start(self, at: int) -> int:
        """The first token of the value (or type) that ends at a token, as far as names and brackets go."""
        tokens = self._tokens
        while at > 0:
            if tokens[at].text in (")", "]"):
                at = self._outline.brackets.openings.get(at, at)
                if tokens[at - 1].kind != Kind.NAME and tokens[at - 1].text not in (">", "]", ")"):
                    return at
                at -= 1
            elif tokens[at].text == ">":
                at = self.angle(at) - 1
            elif tokens[at - 1].text in (".", "->", "::"):
                at -= 2
            else:
                return at
        return at

    def angle(self, at: int) -> int:
        """The ``<`` that a ``>`` closes."""
        depth = inside = 0
        for index in range(at, max(at - MAX_ANGLE, 0), -1):
            text = self._tokens[index].text
            inside += {")": 1, "(": -1}.get(text, 0)
            depth += {">": 1, ">>": 2, "<": -1}.get(text, 0) if not inside else 0
            if inside < 0:
                break  # `a < b, f(a > b)`
            if depth <= 0:
                return index
        return at

    def outside(self, first: int, end: int) -> Iterator[int]:
        """The tokens from the first to before the end that are in no brackets."""
        at = first
        while at < end:
            closed = self._outline.brackets.ends[at]
            if closed == at or self._tokens[at].text not in ("(", "[", "{"):
                yield at
            at = max(closed, at) + 1 if self._tokens[at].text in ("(", "[", "{") else at + 1

    def known_until(self, closing: int, otherwise: int) -> int:
        """How far what is declared between round brackets is known: to the end of the block behind them."""
        for at in range(closing + 1, min(closing + MAX_HEAD, len(self._tokens))):
            text = self._tokens[at].text
            if text == "{":
                return self._outline.brackets.ends[at]
            if text in _NO_HEAD:
                break
        return max(closing, otherwise)

    def called_last(self, at: int) -> str:
        """The function of the call that ends at a token, without template arguments; "" for what is no call."""
        before = self._outline.brackets.openings.get(at, 0) - 1 if self._tokens[at].text == ")" else 0
        if before > 0 and self._tokens[before].text == ">":
            before = self.angle(before) - 1
        return self._tokens[before].text if before > 0 else ""

    def takes_one(self, opening: int) -> bool:
        """Whether a call is ``std::get<0>(several)``."""
        before = opening - 1
        return self._tokens[before].text == ">" and self._tokens[self.angle(before) - 1].text == GET

    def type_end(self, at: int) -> int:
        """The last word of the type that begins at a token, without its arguments: ``const at::Tensor&``."""
        while self._tokens[at + 1].kind == Kind.NAME or self._tokens[at + 1].text == "::":
            at += 1
        return at

    def is_auto(self, at: int) -> bool:
        """Whether the variable that is named there is declared with ``auto``."""
        before = self._tokens[at - 1].text
        return before == "auto" or (before in ("&", "&&", "*") and self._tokens[at - 2].text == "auto")

    def is_constant(self, at: int) -> bool:
        """Whether the template arguments that end there are those of a number: ``2 * pi<double> * x``."""
        return self._tokens[at].text == ">" and self._tokens[self.start(at) - 1].text in INFIX

    def begins_statement(self, at: int) -> bool:
        """Whether the type whose arguments end there is the first of a statement."""
        start = self.start(at)
        return start > 0 and self._tokens[start - 1].text in _STARTS

    def is_address(self, at: int) -> bool:
        """Whether the ``&`` of ``&a == &b`` stands at a token."""
        return at > 0 and self._tokens[at].text == "&" and self._tokens[at - 1].text in BEFORE_VALUE


def places_of(words: Sequence[str], word: str) -> Iterator[int]:
    """Where a word stands: walking a file's tokens word by word takes many times as long."""
    at = -1
    with suppress(ValueError):
        while True:
            at = words.index(word, at + 1)
            yield at


def whole_arguments(parts: Iterable[Sequence[Token]]) -> Iterator[Sequence[Token]]:
    """Arguments, with those of a template put together again: ``Is<T, false>()`` is one."""
    opened: list[Sequence[Token]] = []
    for part in parts:
        opened.append(part)
        if sum(map(_opened_angles, opened)) <= 0:
            yield _joined(opened)
            opened = []
    yield from opened  # `a < b`


def _opened_angles(part: Sequence[Token]) -> int:
    """How many ``<`` of an argument are not closed in it; those in brackets are their own: ``a < b, g(b > c)``."""
    found = depth = 0
    for token in part:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0)
        found += {"<": 1, ">": -1, ">>": -2}.get(token.text, 0) if not depth else 0
    return found


def _joined(parts: Sequence[Sequence[Token]]) -> Sequence[Token]:
    comma = Token(Kind.PUNCT, ",", 0)
    return parts[0] if len(parts) == 1 else [token for part in parts for token in (*part, comma)][:-1]


def behind_template(tokens: Sequence[Token], at: int) -> int:
    """The token behind ``<...>`` when that may be a list of template arguments, else ``at`` itself."""
    if at >= len(tokens) or tokens[at].text != "<":
        return at
    depth = inside = 0
    for index in range(at, min(at + 40, len(tokens))):
        text = tokens[index].text
        inside += {"(": 1, ")": -1}.get(text, 0)  # `<decltype(x)>`
        depth += {"<": 1, "<<": 2, ">": -1, ">>": -2}.get(text, 0) if not inside else 0
        if depth <= 0:
            return index + 1
        if text in (";", "{", "&&", "||") or inside < 0:
            break
    return at
