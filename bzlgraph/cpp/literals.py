r"""What string and character literals hold.

>>> string_value(r'u8"a\tb\x41"'), string_value('R"x(a\\n"b)x"')
('a\tbA', 'a\\n"b')
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bzlgraph.cpp.tokens import Kind, Lexeme

_PREFIX = re.compile(r"(?:u8|[uUL])?")
_RAW = re.compile(r'(?:u8|[uUL])?R"([^(]{0,16})\(([\s\S]*)\)\1"\Z')
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]+|[0-7]{1,3}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


def string_value(literal: str) -> str:
    """The text a literal stands for (read as UTF-8, the encoding of every source we know of)."""
    if literal[:1] == '"' and "\\" not in literal:  # most there are
        return _as_text(literal[1:-1] if len(literal) > 1 and literal[-1] == '"' else literal[1:])
    raw = _RAW.match(literal)
    if raw is not None:
        return _as_text(raw.group(2))
    found = _PREFIX.match(literal)
    body = literal[found.end() if found else 0 :]
    body = body[1:-1] if len(body) > 1 and body[-1] == body[0] else body[1:]
    return _as_text(_ESCAPE.sub(_escape, body))


def joined_string(tokens: Sequence[Lexeme]) -> str | None:
    """The text of adjacent literals; None when there is anything else among the tokens, or nothing."""
    if not tokens or any(token.kind != Kind.STRING for token in tokens):
        return None
    return "".join(string_value(token.text) for token in tokens)


def quoted(text: str) -> str:
    """Text as a C++ literal, the way the preprocessor's ``#`` makes one."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _escape(found: re.Match[str]) -> str:
    code = found.group(1)
    if code[0] in "xuU" and len(code) > 1:
        return _character(int(code[1:], 16), wide=code[0] != "x")
    if code[0] in "01234567":
        return _character(int(code, 8), wide=False)
    return _SIMPLE.get(code, code)


def _character(number: int, *, wide: bool) -> str:
    """A character of an escape: a byte of the file's encoding, or a Unicode character in that encoding."""
    if not wide:
        return chr(number & 0xFF)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000:
        return "?"
    return chr(number).encode().decode("latin-1")


def _as_text(latin: str) -> str:
    return latin if latin.isascii() else latin.encode("latin-1", "replace").decode("utf-8", "replace")
