"""``csv``, ``markdown`` and ``table``: rows as text, for spreadsheets, for pages and for people."""

from __future__ import annotations

import csv as csv_writer
import io
from collections.abc import Iterator

from bzlgraph.base.words import in_columns
from bzlgraph.export.row_formats.row_table import RowTable, cell_text

MAX_WIDTH = 60
"""A column of ``table`` is at most so wide: longer cells stick out, as a column for all of them helps nobody."""

_ROWS_AT_ONCE = 512


def csv(table: RowTable) -> Iterator[str]:
    """RFC 4180 with a line of column names; lines end as ``csv`` readers expect, in ``\\r\\n``."""
    text = io.StringIO()
    write = csv_writer.writer(text).writerow
    write(table.names)
    for number, row in enumerate(table.rows(), 1):
        write(map(cell_text, row))
        if number % _ROWS_AT_ONCE == 0:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


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
