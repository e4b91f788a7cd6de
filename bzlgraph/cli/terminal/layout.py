"""Answers as text, laid out for the terminal that shows them; what goes to a pipe or a file stays as it is.

A line that is wider than the terminal goes on below itself, between its columns where that is enough, under the marks
of its tree. Nothing is left out, and no word is broken: labels and places can be copied whole. A single word that is
wider than the terminal is the terminal's to break. Places are links where ``--link_template`` says to what.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import TextIO

from bzlgraph.base import links
from bzlgraph.base.words import Prose, Visible, visible
from bzlgraph.cache.answers import terminal_columns

_COMMAND = re.compile(r"\x1b\[\d*m")
"""What a terminal does not show as text."""
_COLORS = {"attribute": "\x1b[32m", "condition": "\x1b[33m", "label": "\x1b[36m"}
_NO_COLOR = "\x1b[39m"
_PARTS = re.compile(
    r"(?P<attribute>(?<=[├└] )[A-Za-z_][\w.]*(?=  )|^  [a-z_]\w*(?: \(\d+ of \d+\))?(?=  ))"
    r"|(?P<condition>(?<=  )when \S[^\x1b]*?(?=  |$))"
    r"|(?P<label>(?<![\w:/@.=])(?:@{1,2}[\w.+~-]*)?//[^\s\x1b,;'\"()\[\]]*[^\s\x1b,;'\"()\[\].:])"
)
"""What has a colour, by its name."""
_CELL = re.compile(r"\S+(?: \S+)*")
_LEAD = re.compile(r"[ │├└─╌]*")
_GOES_ON = str.maketrans("├└─╌", "│   ")
"""The marks of a tree, as they go on below a line."""
_LABEL = ("//", "@")
_GAP, _INDENT = 2, 4
"""Blanks between two cells, and before what goes on."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text is shown. ``width``: the columns of the terminal, 0: there is none. ``linked``: places are links."""

    width: int = 0
    colored: bool = False
    linked: bool = False


PLAIN = Look()


def look_now(color: str, stream: TextIO | None = None) -> Look:
    """The look of what is printed to a stream (stdout, if none is given); ``color`` is yes, no or auto."""
    width = terminal_columns(stream or sys.stdout)
    dumb = not width or os.environ.get("TERM") == "dumb"
    colored = color == "yes" or (color == "auto" and not dumb and not os.environ.get("NO_COLOR"))
    return Look(width, colored, not dumb and bool(links.current().template))


def as_shown(piece: bytes, look: Look) -> bytes:
    """A piece of an answer as stdout shows it: text for people laid out; what a format leaves as it is, for programs
    that read it, as escapes on a terminal."""
    if look == PLAIN:
        return piece
    if not isinstance(piece, Prose):
        if not look.width:
            return piece
        text = piece.decode("utf-8", "backslashreplace")
        return linked(text if isinstance(piece, Visible) else visible(text), look).encode()
    lines = piece.decode().split("\n")
    if look.colored:
        lines = list(map(painted, lines))
    if look.width:
        lines = [part for line in lines for part in fitted(line, look.width)]
    return linked("\n".join(lines), look).encode()


def linked(text: str, look: Look) -> str:
    """A text whose places in the checkout a terminal opens when they are clicked (OSC 8)."""
    if not look.linked:
        return text
    to = links.current()
    files = to.files(found[1] for found in links.PLACE.finditer(text))

    def link(place: re.Match[str]) -> str:
        if place[1] not in files:
            return place[0]
        return f"\x1b]8;;{to.address(place[1], int(place[2]), int(place[3] or 0))}\x1b\\{place[0]}\x1b]8;;\x1b\\"

    return links.PLACE.sub(link, text)


def painted(line: str) -> str:
    """A line with its labels, conditions and attributes in colours.

    >>> painted("  when //c:d  :e")
    '  \\x1b[33mwhen\\x1b[39m \\x1b[33m//c:d\\x1b[39m  :e'
    """
    return _PARTS.sub(_in_color, line)


def _in_color(part: re.Match[str]) -> str:
    # Word by word: what goes on in the next line has the marks of its tree before it.
    color = _COLORS[part.lastgroup or ""]
    return re.sub(r"[^\s\x1b]+", lambda word: f"{color}{word[0]}{_NO_COLOR}", part[0])


def fitted(line: str, width: int) -> list[str]:
    """The lines that a line takes in so many columns.

    >>> print(*fitted(" ├ deps  //some/package:library  cc_library  BUILD:1 > m.bzl:2", 34), sep="\\n")
     ├ deps  //some/package:library
     │       cc_library
     │       BUILD:1 > m.bzl:2
    >>> print(*fitted("The first line answers.", 17), sep="\\n")
    The first line
        answers.
    """
    if _shown(line) <= width:
        return [line]
    lead = _LEAD.match(line)
    assert lead is not None
    cells = [(_shown(line[: each.start()]), each[0]) for each in _CELL.finditer(line, lead.end())]
    return _Lines(lead[0], cells, width).filled() if cells else [line]


def _shown(text: str) -> int:
    """How many columns a text takes."""
    return len(_COMMAND.sub("", text) if "\x1b" in text else text)


class _Lines:
    """The cells of a line, each with its column, over as many lines as they need."""

    def __init__(self, lead: str, cells: list[tuple[int, str]], width: int) -> None:
        self._cells, self._width = cells, width
        is_tree, first = bool(lead.strip()), cells[0][0]
        labels = [column for column, cell in cells[:2] if is_tree and _COMMAND.sub("", cell).startswith(_LABEL)]
        label = labels[0] if labels else width
        # Under the label of a tree, where that leaves room; else a little inside of where the line begins.
        self._hang = label if label <= width // 3 else min(first, width // 3) + _INDENT
        self._goes_on = lead.translate(_GOES_ON).rstrip() if is_tree else ""
        self._lines = [lead.rstrip()]
        self._next = first
        """The column of the next cell in the last line."""
        self._empty = True
        """Whether the last line has no cell yet."""

    def filled(self) -> list[str]:
        aligned = True
        for column, cell in self._cells:
            at, size = max(column, self._next), _shown(cell)
            if not aligned or at + size > self._width:
                aligned, at = False, self._next  # close to the last cell
            if at + size <= self._width:
                self._put(at, cell)
            elif self._hang + size <= self._width:
                self._put_below(cell)
            else:
                self._put_words(column if column <= self._width // 2 else self._next, cell)
        return self._lines

    def _put(self, column: int, text: str) -> None:
        self._lines[-1] += " " * (column - _shown(self._lines[-1])) + text
        self._next = column + _shown(text) + _GAP
        self._empty = False

    def _put_below(self, text: str) -> None:
        if not self._empty:
            self._lines.append(self._goes_on)
        self._put(self._hang, text)

    def _put_words(self, column: int, cell: str) -> None:
        """A cell that is wider than a line: as many words in each as fit."""
        self._next, between = max(column, self._next), 0
        for word in cell.split(" "):
            at = self._next - between
            if at + _shown(word) <= self._width or at <= self._hang:
                self._put(at, word)
            else:
                self._put_below(word)
            between = _GAP - 1
