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
from typing import NamedTuple, Protocol


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


class Lexeme(Protocol):
    """A token, or a piece of an expansion."""

    @property
    def kind(self) -> int:
        """What it is (``Kind``)."""

    @property
    def text(self) -> str:
        """How it is written."""


COMMENT = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
RAW_STRING = r'(?:u8|[uUL])?R"(?P<fence>[^()\\\s"]{0,16})\([\s\S]*?(?:\)(?P=fence)"|\Z)'
STRING = r'(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\\?\Z)'
CHARACTER = r"(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'"
NAME = r"[^\W\d]\w*"
NUMBER = r"\.?\d(?:[eEpP][+-]|'?[\w.])*"
# `#` begins a directive only where it is the first thing on its line; comments may stand before it and inside it.
BEFORE_DIRECTIVE = r"(?>(?:[ \t]++|/\*(?:[^*\n]|\*(?!/))*\*/)*)"
DIRECTIVE = rf"""\#(?:[^\n"/]|/(?![/*])|{STRING}|"|/\*[\s\S]*?\*/)*"""

_TOKEN = re.compile(
    rf"\s*(?:({NAME})|(\#\#|::|->|<<=?|>>=|[-+*%&|^=!<>]=|&&|\|\||\+\+|--|\.\.\.|[^\w\s\"'/.])|({COMMENT})"
    rf"|({RAW_STRING})|({STRING})|({CHARACTER})|({NUMBER})|(/=|\S))"
)
"""Groups: 1 name, 2 punctuation, 3 comment, 4 raw string (5 its fence), 6 string, 7 character, 8 number, 9 the rest.

A name may be the prefix of a literal: then the literal is read again from the name's first character.
"""

_KINDS = {1: Kind.NAME, 2: Kind.PUNCT, 4: Kind.STRING, 5: Kind.STRING, 6: Kind.STRING, 7: Kind.CHAR, 8: Kind.NUMBER}
_LITERAL = re.compile(rf"({RAW_STRING})|({STRING})|({CHARACTER})")
_COMMENT_OR_LITERAL = re.compile(rf"(?P<comment>{COMMENT})|{RAW_STRING}|{STRING}|{CHARACTER}")
_NOT_LINE_END = re.compile(r"[^\n]")
_PREFIXES = frozenset({"u8", "u", "U", "L", "R", "u8R", "uR", "UR", "LR"})
_BEFORE_DIRECTIVE = re.compile(BEFORE_DIRECTIVE)
_DIRECTIVE = re.compile(DIRECTIVE)


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens between two offsets; a preprocessor directive is one token holding its whole line."""
    end = len(text) if end is None else end
    tokens: list[Token] = []
    append = tokens.append
    match, kinds = _TOKEN.match, _KINDS
    make = tuple.__new__  # what Token(...) does, in a third of the time
    position = start
    while position < end:
        found = match(text, position, end)
        if found is None:  # only space is left
            break
        group = found.lastindex or 9
        begin = found.start(group)
        position = found.end()
        word = found.group(group)
        if group == 1:
            if word in _PREFIXES and position < end and text[position] in "\"'":
                literal = _LITERAL.match(text, begin, end)
                if literal is not None and literal.end() > position:
                    position = literal.end()
                    kind = Kind.CHAR if literal.group(4) else Kind.STRING
                    append(make(Token, (kind, literal.group(), begin)))
                    continue
        elif word == "#":
            directive = directive_end(text, begin, end)
            if directive is not None:
                append(make(Token, (Kind.DIRECTIVE, text[begin:directive], begin)))
                position = directive
                continue
        elif group == 3:
            continue
        elif group == 5:
            word, begin = found.group(4), found.start(4)
        append(make(Token, (kinds.get(group, Kind.PUNCT), word, begin)))
    return tokens


def without_comments(text: str) -> str:
    """The text with blanks in the place of comments: lines and offsets stay what they are.

    >>> without_comments('a /* "b" */ "c // d" // e')
    'a           "c // d"     '
    """
    return _COMMENT_OR_LITERAL.sub(_blanked, text)


def _blanked(found: re.Match[str]) -> str:
    return found[0] if found["comment"] is None else _NOT_LINE_END.sub(" ", found[0])


def directive_end(text: str, position: int, end: int) -> int | None:
    """Where the directive whose ``#`` stands at ``position`` ends; None when something else precedes it."""
    if _BEFORE_DIRECTIVE.fullmatch(text, text.rfind("\n", 0, position) + 1, position) is None:
        return None
    found = _DIRECTIVE.match(text, position, end)
    return found.end() if found is not None else None
