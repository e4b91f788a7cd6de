"""A part of the graph as data: JSON (nodes and edges with every reason) and GraphML (for Gephi, yEd, igraph).

JSON: ``{"schema", "nodes": [{"label", "kind", "package", "location"}], "edges": [{"source", "target", "reasons":
[{"attribute", "when", "flags"}]}], "problems": [], "gaps": [], "complete"}``, sorted by label. Nothing is reduced or
collapsed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from bzlgraph.base.gap import Completeness
from bzlgraph.export.pictures.draw import adjacency
from bzlgraph.export.plain_data import record
from bzlgraph.export.row_formats.json_text import completeness_data
from bzlgraph.graph.view import GraphView

SCHEMA = "bzlgraph.graph/1"
COMPLETE = Completeness()


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
