"""What is known of ops as tables of rows: all of them, those that XLA compiles, what some bring along."""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.export.row_formats.row_table import Column, RowTable
from bzlgraph.ops import needs, supported
from bzlgraph.ops.tracer import Answer, Tracer


def ops_table(tracer: Tracer) -> RowTable:
    """All ops, one row for each kernel."""
    made = tracer.table()
    columns = tuple(Column(name, kind) for name, kind in made.columns)
    return RowTable("ops", columns, lambda: iter(made.rows), "bzlgraph.ops/1")


def supported_table(tracer: Tracer) -> RowTable:
    """The ops that XLA compiles."""
    rows = list(supported.supported_rows(tracer))
    columns = tuple(Column(name) for name in supported.COLUMNS)
    return RowTable("ops that XLA compiles", columns, lambda: iter(rows), "bzlgraph.xla_ops/1")


def needs_table(graph: needs.Graph, answers: Sequence[Answer]) -> RowTable:
    """The targets and files that ops bring along."""
    rows = list(needs.needs_rows(graph, [answer for answer in answers if answer.found]))
    columns = tuple(Column(name) for name in needs.COLUMNS)
    return RowTable("what the ops need", columns, lambda: iter(rows), "bzlgraph.op_needs/1")
