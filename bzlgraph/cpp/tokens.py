r"""Tokens of C, C++ and CUDA: names, numbers, literals, punctuation, directives; comments and space are left out.

``CppText.text`` (or a part of it) -> list of ``Token``. One compiled expression, tried once per token, so that a
quote inside a comment, a comment inside a string and a macro inside a raw string are what the compiler takes them
for. It never fails: an unclosed literal ends with its line, a stray byte is punctuation.
Rules: https://en.cppreference.com/w/cpp/language/translation_phases (phase 3)

>>> [token.text for token in tokenize('f(u8"a//b", /* x */ \'"\') // end')]
['f', '(', 'u8"a//b"', ',', '\'"\'', ')']
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Kind:
    """What a token is: plain numbers, because millions of tokens are compared with them."""

    NAME, NUMBER, STRING, CHAR, PUNCT, DIRECTIVE = range(1, 7)


class Token(NamedTuple):
    """One token; ``start`` is its offset in the text it was cut from."""

    kind: int
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind the token."""
        return self.start + len(self.text)


COMMENT = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
RAW_STRING = r'(?:u8|[uUL])?R"(?P<fence>[^()\\\s"]{0,16})\([\s\S]*?(?:\)(?P=fence)"|\Z)'
STRING = r'(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\\?\Z)'
CHARACTER = r"(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'"
NAME = r"[^\W\d]\w*"
NUMBER = r"\.?\d(?:[eEpP][+-]|'?[\w.])*"
# `#` begins a directive only where it is the first thing on its line; comments may stand before it and inside it.
BEFORE_DIRECTIVE = r"(?:[ \t]|/\*[^\n]*?\*/)*"
DIRECTIVE = rf"""\#(?:[^\n"/]|/(?![/*])|{STRING}|"|/\*[\s\S]*?\*/)*"""

_TOKEN = re.compile(
    rf"(?P<skip>\s+|{COMMENT})|({RAW_STRING})|({STRING})|({CHARACTER})|({NAME})|({NUMBER})"
    r"|(\#\#|::|->|<<=?|>>=|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|\.\.\.|[\s\S])"
)
"""Groups: 1 skip, 2 raw string (3 its fence), 4 string, 5 character, 6 name, 7 number, 8 punctuation."""

_KINDS = {2: Kind.STRING, 4: Kind.STRING, 5: Kind.CHAR, 6: Kind.NAME, 7: Kind.NUMBER, 8: Kind.PUNCT}
_BEFORE_DIRECTIVE = re.compile(BEFORE_DIRECTIVE)
_DIRECTIVE = re.compile(DIRECTIVE)


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens between two offsets; a preprocessor directive is one token holding its whole line."""
    end = len(text) if end is None else end
    tokens: list[Token] = []
    append = tokens.append
    match = _TOKEN.match
    position = start
    while position < end:
        found = match(text, position, end)
        if found is None:  # cannot be: the last alternative takes any character
            break
        group = found.lastindex
        if group == 8 and text[position] == "#":
            directive = directive_end(text, position, end)
            if directive is not None:
                append(Token(Kind.DIRECTIVE, text[position:directive], position))
                position = directive
                continue
        if group != 1:
            kind = Kind.STRING if group == 3 else _KINDS[group or 8]
            append(Token(kind, found.group(), position))
        position = found.end()
    return tokens


def directive_end(text: str, position: int, end: int) -> int | None:
    """Where the directive whose ``#`` stands at ``position`` ends; None when something else precedes it."""
    if _BEFORE_DIRECTIVE.fullmatch(text, text.rfind("\n", 0, position) + 1, position) is None:
        return None
    found = _DIRECTIVE.match(text, position, end)
    return found.end() if found is not None else None
