"""A query's answer as rows, a target each: for people and spreadsheets, and wider ones for ``parquet``.

The columns are those of ``Workspace.query(...).to_frame()``; parquet has the parts of labels and places apart, and the
labels that each target names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bzlgraph.base.gap import Completeness
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import QueryAnswer

COLUMNS = columns("label kind package location macro")
WIDE_COLUMNS = columns(
    "label kind rule_class repository package name path line column macro dependencies",
    line="integer", column="integer", dependencies="texts",
)  # fmt: skip


def targets_table(answer: QueryAnswer, nodes: Iterable[int] | None = None) -> RowTable:
    """The targets of an answer in its order, or in that of ``nodes``."""
    chosen = tuple(answer.nodes if nodes is None else nodes)
    return RowTable(f"query {answer.text}", COLUMNS, lambda: _rows(answer.graph, chosen))


def output_table(output: QueryOutput) -> RowTable:
    """The targets in the order that the options ask for."""
    return targets_table(output.answer, output.ordered())


def wide_table(output: QueryOutput) -> RowTable:
    """The same with ``WIDE_COLUMNS``."""
    return RowTable(f"query {output.answer.text}", WIDE_COLUMNS, lambda: _wide_rows(output))


def _rows(graph: GraphView, nodes: Iterable[int]) -> Iterator[Row]:
    for node in map(graph.describe, nodes):
        place = node.location.short if node.location else ""
        yield str(node.label), node.kind_words, node.label.package_label, place, node.made_by


def _wide_rows(output: QueryOutput) -> Iterator[Row]:
    graph = output.graph
    for number in output.ordered():
        node = graph.describe(number)
        ends = graph.ends_of(number, output.answer.excluded_flags)
        label, place = node.label, node.location
        yield (
            *(str(label), node.kind_words, node.rule_class, label.repo, label.package, label.name),
            *((place.path, place.line, place.column) if place else (None, None, None)),
            *(node.made_by, [str(each) for each in sorted(graph.labels[end] for end in ends)]),
        )


def database_of(output: QueryOutput) -> Iterator[bytes]:
    """A SQLite database: the targets in the order that the options ask for, the edges, and what the answer lacks."""
    return graph_database(output.answer, output.ordered())


def graph_database(answer: QueryAnswer, nodes: Iterable[int] | None = None) -> Iterator[bytes]:
    """A SQLite database: the targets of an answer, the edges among them, and what the answer lacks."""
    from bzlgraph.export.data import edges_table
    from bzlgraph.export.row_formats.sqlite_file import database

    tables = {"targets": targets_table(answer, nodes), "edges": edges_table(answer)}
    return database(tables, Completeness(answer.problems, answer.gaps))
