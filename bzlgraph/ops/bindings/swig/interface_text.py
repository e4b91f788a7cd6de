"""The text of an interface of SWIG as its preprocessor leaves it: macros replaced, what stands under a condition
with it.

bytes -> ``Interface``. Rules (https://www.swig.org/Doc4.0/Preprocessor.html):

1. ``%define NAME(a, b)`` ... ``%enddef`` is a macro of any number of lines, in which ``##`` joins; what it writes
   stands on the lines where it is used.
2. ``#if`` and its like are kept as conditions, of headers too. What SWIG itself defines for Python (``SWIG``,
   ``SWIGPYTHON``, ``__cplusplus``) holds, what it defines for other languages does not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from bzlgraph.base.span import Location
from bzlgraph.cpp.condition import TRUE, Formula, assuming
from bzlgraph.cpp.directives import Directive, Directives, conditions_of, parse_directive
from bzlgraph.cpp.text import NotCppText
from bzlgraph.cpp.tokens import Kind, Token

_OTHERS = "CSHARP D GO GUILE JAVA JAVASCRIPT LUA MZSCHEME OCAML OCTAVE PERL PHP R RUBY SCILAB TCL UFFI XML"
KNOWN = {
    **dict.fromkeys(("SWIG", "SWIGPYTHON", "__cplusplus"), True),
    **{f"SWIG{other}": False for other in _OTHERS.split()},
}
"""Rule 2."""
MAX_TEXT = 1 << 22
"""Macros that write more than this are not followed."""
_NONE = Directives((), (), ())
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DEFINE = re.compile(
    r"^%define[ \t]+(\w+)[ \t]*(?:\(([^)\n]*)\))?[^\n]*\n(.*?)^%enddef\b[^\n]*", re.DOTALL | re.MULTILINE
)
_DIRECTIVE = re.compile(r"^[ \t]*(#(?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_JOINED = re.compile(r"\s*##\s*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Interface:
    """One file. ``starts`` and ``lines``: from which place of ``text`` on which line of the file it is, where that is
    not one more after each end of a line."""

    path: str
    text: str
    conditions: Directives = _NONE
    starts: tuple[int, ...] = ()
    lines: tuple[tuple[int, bool], ...] = ()

    def line(self, offset: int) -> int:
        """The line of a place."""
        at = bisect_right(self.starts, offset) - 1
        if at < 0:
            return self.text.count("\n", 0, offset) + 1
        line, stays = self.lines[at]
        return line if stays else line + self.text.count("\n", self.starts[at], offset)

    def place(self, offset: int) -> Location:
        """The same, as a place that answers show."""
        return Location(self.path, self.line(offset), 0)

    def condition(self, offset: int) -> Formula:
        """What must hold for a place to be read."""
        return for_python(self.conditions.condition(offset))


def for_python(formula: Formula) -> Formula:
    """What is left of a condition when SWIG runs for Python."""
    return assuming(formula, KNOWN) if formula is not TRUE else TRUE


def read_interface(path: str, data: bytes) -> Interface:
    """The text of a file."""
    text = without_comments(data.decode("utf-8", "replace"))
    plain = _expanded(path, text) if "%define" in text else Interface(path, text)
    with suppress(NotCppText):
        return replace(plain, conditions=conditions_of(tuple(_directives(plain.text))))
    return plain


def _directives(text: str) -> Iterator[Directive]:
    for found in _DIRECTIVE.finditer(text):
        yield parse_directive(Token(Kind.DIRECTIVE, found.group(1).replace("\\\n", " "), found.start(1)))


def _expanded(path: str, text: str) -> Interface:
    """Rule 1."""
    macros = {name: ([each.strip() for each in given.split(",")], body) for name, given, body in _DEFINE.findall(text)}
    text = _DEFINE.sub(blank, text)
    pieces: list[str] = []
    starts: list[int] = []
    lines: list[tuple[int, bool]] = []
    size = done = 0
    for found in re.finditer(rf"^[ \t]*({'|'.join(macros)})\b[ \t]*(?:\(([^()]*)\))?[ \t;]*$", text, re.MULTILINE):
        names, body = macros[found.group(1)]
        given = [each.strip() for each in (found.group(2) or "").split(",")]
        written = _written(body, dict(zip(names, given, strict=False)))
        if size + len(written) > MAX_TEXT:
            break
        line = text.count("\n", 0, found.start()) + 1
        kept = text[done : found.start()]
        starts += [size + len(kept), size + len(kept) + len(written)]
        lines += [(line, True), (text.count("\n", 0, found.end()) + 1, False)]
        pieces += [kept, written]
        size, done = starts[-1], found.end()
    return Interface(path, "".join([*pieces, text[done:]]), starts=tuple(starts), lines=tuple(lines))


def _written(body: str, given: dict[str, str]) -> str:
    """What a macro writes."""
    return _JOINED.sub("", _WORD.sub(lambda found: given.get(found.group(), found.group()), body))


def blank(found: re.Match[str]) -> str:
    """As many characters and lines, of nothing: what stands behind keeps its place."""
    return re.sub(r"[^\n]", " ", found.group())


def without_comments(text: str) -> str:
    """The text with blanks for comments."""
    return _COMMENT.sub(blank, text)
