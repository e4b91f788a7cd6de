"""Tables -> Parquet files: ``TABLE/checkout=NAME/data.parquet``, written in streams.

A row group is whole packages, at least ``ROWS_AT_ONCE`` rows of them: that much is in memory, and a reader that asks
for one package or repository skips the others by their statistics. The same content gives the same bytes: there is no
time and no place of this machine in a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.dataset.content import CheckoutContent, Numbering
from bzlgraph.export.dataset.edges import edge_tables
from bzlgraph.export.dataset.rows import ROWS, failed_row
from bzlgraph.export.dataset.schema import PARTITION, SCHEMA, Table, tables
from bzlgraph.export.row_formats.columnar import arrow_table, arrow_types
from bzlgraph.export.row_formats.row_table import Row

if TYPE_CHECKING:
    import pyarrow

FILE = "data.parquet"
ROWS_AT_ONCE = 65_536
_DELTA = {"text": "DELTA_BYTE_ARRAY", "integer": "DELTA_BINARY_PACKED"}
_MOST = 2**31 - 1
"""What an integer of 32 bits can number."""
_COMPRESSION = {"compression": "zstd", "compression_level": 9}


class Written(NamedTuple):
    """The number of rows by table; of the rows of targets ``missing`` are labels that there is no target of."""

    rows: dict[str, int]
    missing: int


class DatasetWriter:
    """Writes checkouts into the folder of a dataset; numbers of targets and packages go on from one to the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._targets = self._packages = 0

    def write(self, name: str, content: CheckoutContent) -> Written:
        """Write all tables of a checkout. Raises UsageProblem for too many targets."""
        numbering = Numbering(content.answer.graph, content.answer.nodes, self._targets, self._packages)
        if self._targets + len(numbering.nodes) > _MOST:
            raise UsageProblem(f"checkout '{name}': a dataset has at most {_MOST:,} targets")
        written: dict[str, int] = {}
        for table in tables().values():
            schema = arrow_schema(table)
            parts = (
                edge_tables(numbering, schema, ROWS_AT_ONCE)
                if table.name == "edges"
                else _row_tables(ROWS[table.name](content, numbering), schema)
            )
            written[table.name] = _write(self._folder, name, table, schema, parts)
        self._targets += written["targets"]
        self._packages += written["packages"]
        return Written(written, numbering.missing)

    def record_failure(self, name: str, message: str, expression: str) -> None:
        """A checkout that could not be read: it has a row in ``checkouts`` and is in no other table."""
        table = tables()["checkouts"]
        schema = arrow_schema(table)
        _write(self._folder, name, table, schema, [arrow_table([failed_row(message, expression)], schema)])


def arrow_schema(table: Table) -> pyarrow.Schema:
    """The schema of a table's files; its metadata name the version, and what is in each column."""
    import pyarrow

    types = arrow_types()
    fields = [
        pyarrow.field(column.name, types[column.type], column.name in table.optional, {"description": words})
        for column, words in zip(table.columns, table.words, strict=True)
    ]
    return pyarrow.schema(fields, {"bzlgraph.schema": SCHEMA, "bzlgraph.table": table.name})


def _row_tables(batches: Iterable[list[Row]], schema: pyarrow.Schema) -> Iterator[pyarrow.Table]:
    waiting: list[Row] = []
    for batch in batches:
        waiting += batch
        if len(waiting) >= ROWS_AT_ONCE:
            yield arrow_table(waiting, schema)
            waiting = []
    if waiting:
        yield arrow_table(waiting, schema)


def _write(folder: Path, name: str, table: Table, schema: pyarrow.Schema, parts: Iterable[pyarrow.Table]) -> int:
    """Write one file, to the disk itself; the number of its rows."""
    from pyarrow.parquet import ParquetWriter

    place = folder / table.name / f"{PARTITION}={name}"
    place.mkdir(parents=True)
    repeating = [column.name for column in table.columns if column.type == "text" and column.name not in table.delta]
    deltas = {column.name: _DELTA[column.type] for column in table.columns if column.name in table.delta}
    rows = 0
    with open(place / FILE, "wb") as file:
        with ParquetWriter(file, schema, use_dictionary=repeating, column_encoding=deltas, **_COMPRESSION) as writer:
            for part in parts:
                writer.write_table(part, row_group_size=max(1, part.num_rows))
                rows += part.num_rows
        file.flush()
        os.fsync(file.fileno())
    return rows
