"""What is known of ops as tables of rows: all of them, those that XLA compiles, what some depend on."""

from __future__ import annotations

from bzlgraph.export.row_formats.row_table import Column, RowTable
from bzlgraph.ops.tracer import OpTable


def ops_table(table: OpTable) -> RowTable:
    """All ops, one row for each kernel."""
    return _row_table("ops", table, "bzlgraph.ops/1")


def supported_table(table: OpTable) -> RowTable:
    """The ops that XLA compiles."""
    return _row_table("ops that XLA compiles", table, "bzlgraph.xla_ops/1")


def needs_table(table: OpTable) -> RowTable:
    """The transitive dependencies of the libraries of ops."""
    return _row_table("what the ops need", table, "bzlgraph.op_needs/1")


def _row_table(title: str, table: OpTable, schema: str) -> RowTable:
    return RowTable(title, tuple(Column(*each) for each in table.columns), lambda: iter(table.rows), schema)
