"""``--output=table``, ``csv``, ``markdown``, ``parquet``: a row per target for people, spreadsheets and data frames.

The columns are those of ``Workspace.query(...).to_frame()``; parquet has the parts of labels and places apart, and the
labels that each target names. pyarrow is imported here, when it is asked for, and nowhere else.
"""

from __future__ import annotations

import csv as csv_writer
import io
from collections.abc import Iterator

from bzlgraph.base.errors import UsageProblem
from bzlgraph.export.query_formats.options import Output
from bzlgraph.export.table import COLUMNS, target_rows

_ROWS_AT_ONCE = 4096


def csv(output: Output) -> Iterator[str]:
    """RFC 4180 with a line of column names; lines end as ``csv`` readers expect, in ``\\r\\n``."""
    text = io.StringIO()
    write = csv_writer.writer(text)
    write.writerow(COLUMNS)
    for row in target_rows(output.graph, output.ordered()):
        write.writerow(row)
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def markdown(output: Output) -> Iterator[str]:
    """A table as GitHub draws it."""
    yield f"| {' | '.join(COLUMNS)} |\n"
    yield f"|{'---|' * len(COLUMNS)}\n"
    for row in target_rows(output.graph, output.ordered()):
        yield f"| {' | '.join(_cell(text) for text in row)} |\n"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def table(output: Output) -> Iterator[str]:
    """Columns in line, for a terminal; two blanks between them, names on the first line."""
    rows = [COLUMNS, *target_rows(output.graph, output.ordered())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip() + "\n"


def parquet(output: Output) -> Iterator[bytes]:
    """A Parquet file. Raises UsageProblem when pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise UsageProblem("--output=parquet needs pyarrow: pip install 'bzlgraph[parquet]'") from None
    text, number = pyarrow.string(), pyarrow.int32()
    names = ("label", "kind", "rule_class", "repository", "package", "name", "path")
    fields = [*((each, text) for each in names), ("line", number), ("column", number), ("macro", text)]
    schema = pyarrow.schema([*fields, ("dependencies", pyarrow.list_(text))])
    file = io.BytesIO()
    with ParquetWriter(file, schema) as writer:
        for rows in _batches(output):
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
    yield file.getvalue()


def _batches(output: Output) -> Iterator[list[dict[str, object]]]:
    rows: list[dict[str, object]] = []
    for node in output.ordered():
        rows.append(_row(output, node))
        if len(rows) == _ROWS_AT_ONCE:
            yield rows
            rows = []
    yield rows


def _row(output: Output, number: int) -> dict[str, object]:
    graph, excluded_flags = output.graph, output.answer.excluded_flags
    node = graph.describe(number)
    ends = graph.ends_of(number, excluded_flags)
    return {
        "label": str(node.label),
        "kind": node.kind_words,
        "rule_class": node.rule_class,
        "repository": node.label.repo,
        "package": node.label.package,
        "name": node.label.name,
        "path": node.location.path if node.location else None,
        "line": node.location.line if node.location else None,
        "column": node.location.column if node.location else None,
        "macro": node.made_by,
        "dependencies": [str(label) for label in sorted(graph.labels[end] for end in ends)],
    }
