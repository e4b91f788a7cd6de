"""``sqlite``: rows as a table of a SQLite database, with tables ``gaps`` and ``problems`` beside it.

The database is made in memory and given as the bytes of its file; nothing but Python's own sqlite3 is needed.

>>> from bzlgraph.export.row_formats.row_table import columns
>>> table = RowTable("pets", columns("name legs", legs="integer"), lambda: iter([("cat", 4)]))
>>> b"".join(sqlite(table))[:15]
b'SQLite format 3'
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import place_text
from bzlgraph.export.row_formats.row_table import Row, RowTable, cell_text, columns

_TYPES = {"integer": "INTEGER", "boolean": "INTEGER"}
_GAPS = columns("kind what hides location repository")
_PROBLEMS = columns("severity message location hint")


def sqlite(table: RowTable) -> Iterator[bytes]:
    """One table called as ``rows_key`` says, mostly ``rows``."""
    return database({table.rows_key: table}, table.completeness)


def database(tables: Mapping[str, RowTable], completeness: Completeness | None = None) -> Iterator[bytes]:
    """Tables by name, and what the answer lacks, as one database."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, table in tables.items():
            _write(connection, name, table)
        if completeness is not None:
            _write(connection, "gaps", RowTable("gaps", _GAPS, lambda: _gap_rows(completeness)))
            _write(connection, "problems", RowTable("problems", _PROBLEMS, lambda: _problem_rows(completeness)))
        connection.commit()
        yield connection.serialize()


def _write(connection: sqlite3.Connection, name: str, table: RowTable) -> None:
    named = ", ".join(f"{_quoted(each.name)} {_TYPES.get(each.type, 'TEXT')}" for each in table.columns)
    connection.execute(f"CREATE TABLE {_quoted(name)} ({named})")
    places = ", ".join("?" * len(table.columns))
    connection.executemany(f"INSERT INTO {_quoted(name)} VALUES ({places})", _cells(table.rows()))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _cells(rows: Iterable[Row]) -> Iterator[list[object]]:
    for row in rows:
        yield [cell if cell is None or isinstance(cell, int) else cell_text(cell) for cell in row]


def _gap_rows(completeness: Completeness) -> Iterator[Row]:
    return ((gap.kind, gap.what, gap.hides, place_text(gap.location), gap.repository) for gap in completeness.gaps)


def _problem_rows(completeness: Completeness) -> Iterator[Row]:
    for each in completeness.problems:
        yield each.severity, each.message, place_text(each.location), each.hint
