"""The Starlark call stack, read off Python's: frames of generated code -> functions and locations.

Generated code runs as Python frames whose globals hold ``MARK``; their code objects carry the Starlark file name, and
line and column of every instruction. Capturing keeps (code, instruction) pairs only; lines are looked up when somebody
asks, because most captured stacks (one per target) are never shown.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from types import CodeType, FrameType, TracebackType

from bzlgraph.base.span import Frame, Location

MARK = "$module"
"""The global that marks generated code; its value is the ``Module``."""

_IS_MARK = re.compile(r"\$r\d+")
TOPLEVEL = "<toplevel>"
_COMPREHENSIONS = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"})
_NAMES = {"<module>": TOPLEVEL, "<lambda>": "lambda"}


class Positions:
    """The places of a code object's instructions. A BUILD file is run from top to bottom, once: its places are read as
    they come. Those of a function, which runs again and again, are kept."""

    __slots__ = ("_columns", "_lines", "_next", "_rest", "code", "made", "name")

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.name = _NAMES.get(code.co_name) or code.co_name.rpartition("$")[2]
        self.made: dict[int, Frame] = {}
        self._rest = code.co_positions()
        self._next = 0
        self._lines: array[int] | None = None
        self._columns = array("i")

    def frame(self, lasti: int) -> Frame:
        """An instruction as one level of a call stack, made once."""
        frame = self.made.get(lasti)
        if frame is None:
            frame = self.made[lasti] = Frame(self.name, self.find(lasti))
        return frame

    def find(self, lasti: int) -> Location:
        """Where an instruction stands."""
        code, index = self.code, lasti // 2  # f_lasti counts bytes, co_positions() instructions of two bytes
        if self._lines is None and index >= self._next:
            _, line, _, column = next(islice(self._rest, index - self._next, None), _NO_POSITION)
            self._next = index + 1
            return Location(code.co_filename, line or code.co_firstlineno, (column or 0) + 1)
        if self._lines is None:
            positions = list(code.co_positions())
            self._lines = array("i", [line or code.co_firstlineno for _, line, _, _ in positions])
            self._columns = array("i", [column or 0 for _, _, _, column in positions])
        if 0 <= index < len(self._lines):
            return Location(code.co_filename, self._lines[index], self._columns[index] + 1)
        return Location(code.co_filename, code.co_firstlineno, 1)


_NO_POSITION = (None, None, None, None)
_positions: dict[int, Positions] = {}
"""Those of the code objects asked for so far (the code is kept so its id stays), with the frames that were made:
macros run the same instructions again and again."""


def positions_of(code: CodeType) -> Positions:
    """The places of a code object's instructions."""
    known = _positions.get(id(code))
    if known is None:
        known = _positions[id(code)] = Positions(code)
    return known


def location_of(code: CodeType, lasti: int) -> Location:
    """Where instruction ``lasti`` of ``code`` stands in the Starlark file."""
    return positions_of(code).frame(lasti).location


def forget(code: CodeType) -> None:
    """Keep no places of code that does not run again."""
    _positions.pop(id(code), None)


def start_of(code: CodeType, lasti: int) -> Location:
    """Like ``location_of``, but the start of the node: the dot of ``x.f(...)``."""
    for index, (line, _end_line, column, _end_column) in enumerate(code.co_positions()):
        if index == lasti // 2 and line is not None and column is not None:
            return Location(code.co_filename, line, column + 1)
    return location_of(code, lasti)


class CallStack:
    """The Starlark frames active at one moment, innermost first."""

    __slots__ = ("entries",)

    def __init__(self, entries: tuple[tuple[CodeType, int], ...]) -> None:
        self.entries = entries

    def frames(self) -> tuple[Frame, ...]:
        """Function names and locations. A comprehension belongs to the function it stands in."""
        found: list[Frame] = []
        inner: Location | None = None
        for code, lasti in self.entries:
            positions = positions_of(code)
            if code.co_name in _COMPREHENSIONS:
                inner = inner or positions.frame(lasti).location
                continue
            found.append(Frame(positions.name, inner) if inner is not None else positions.frame(lasti))
            inner = None
        return tuple(found)

    def __bool__(self) -> bool:
        return bool(self.entries)


def capture(frame: FrameType | None, base: CodeType) -> CallStack:
    """The Starlark frames from ``frame`` outwards, up to the evaluation's first frame (which runs ``base``)."""
    entries = []
    while frame is not None:
        code = frame.f_code
        if MARK in frame.f_globals:
            entries.append((code, frame.f_lasti))
        elif code is base:  # an evaluation inside another one (a load) has a stack of its own
            break
        frame = frame.f_back
    return CallStack(tuple(entries))


def from_traceback(traceback: TracebackType | None) -> CallStack:
    """The Starlark frames an exception passed through."""
    entries = []
    while traceback is not None:
        if MARK in traceback.tb_frame.f_globals:
            entries.append((traceback.tb_frame.f_code, traceback.tb_lasti))
        traceback = traceback.tb_next
    return CallStack(tuple(reversed(entries)))


def innermost(base: CodeType, skip: int) -> FrameType | None:
    """The innermost Starlark frame of the running evaluation."""
    frame: FrameType | None = sys._getframe(skip)
    while frame is not None:
        if MARK in frame.f_globals:
            return frame
        if frame.f_code is base:
            return None
        frame = frame.f_back
    return None


def outermost(base: CodeType, skip: int) -> FrameType | None:
    """The outermost Starlark frame of the running evaluation."""
    frame: FrameType | None = sys._getframe(skip)
    found = None
    while frame is not None and frame.f_code is not base:
        if MARK in frame.f_globals:
            found = frame
        frame = frame.f_back
    return found


def release_marks(traceback: TracebackType | None) -> None:
    """Unmark the lambdas an exception passed through (functions unmark themselves)."""
    while traceback is not None:
        variables = traceback.tb_frame.f_globals
        if MARK in variables and traceback.tb_frame.f_code.co_name == "<lambda>":
            # An expression has no `finally`: a lambda that was left by an exception still counts as running.
            for name in traceback.tb_frame.f_code.co_names:
                if _IS_MARK.fullmatch(name):
                    variables[name][0] = 0
        traceback = traceback.tb_next


@contextmanager
def marks_released() -> Iterator[None]:
    """While an evaluation of its own runs inside this one: it may call the functions that are running here."""
    active: list[tuple[list[int], int]] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        variables = frame.f_globals
        if MARK in variables:
            marks = (variables[name] for name in frame.f_code.co_names if _IS_MARK.fullmatch(name))
            active += [(mark, mark[0]) for mark in marks if mark[0]]
        frame = frame.f_back
    for mark, _ in active:
        mark[0] = 0
    try:
        yield
    finally:
        for mark, value in active:
            mark[0] = value
