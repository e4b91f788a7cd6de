"""Regular expressions as Bazel reads them: Java's, searched anywhere in the text -> a function of a text.

Python's differ little. What Java refuses is refused (a `{` that repeats nothing); what only Java has and people use
is translated (``\\Q...\\E``, ``\\z``, ``\\h``, ``\\p{Alpha}``).

>>> bool(searcher(r"\\Qa.b\\E")("x a.b")), bool(searcher("core$")("//lib:core.cc"))
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Callable

_LITERAL = re.compile(r"\\Q(.*?)(?:\\E|$)", re.DOTALL)
_CLASSES = {
    r"\z": r"\Z",
    r"\Z": r"(?=\n?\Z)",
    r"\h": r"[ \t]",
    r"\R": r"(?:\r\n|[\n\r])",
    r"\p{Alpha}": "[A-Za-z]",
    r"\p{Digit}": "[0-9]",
    r"\p{Alnum}": "[A-Za-z0-9]",
    r"\p{Lower}": "[a-z]",
    r"\p{Upper}": "[A-Z]",
    r"\p{Punct}": r"[!-/:-@\[-`{-~]",
    r"\p{Space}": r"\s",
}
_ESCAPE = re.compile(r"\\p\{\w+\}|\\.", re.DOTALL)
_LONE_BRACE = re.compile(r"(?:^|[(|])\{")


_LONG = 1 << 14
"""From so many characters on a text is searched place by place. Inside of one search Python looks for a signal every
4,096 steps only, and each may go through the whole text: in 1 MB a limit of 3 s was noticed after 8 s."""


class PatternError(ValueError):
    """A text is not a valid regular expression."""


def searcher(pattern: str) -> Callable[[str], object]:
    """``search(text)``: truthy when the pattern is found anywhere. Raises PatternError when it is no pattern."""
    translated = "".join(_translated(pattern))
    if _LONE_BRACE.search(_ESCAPE.sub("x", pattern)):
        raise PatternError(
            f"`{pattern}`: invalid regular expression: `{{` has nothing to repeat; write `\\{{` for a literal `{{`"
        )
    try:
        compiled = re.compile(translated)
    except (re.error, ValueError, OverflowError, RecursionError) as error:  # numbers of 5,000 digits, deep brackets
        raise PatternError(f"`{pattern}`: invalid regular expression: {error}") from None

    def search(text: str) -> object:
        if len(text) < _LONG:
            return compiled.search(text)
        return any(compiled.match(text, at) for at in range(len(text) + 1))

    return search


def _translated(pattern: str) -> list[str]:
    """The pattern with quoted parts escaped and Java's classes replaced."""
    parts, at = [], 0
    for literal in _LITERAL.finditer(pattern):
        parts += [_replace_classes(pattern[at : literal.start()]), re.escape(literal.group(1))]
        at = literal.end()
    return [*parts, _replace_classes(pattern[at:])]


def _replace_classes(pattern: str) -> str:
    return _ESCAPE.sub(lambda found: _CLASSES.get(found.group(), found.group()), pattern)
