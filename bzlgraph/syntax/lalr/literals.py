"""Literals: the text of a string, bytes or number token -> (value, problems) -> node.

Strings are decoded to Python's Unicode strings. Bazel before 4.0 kept the backslash of an escape it did not know
(``--incompatible_restrict_string_escapes``), and files of that time rely on it: a regular expression is ``"\\.h"``.

>>> decode(r"a\\n\\d\\x41", Escapes())
('a\\n\\\\dA', [])
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf

from bzlgraph.syntax.ast import Literal
from bzlgraph.syntax.dialect import Dialect
from bzlgraph.syntax.lalr.dialect_checks import check_float, check_integer
from bzlgraph.syntax.lalr.lexer import string_parts
from bzlgraph.syntax.lalr.tables import BYTES, FLOAT, INT
from bzlgraph.syntax.problem import Problem

_ESCAPE = re.compile(r"\\(\r?\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_LENGTHS = {"x": "2", "u": "4", "U": "8"}
_REFUSED = frozenset("xuUN")
"""Escapes that no Bazel has, and none takes for something else either."""


@dataclass(frozen=True, slots=True)
class Escapes:
    """Which escapes are known: ``strict`` refuses unknown ones, ``numeric`` knows ``\\x``, ``\\u`` and ``\\U``."""

    strict: bool = False
    numeric: bool = True
    octal_limit: int = 0o377


@dataclass(frozen=True, slots=True)
class BadEscape:
    """An escape that is refused, at ``offset`` within the inside of the string."""

    offset: int
    length: int
    message: str
    hint: str | None = None


def decode(inside: str, escapes: Escapes) -> tuple[str, list[BadEscape]]:
    """The value of the inside of a string that is not raw."""
    bad: list[BadEscape] = []

    def replaced(match: re.Match[str]) -> str:
        value = _value(match[1], escapes)
        if isinstance(value, str):
            return value
        message, hint = value
        bad.append(BadEscape(match.start(), len(match[0]), message, hint))
        return match[0]

    return _ESCAPE.sub(replaced, inside), bad


def _value(code: str, escapes: Escapes) -> str | tuple[str, str | None]:
    """What one escape stands for, or why it is refused. ``code`` is what follows the backslash."""
    if code[-1] == "\n":
        return ""
    if code in _SIMPLE:
        return _SIMPLE[code]
    if code[0] in "01234567":
        number = int(code, 8)
        if number > escapes.octal_limit:
            return f"octal escape `\\{code}` is out of range (maximum is `\\{escapes.octal_limit:o}`)", None
        return chr(number)
    if escapes.numeric and code[0] in _LENGTHS and len(code) > 1:
        number = int(code[1:], 16)
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            return f"`\\{code}` is not a Unicode code point", None
        return chr(number)
    if code[0] in _REFUSED and not escapes.numeric:
        return f"there is no escape sequence `\\{code[0]}`", "write the character itself"
    if not escapes.strict:
        return f"\\{code}"
    if code[0] in _LENGTHS:
        return f"`\\{code[0]}` must be followed by {_LENGTHS[code[0]]} hexadecimal digits", None
    return f"invalid escape sequence `\\{code}`", f'for a backslash write `\\\\{code}`, or r"..." for a raw string'


def _raw(inside: str) -> str:
    """The value of the inside of a raw string: an escaped line break of Windows is one of Unix, as in Bazel."""
    if "\\\r\n" not in inside:
        return inside
    return _ESCAPE.sub(lambda match: "\\\n" if match[1] == "\r\n" else match[0], inside)


def decode_bytes(inside: str, raw: bool) -> tuple[bytes, list[BadEscape]]:
    """The value of the inside of a bytes literal: text stands for its UTF-8, ``\\x`` and octal escapes for one byte."""
    if raw:
        return _raw(inside).encode("utf-8"), []
    bad: list[BadEscape] = []
    parts: list[bytes] = []
    at = 0
    for match in _ESCAPE.finditer(inside):
        parts.append(inside[at : match.start()].encode("utf-8"))
        at = match.end()
        code = match[1]
        value = _value(code, Escapes(strict=True))
        if isinstance(value, str):
            one_byte = code[0] in "01234567x"
            parts.append(bytes([ord(value)]) if one_byte else value.encode("utf-8"))
        else:
            bad.append(BadEscape(match.start(), len(match[0]), *value))
    parts.append(inside[at:].encode("utf-8"))
    return b"".join(parts), bad


MAX_DIGITS = 4000
"""Below CPython's own limit for decimal text; conversion takes quadratic time."""


def integer(token: str) -> int | None:
    """The value of an integer token (the lexer has checked its form); None when it is unreasonably long."""
    old_octal = token[0] == "0" and token.isdigit()
    return int(token, 8 if old_octal else 0) if len(token) <= MAX_DIGITS else None


def literal(kind: int, token: str, start: int, dialect: Dialect, problems: list[Problem]) -> Literal:
    """The node of a token: of a number, or of a string that is not plain; ``kind`` is its column in the tables."""
    end = start + len(token)
    if kind == INT:
        value = integer(token)
        if value is None:
            problems.append(Problem(start, end, f"integer literal has more than {MAX_DIGITS} digits"))
        check_integer(value or 0, token, start, dialect, problems)
        return Literal(start, end, value or 0)
    if kind == FLOAT:
        number = float(token)
        if number == inf:
            problems.append(Problem(start, end, "floating-point literal is too large"))
        check_float(token, start, dialect, problems)
        return Literal(start, end, number)
    prefix, quote = string_parts(token)
    first = len(prefix) + len(quote)
    inside = token[first : -len(quote)]
    raw = "r" in prefix.lower()
    decoded: str | bytes
    if kind == BYTES:
        decoded, bad = decode_bytes(inside, raw)
    elif raw or "\\" not in inside:
        return Literal(start, end, _raw(inside))
    else:
        decoded, bad = decode(inside, Escapes(dialect.strict_escapes, dialect.numeric_escapes))
    for each in bad:
        at = start + first + each.offset
        problems.append(Problem(at, at + each.length, each.message, each.hint))
    return Literal(start, end, decoded)
