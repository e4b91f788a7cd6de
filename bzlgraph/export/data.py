"""A part of the graph as data: JSON (nodes and edges with every reason) and GraphML (for Gephi, yEd, igraph).

JSON: ``{"nodes": [{"label", "kind", "package", "location"}], "edges": [{"source", "target", "reasons": [{"attribute",
"when", "flags"}]}]}``, sorted by label. Nothing is reduced or collapsed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bzlgraph.export.pictures.draw import adjacency
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.networkx_view import graphml_text


def to_json(graph: BuildGraph, nodes: Iterable[int], without: int = 0) -> str:
    """The JSON text, ending with a newline."""
    full = adjacency(graph, nodes, without)
    described = [graph.describe(number) for number in full]
    data: dict[str, Any] = {
        "nodes": [
            {
                "label": str(node.label),
                "kind": node.kind_words,
                "package": node.label.package_label,
                "location": str(node.location) if node.location else None,
            }
            for node in described
        ],
        "edges": [_edge(graph, number, end, without) for number, ends in full.items() for end in ends],
    }
    return json.dumps(data, indent=1) + "\n"


def _edge(graph: BuildGraph, source: int, target: int, without: int) -> dict[str, Any]:
    return {
        "source": str(graph.labels[source]),
        "target": str(graph.labels[target]),
        "reasons": [
            {
                "attribute": edge.attribute,
                "when": edge.when,
                "flags": [(flag.name or "").lower() for flag in edge.flags],
            }
            for edge in graph.edges_between(source, target, without)
        ],
    }


def to_graphml(graph: BuildGraph, nodes: Iterable[int], without: int = 0) -> str:
    """The GraphML text; lists of reasons become texts, as the format has no lists."""
    return graphml_text(graph, nodes, without)
