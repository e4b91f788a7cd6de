"""The table of formats for rows: the name that ``--output`` takes -> what writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bzlgraph.export.row_formats import columnar, html_text, json_text, plain
from bzlgraph.export.row_formats.row_table import RowTable

Writer = Callable[[RowTable], Iterator[str] | Iterator[bytes]]

FORMATS: dict[str, Writer] = {
    "table": plain.table,
    "csv": plain.csv,
    "markdown": plain.markdown,
    "json": json_text.json_text,
    "jsonl": json_text.jsonl,
    "html": html_text.html,
    "parquet": columnar.parquet,
}


def write_rows(name: str, table: RowTable) -> Iterator[bytes]:
    """A table in a format, as bytes, piece by piece; bytes of a checkout that are no UTF-8 come out as they were."""
    for piece in FORMATS[name](table):
        yield piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece
