"""A part of the graph as data: JSON (nodes and edges with every reason), and edges as rows.

JSON: ``{"schema", "nodes": [{"label", "kind", "package", "location"}], "edges": [{"source", "target", "reasons":
[{"attribute", "when", "flags"}]}], "problems": [], "gaps": [], "complete"}``, sorted by label. Nothing is reduced or
collapsed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import place_text
from bzlgraph.export.pictures.elements import adjacency
from bzlgraph.export.plain_data import record
from bzlgraph.export.row_formats.json_text import completeness_data
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import QueryAnswer

SCHEMA = "bzlgraph.graph/1"
EDGE_COLUMNS = columns("source target attribute when flags location")
COMPLETE = Completeness()


def edges_table(answer: QueryAnswer) -> RowTable:
    """A row per reason why one target of an answer names another; ``location`` is the place of the one that names."""
    completeness = Completeness(answer.problems, answer.gaps)
    return RowTable(
        *(f"graph {answer.text}", EDGE_COLUMNS, lambda: _edge_rows(answer), "bzlgraph.edges/1"),
        rows_key="edges",
        completeness=completeness,
    )


def _edge_rows(answer: QueryAnswer) -> Iterator[Row]:
    graph, flags = answer.graph, answer.excluded_flags
    for source, ends in adjacency(graph, answer.nodes, flags).items():
        named, place = str(graph.labels[source]), place_text(graph.describe(source).location)
        reasons = graph.edges_by_end(source, flags)
        for target in ends:
            for edge in map(graph.edge, reasons[target]):
                words = " ".join((flag.name or "").lower() for flag in edge.flags)
                yield named, str(graph.labels[target]), edge.attribute, edge.when, words, place


def to_json(
    graph: GraphView, nodes: Iterable[int], excluded_flags: int = 0, completeness: Completeness = COMPLETE
) -> str:
    """The JSON text, ending with a newline."""
    full = adjacency(graph, nodes, excluded_flags)
    described = [graph.describe(number) for number in full]
    data = {
        "schema": SCHEMA,
        "nodes": [
            {
                "label": str(node.label),
                "kind": node.kind_words,
                "package": node.label.package_label,
                "location": str(node.location) if node.location else None,
            }
            for node in described
        ],
        "edges": [edge for number, ends in full.items() for edge in _edges(graph, number, ends, excluded_flags)],
        **completeness_data(completeness),
    }
    return json.dumps(data, indent=1) + "\n"


def _edges(graph: GraphView, source: int, ends: Iterable[int], excluded_flags: int) -> Iterator[dict[str, object]]:
    reasons = graph.edges_by_end(source, excluded_flags)
    for target in ends:
        yield {
            "source": str(graph.labels[source]),
            "target": str(graph.labels[target]),
            "reasons": [record(graph.edge(edge), ("attribute", "when", "flags")) for edge in reasons[target]],
        }
