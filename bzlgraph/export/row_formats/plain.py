"""``csv``, ``markdown`` and ``table``: rows as text, for spreadsheets, for pages and for people."""

from __future__ import annotations

import csv as csv_writer
import io
import re
from collections.abc import Callable, Iterator

from bzlgraph.base.label import LabelError, parse
from bzlgraph.base.words import in_columns
from bzlgraph.export.row_formats.row_table import RowTable, cell_text

MAX_WIDTH = 60
"""A column of ``table`` is at most so wide: longer cells stick out, as a column for all of them helps nobody."""

_ROWS_AT_ONCE = 512
_FORMULA = ("=", "+", "@", "-", "\t", "\r")
_REPOSITORY = re.compile(r"@@?[\w.~+-]*(//|$)")
_OPTION = re.compile(r"--?[A-Za-z][^(|!]*")


def csv(table: RowTable) -> Iterator[str]:
    """RFC 4180 with a line of column names; lines end as ``csv`` readers expect, in ``\\r\\n``.

    What a spreadsheet would take for a formula gets an apostrophe.
    """
    return _csv(table, lambda cell: guarded(cell_text(cell)))


def csv_raw(table: RowTable) -> Iterator[str]:
    """The same with all cells as they are, for programs."""
    return _csv(table, cell_text)


def _csv(table: RowTable, shown: Callable[[object], str]) -> Iterator[str]:
    text = io.StringIO()
    write = csv_writer.writer(text).writerow
    write(table.names)
    for number, row in enumerate(table.rows(), 1):
        write(map(shown, row))
        if number % _ROWS_AT_ONCE == 0:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def guarded(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; labels and options are none, and stay.

    >>> [guarded(each) for each in ("=1+1", "@SUM(A1)", "-2+3", "-cmd|' /C calc'!A0", "@zlib//:z", "-O2", "//a:b")]
    ["'=1+1", "'@SUM(A1)", "'-2+3", "'-cmd|' /C calc'!A0", '@zlib//:z', '-O2', '//a:b']
    """
    stays = not text.startswith(_FORMULA) or _OPTION.fullmatch(text) or (_REPOSITORY.match(text) and _is_label(text))
    return text if stays else f"'{text}"


def _is_label(text: str) -> bool:
    try:
        parse(text, "", "")
    except LabelError:
        return False
    return True


def markdown(table: RowTable) -> Iterator[str]:
    """A table as GitHub draws it."""
    yield f"| {' | '.join(table.names)} |\n"
    yield f"|{'---|' * len(table.columns)}\n"
    for row in table.rows():
        yield f"| {' | '.join(_markdown_cell(cell_text(cell)) for cell in row)} |\n"


def _markdown_cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def table(table: RowTable) -> Iterator[str]:
    """Columns in line, for a terminal; two blanks between them, names on the first line."""
    widths = [len(name) for name in table.names]
    for row in table.rows():
        for number, cell in enumerate(row):
            width = len(cell_text(cell))
            if widths[number] < width <= MAX_WIDTH:
                widths[number] = width
    yield in_columns(table.names, widths) + "\n"
    for row in table.rows():
        yield in_columns(map(cell_text, row), widths) + "\n"
