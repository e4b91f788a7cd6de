"""Places in source text: positions, spans and locations, all 1-based as people and Bazel count."""

from __future__ import annotations

from itertools import accumulate

from bzlgraph.base.record import Record
from bzlgraph.base.words import location_text


class Position(Record):
    """A line and a column, both starting at 1."""

    line: int
    column: int


class Span(Record):
    """From ``start`` up to, but not including, ``end``."""

    start: Position
    end: Position


class Location(Record):
    """A place in a named file; line 0 is the file itself.

    ``path`` is workspace-relative, or ``external/REPO/...`` for other repositories.

    >>> str(Location("a/BUILD", 3, 1))
    'a/BUILD:3:1'
    """

    path: str
    line: int
    column: int

    @property
    def short(self) -> str:
        """``path:line``, or the path alone."""
        return f"{self.path}:{self.line}" if self.line else self.path

    def __str__(self) -> str:
        return location_text(*self)


def place_text(location: Location | None) -> str:
    """``path:line`` for people; nothing where the place is not known."""
    return location.short if location is not None else ""


class Frame(Record):
    """One level of a Starlark call stack: ``function`` (``<toplevel>`` for the file itself) was at ``location``."""

    function: str
    location: Location


def line_starts(text: str) -> list[int]:
    """The offsets of the first character of every line.

    >>> line_starts("a\\nbc\\n")
    [0, 2, 5]
    """
    ended = text.split("\n")[:-1]
    return [0, *accumulate(map((1).__add__, map(len, ended)))]
