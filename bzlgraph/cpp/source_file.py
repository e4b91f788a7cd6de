"""One C++ file as the preprocessor sees it: what it includes and which macros it defines, in order.

bytes -> ``SourceFile``. Reading one is cheap (a search for lines that begin with ``#``); its tokens are cut, and its
scopes found, only when somebody asks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.cpp.condition import both, condition_text, possible
from bzlgraph.cpp.directives import Directive, Directives, conditions_of, parse_directive, read_directives
from bzlgraph.cpp.macro import Macro, parse_define
from bzlgraph.cpp.outline import Outline, read_outline
from bzlgraph.cpp.text import MAX_BYTES, CppText, read_cpp
from bzlgraph.cpp.tokens import Kind, Token, directive_end, tokenize

_INCLUDED = re.compile(r'["<]([^">\n]+)[">]')
_INCLUDE = re.compile(rb'#[ \t]*include[ \t]*["<]([^">\n]+)[">]')
_RAW_STRING = re.compile(r'R"([^()\\\s]{0,16})\(')


class History(NamedTuple):
    """Of one name: where its definitions and ``#undef`` stand, and the definitions in force behind each."""

    starts: list[int]
    states: list[list[Macro]]


@dataclass(slots=True)
class SourceFile:
    """``defines`` are the file's ``#define`` and ``#undef`` in order: (offset, name, macro or None for undef)."""

    text: CppText
    directives: Directives
    includes: tuple[str, ...]
    defines: tuple[tuple[int, str, Macro | None], ...]
    _tokens: list[Token] | None = field(default=None, repr=False)
    _outline: Outline[Token] | None = field(default=None, repr=False)
    _defines_of: dict[str, list[tuple[int, Macro | None]]] | None = field(default=None, repr=False)
    _histories: dict[str, History] = field(default_factory=dict, repr=False)

    @property
    def path(self) -> str:
        """The path the file is known by."""
        return self.text.path

    @property
    def tokens(self) -> list[Token]:
        """All tokens, directives among them."""
        if self._tokens is None:
            self._tokens = tokenize(self.text.text)
        return self._tokens

    @property
    def is_cut(self) -> bool:
        """Whether somebody asked for its tokens."""
        return self._tokens is not None

    def without_tokens(self) -> SourceFile:
        """The file as it was before anybody asked for its tokens, which take far more memory than its text."""
        return SourceFile(self.text, self.directives, self.includes, self.defines)

    @property
    def outline(self) -> Outline[Token]:
        """The scopes of the file."""
        if self._outline is None:
            self._outline = read_outline(self.tokens)
        return self._outline

    def history(self, name: str) -> History:
        """What the file does to a macro."""
        if self._defines_of is None:
            self._defines_of = {}
            for start, each, macro in self.defines:
                self._defines_of.setdefault(each, []).append((start, macro))
        found = self._histories.get(name)
        if found is None:
            found = self._histories[name] = History([], [])
            for start, macro in self._defines_of.get(name, ()):
                before = found.states[-1] if found.states else []
                found.starts.append(start)
                found.states.append(with_macro(before, macro) if macro is not None else [])
        return found

    def condition(self, offset: int) -> str:
        """What the preprocessor must have for a place of the file to be compiled, "" for nothing."""
        return condition_text(self.directives.condition(offset))

    def location(self, offset: int) -> Location:
        """The line of an offset, as a place that answers show."""
        return Location(self.path, self.line(offset), 0)

    def line(self, offset: int) -> int:
        """The line of an offset."""
        return self.text.line(offset)


def with_macro(macros: list[Macro], macro: Macro) -> list[Macro]:
    """The definitions in force after one more: it replaces those that it may meet."""
    return [other for other in macros if not possible(both(other.condition, macro.condition))] + [macro]


def read_source_file(data: bytes, path: str) -> SourceFile:
    """The directives of a file. Raises NotCppText."""
    text = read_cpp(data, path)
    directives = _directives(text.text)
    includes: list[str] = []
    defines: list[tuple[int, str, Macro | None]] = []
    for each in directives.all:
        if each.word == "include":
            found = _INCLUDED.match(each.rest)
            includes += [found.group(1)] if found is not None else []
        elif each.word == "define":
            start = text.text.find("define", each.start) + len("define")
            start += len(text.text[start : each.end]) - len(text.text[start : each.end].lstrip())
            macro = parse_define(text, start, each.end, directives.condition(each.start))
            defines += [(each.start, macro.name, macro)] if macro is not None else []
        elif each.word == "undef" and each.rest:
            defines.append((each.start, each.rest.split()[0], None))
    return SourceFile(text, directives, tuple(includes), tuple(defines))


def includes_of(data: bytes) -> tuple[str, ...] | None:
    """What a file includes, found without reading its other directives; None when it has to be read.

    That is when it may be no text, or when a comment, a literal or a macro may hold what looks like an include.
    """
    found: list[str] = []
    last, opened, closed = 0, -1, -1  # the line looked at before; where comments begin and end last
    for match in _INCLUDE.finditer(data):
        line = data.rfind(b"\n", last, match.start()) + 1
        before = data[line : match.start()].strip(b" \t")
        opened, closed = max(opened, data.rfind(b"/*", last, line)), max(closed, data.rfind(b"*/", last, line))
        if before or opened > closed or data[max(line - 3, 0) : line].endswith((b"\\\n", b"\\\r\n")):
            return None
        found.append(match.group(1).decode("latin-1"))
        last = line
    return None if b"\0" in data or len(data) > MAX_BYTES or (found and b'R"' in data) else tuple(found)


def _directives(text: str) -> Directives:
    """The directives of a file: by a search for ``#``, unless one may stand inside a comment or a literal."""
    found: list[Directive] = []
    position = text.find("#")
    while position >= 0:
        end = directive_end(text, position, len(text))
        if end is not None:
            found.append(parse_directive(Token(Kind.DIRECTIVE, text[position:end], position)))
        position = text.find("#", end or position + 1)
    if not found:
        return Directives((), (), ())
    starts = [directive.start for directive in found]
    if any(bisect_left(starts, end) > bisect_left(starts, start) for start, end in _may_hide(text)):
        return read_directives(tokenize(text))
    return conditions_of(tuple(found))


def _may_hide(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of what seems to be a comment or a raw string: it may hold a directive, or be held by one."""
    start = text.find("/*")
    while start >= 0:
        end = text.find("*/", start + 2)
        yield start, end if end >= 0 else len(text)
        start = text.find("/*", end) if end >= 0 else -1
    for found in _RAW_STRING.finditer(text) if 'R"' in text else ():
        end = text.find(f'){found[1]}"', found.end())
        yield found.start(), end if end >= 0 else len(text)
