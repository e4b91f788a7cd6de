"""Where things stand in a file: offsets -> places, for positions of Python nodes and for errors."""

from __future__ import annotations

from bisect import bisect_right

from bzlgraph.starlark.codegen.nodes import Place
from bzlgraph.syntax import ast

_END = 1 << 60
_BLANKS = 8
"""A punctuation mark is looked for in so many characters."""


class Places:
    """The places of one file; ``last`` is the one that was asked for last."""

    def __init__(self, file: ast.File) -> None:
        self._file = file
        self._starts = file.line_starts
        self._line = 1
        self._low = 0
        self._high = self._starts[1] if len(self._starts) > 1 else _END
        self.last: Place = (1, 0)

    def at(self, offset: int) -> Place:
        """Line and column of an offset; the last line is remembered, because neighbours are asked for in turn."""
        if not self._low <= offset < self._high:
            self._line = line = bisect_right(self._starts, offset)
            self._low = self._starts[line - 1]
            self._high = self._starts[line] if line < len(self._starts) else _END
        self.last = self._line, offset - self._low
        return self.last

    def shown(self, offset: int) -> Place:
        """Line and column as people count, for errors placed by hand."""
        line, column = self.at(offset)
        return line, column + 1

    def mark(self, mark: str, offset: int) -> int:
        """The offset of a punctuation mark that follows ``offset`` after at most a few blanks."""
        at = self._file.text.find(mark, offset, offset + _BLANKS)
        return at if at >= 0 and not self._file.text[offset:at].strip() else offset

    def dot(self, node: ast.Dot) -> Place:
        """Where the dot is: a missing attribute is reported there."""
        at = self._file.text.rfind(".", node.value.end, node.name_start)
        return self.at(at if at >= 0 else node.name_start)
