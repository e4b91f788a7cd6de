r"""A C++ text with blanks for what stands in functions: who asks where functions are need not cut what they do.

text -> ``Blanked``, a text of the same length, its offsets what they were. A ``{`` behind a ``)`` or ``const`` and its
like opens a body, or a block of one, behind a ``=`` values; where a class or a namespace may be what opens, it stays.
So does what holds a directive, whose branches may open braces that others close, and what holds a word that the reader
wants to see.

>>> text = 'namespace a {\nint f() { return "}"; }\nint g() const {\n#if B\n  h();\n#endif\n}\n}'
>>> print(without_bodies(text, re.compile("wanted")).text)
namespace a {
int f() {             }
int g() const {
#if B
  h();
#endif
}
}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bzlgraph.cpp.tokens import COMMENT, DIRECTIVE, STRING, Token, tokenize

_BRACES = re.compile(
    rf"""(?=[{{}}"'/\#])(?:[{{}}]|{COMMENT}|{STRING}|(?:(?<![0-9a-fA-F])|(?<=u8))'(?:[^'\\\n]|\\.)+'|{DIRECTIVE})"""
)
"""Braces and what may hide some; a quote in a number hides none."""
_BODY = re.compile(r"(?:[)=]|\b(?:const|noexcept|override|final))\s*\{\Z")
_OTHER = re.compile(r"\b(?:class|struct|union|namespace|enum)\b(?!\.*\s*\w*\s*[,>=)])")
"""What a declaration says that opens no function; the parameters of a template say it too."""
_LONGEST = 2_000
"""Characters of a declaration that are looked at."""


class Blanked(NamedTuple):
    """A text with blanks; ``whole`` is what it was, ``ends`` has the ``}`` of each ``{`` that blanks stand behind."""

    text: str
    whole: str
    ends: Mapping[int, int]

    def restored(self, tokens: Iterable[Token]) -> list[Token]:
        """Some of its tokens with those that are left out.

        >>> blanked = without_bodies("int f() { return g(); }", re.compile("wanted"))
        >>> " ".join(token.text for token in blanked.restored(tokenize(blanked.text)))
        'int f ( ) { return g ( ) ; }'
        """
        found: list[Token] = []
        for token in tokens:
            found.append(token)
            if token.text == "{" and token.start in self.ends:
                found += tokenize(self.whole, token.start + 1, self.ends[token.start])
        return found

    def left_out(self, word: re.Pattern[str]) -> Iterator[Token]:
        """The tokens, brackets included, of each body in which a word stands that is left out."""
        for opening, end in self.ends.items():
            if word.search(self.whole, opening, end) is not None:
                yield from tokenize(self.whole, opening, end + 1)


def without_bodies(text: str, wanted: re.Pattern[str]) -> Blanked:
    """The text with blanks in the bodies, but for those in which something wanted stands."""
    if 'R"' in text:
        return Blanked(text, text, {})  # what a raw string holds is not read here
    ends = {opening: end for opening, end in _bodies(text) if wanted.search(text, opening, end) is None}
    pieces: list[str] = []
    last = 0
    for opening, end in ends.items():
        pieces += (text[last : opening + 1], " " * (end - opening - 1))
        last = end
    return Blanked("".join((*pieces, text[last:])), text, ends)


def _bodies(text: str) -> list[tuple[int, int]]:
    """(``{``, ``}``) of the outermost bodies and blocks without a directive, in order."""
    found: list[tuple[int, int]] = []
    waiting: list[tuple[int, int]] = []
    directives = 0
    for each in _BRACES.finditer(text):
        start = each.start()
        first = text[start]
        if first == "{":
            waiting.append((start, directives))
        elif first == "#":
            directives += 1
        elif first == "}" and waiting:
            opening, before = waiting.pop()
            if before == directives and _is_body(text, opening):
                while found and found[-1][0] > opening:
                    found.pop()
                found.append((opening, start))
    return found


def _is_body(text: str, opening: int) -> bool:
    """Whether what stands before a ``{`` says that it opens a function's body, a block of one, or values."""
    if _BODY.search(text, max(opening - 20, 0), opening + 1) is None:
        return False
    far = max(opening - _LONGEST, 0)
    start = max(text.rfind(mark, far, opening) for mark in ";{}")
    return (start >= 0 or far == 0) and _OTHER.search(text, max(start, 0), opening) is None
