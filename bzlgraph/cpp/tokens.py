r"""Tokens of C, C++ and CUDA: names, numbers, literals, punctuation, directives; comments and space are left out.

``CppText.text`` (or a part of it) -> list of ``Token``. One compiled expression cuts it into pieces, so that a quote
inside a comment, a comment inside a string and a macro inside a raw string are what the compiler takes them for; what
a piece is follows from how it begins. It never fails: an unclosed literal ends with its line, a stray byte is
punctuation.
Rules: https://en.cppreference.com/w/cpp/language/translation_phases (phase 3)

>>> [token.text for token in tokenize('f(u8"a//b", /* x */ \'"\') // end')]
['f', '(', 'u8"a//b"', ',', '\'"\'', ')']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
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
RAW_STRING = r'(?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\([\s\S]*?(?:\)(?P=fence)"|\Z)'
STRING = r'(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\\?\Z)'
CHARACTER = r"(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'"
NAME = r"[^\W\d]\w*"
NUMBER = r"\.?\d(?:[eEpP][+-]|'?[\w.])*"
# `#` begins a directive only where it is the first thing on its line; comments may stand before it and inside it.
BEFORE_DIRECTIVE = r"(?>(?:[ \t]++|/\*(?:[^*\n]|\*(?!/))*\*/)*)"
DIRECTIVE = rf"""\#(?:[^\n"/]|/(?![/*])|{STRING}|"|/\*[\s\S]*?\*/)*"""

_LONG = r"\#\#|::|->|<<=?|>>=|[-+*%&|^=!<>]=|&&|\|\||\+\+|--|\.\.\."


def _pieces(*more: str) -> re.Pattern[str]:
    """Space and what stands behind it. Most pieces are names, looked for first; a prefix of a literal is none."""
    rest = "|".join((*more, COMMENT, STRING, CHARACTER, NAME, NUMBER))
    return re.compile(rf"""\s*(?:{NAME}+(?!["'])|{_LONG}|[^\w\s"'/.\#]|{rest}|/=|\S)""")


_PIECE, _WITH_RAW_STRINGS, _WITHOUT_DIRECTIVES = _pieces(DIRECTIVE), _pieces(DIRECTIVE, RAW_STRING), _pieces(RAW_STRING)
"""Few texts have raw strings, and ``findall`` gives no pieces where the expression has a group, as they need."""
_COMMENT_OR_LITERAL = re.compile(rf"(?P<comment>{COMMENT})|{RAW_STRING}|{STRING}|{CHARACTER}")
_NOT_LINE_END = re.compile(r"[^\n]")
_BEFORE_DIRECTIVE = re.compile(BEFORE_DIRECTIVE)
_DIRECTIVE = re.compile(DIRECTIVE)
_NAME, _DIGIT, _QUOTE = re.compile(NAME), re.compile(r"\d"), re.compile("[\"']")


class _Kinds(dict[str, int]):
    """What a piece is that begins with a character; 0 where that does not tell."""

    def __missing__(self, first: str) -> int:
        known = ((_NAME, Kind.NAME), (_DIGIT, Kind.NUMBER))
        found = self[first] = next((kind for pattern, kind in known if pattern.match(first)), Kind.PUNCT)
        return found


_KINDS = _Kinds(dict.fromkeys("uULR.'\"/#", 0))


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens between two offsets; a preprocessor directive is one token holding its whole line."""
    end = len(text) if end is None else end
    if text.find('R"', start, end) < 0:
        pieces = _PIECE.findall(text, start, end)
    else:
        pieces = [found[0] for found in _WITH_RAW_STRINGS.finditer(text, start, end)]
    tokens = _tokens(text, pieces, start, end)
    if all(_is_first(text, token[2]) for token in tokens if token[0] == Kind.DIRECTIVE):
        return tokens
    tokens = _tokens(text, list(_one_by_one(text, start, end)), start, end)
    plain = (token[0] == Kind.DIRECTIVE and not _is_first(text, token[2]) for token in tokens)
    return [each._replace(kind=Kind.PUNCT) if is_plain else each for each, is_plain in zip(tokens, plain, strict=True)]


def _tokens(text: str, pieces: list[str], start: int, end: int) -> list[Token]:
    """What the pieces between two offsets are, comments left out."""
    ends = accumulate(map(len, pieces), initial=start)
    next(ends)
    make, kinds = tuple.__new__, _KINDS  # Token(...) takes three times as long
    return [
        make(Token, (kind, word, behind - len(word)))
        for word, behind in zip(map(str.lstrip, pieces), ends, strict=True)
        if (kind := kinds[word[0]] or _kind(word, behind == end or text[behind] == "\n"))
    ]


def _kind(word: str, ends_line: bool) -> int:
    """What a piece is that its first character does not tell; 0 for a comment."""
    first = word[0]
    if first == "/":
        return 0 if word[1:2] in ("/", "*") and len(word) > 1 else Kind.PUNCT
    if first == "#":
        return Kind.PUNCT if word == "##" else Kind.DIRECTIVE
    if first == ".":
        return Kind.PUNCT if word in (".", "...") else Kind.NUMBER
    if first == "'":
        return Kind.CHAR if len(word) > 1 else Kind.PUNCT
    if first == '"':
        return Kind.STRING if len(word) > 1 or ends_line else Kind.PUNCT
    quote = _QUOTE.search(word)
    return Kind.NAME if quote is None else Kind.CHAR if quote[0] == "'" else Kind.STRING


def _one_by_one(text: str, start: int, end: int) -> Iterator[str]:
    """The pieces of a text where a ``#`` is no directive: something else stands before it on its line."""
    while (found := _WITHOUT_DIRECTIVES.match(text, start, end)) is not None:
        stop = directive_end(text, found.end() - 1, end) if found[0].lstrip() == "#" else None
        yield text[start : stop or found.end()]
        start = stop or found.end()


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
    found = _DIRECTIVE.match(text, position, end) if _is_first(text, position) else None
    return found.end() if found is not None else None


def _is_first(text: str, position: int) -> bool:
    """Whether only space and comments stand before a place on its line."""
    line = text.rfind("\n", 0, position) + 1
    return line == position or _BEFORE_DIRECTIVE.fullmatch(text, line, position) is not None
