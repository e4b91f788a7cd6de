"""What is known of ops as tables of rows: all of them, those that XLA compiles, what some bring along."""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.export.row_formats.row_table import Column, RowTable
from bzlgraph.ops import needs
from bzlgraph.ops.tracer import Answer, OpTable, Tracer


def ops_table(tracer: Tracer) -> RowTable:
    """All ops, one row for each kernel."""
    return _row_table("ops", tracer.table(), "bzlgraph.ops/1")


def supported_table(tracer: Tracer) -> RowTable:
    """The ops that XLA compiles. Raises UsageProblem for another framework than TensorFlow."""
    return _row_table("ops that XLA compiles", tracer.supported(), "bzlgraph.xla_ops/1")


def _row_table(title: str, table: OpTable, schema: str) -> RowTable:
    return RowTable(title, tuple(Column(*each) for each in table.columns), lambda: iter(table.rows), schema)


def needs_table(graph: needs.Graph, answers: Sequence[Answer]) -> RowTable:
    """The targets and files that ops bring along."""
    rows = list(needs.needs_rows(graph, [answer for answer in answers if answer.found]))
    columns = tuple(Column(name) for name in needs.COLUMNS)
    return RowTable("what the ops need", columns, lambda: iter(rows), "bzlgraph.op_needs/1")
