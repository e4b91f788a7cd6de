"""The table of formats for rows: the name that ``--output`` takes -> what writes it.

``csv_raw`` is ``csv`` with cells that a spreadsheet may take for formulas: ``--csv_raw`` chooses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bzlgraph.base.words import visible_bytes
from bzlgraph.export.row_formats import columnar, html_text, json_text, plain, sqlite_file
from bzlgraph.export.row_formats.row_table import RowTable

Writer = Callable[[RowTable], Iterator[bytes]]


def _text(write: Callable[[RowTable], Iterator[str]], keep: str = "") -> Writer:
    """What a terminal can bear of a text."""
    return lambda table: visible_bytes(write(table), keep)


FORMATS: dict[str, Writer] = {
    "table": _text(plain.table),
    "csv": _text(plain.csv, keep="\r"),
    "markdown": _text(plain.markdown),
    "json": _text(json_text.json_text),
    "jsonl": _text(json_text.jsonl),
    "html": _text(html_text.html),
    "parquet": columnar.parquet,
    "sqlite": sqlite_file.sqlite,
}


_NOT_OFFERED: dict[str, Writer] = {"csv_raw": _text(plain.csv_raw, keep="\r")}


def write_rows(name: str, table: RowTable) -> Iterator[bytes]:
    """A table in a format, as bytes, piece by piece."""
    return (FORMATS.get(name) or _NOT_OFFERED[name])(table)
