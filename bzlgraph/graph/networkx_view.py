"""The graph, or any answer, as a networkx DiGraph: the public face for everyone's own algorithms.

Nodes are label strings with ``kind``, ``rule_class``, ``package``, ``location``; edges have ``attributes`` and
``conditions`` (one text per reason, "" for always) and ``flags`` (names, those that all reasons share).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.view import GraphView

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(graph: GraphView, nodes: Iterable[int] | None = None, excluded_flags: int = 0) -> nx.DiGraph[str]:
    """The graph as a DiGraph, limited to ``nodes`` when given, along edges with none of the flags excluded. By label:
    the numbers of nodes tell in which order packages happened to be loaded."""
    import networkx as nx

    chosen = sorted(range(len(graph)) if nodes is None else set(nodes), key=graph.labels.__getitem__)
    view: nx.DiGraph[str] = nx.DiGraph()
    for node in chosen:
        view.add_node(str(graph.labels[node]), **_node_data(graph, node))
    for node in chosen:
        source = str(graph.labels[node])
        for edge_number in graph.edges_from(node):
            if graph.columns.edge_flags[edge_number] & excluded_flags:
                continue
            edge = graph.edge(edge_number)
            target = str(graph.labels[edge.target])
            if nodes is not None and target not in view:
                continue
            _add_reason(view, source, target, edge.attribute, edge.when, edge.flags)
    return view


def graphml_text(graph: GraphView, nodes: Iterable[int] | None = None, excluded_flags: int = 0) -> str:
    """The view as GraphML; the reasons of an edge become one text, as the format has no lists."""
    import networkx as nx

    view = to_networkx(graph, nodes, excluded_flags)
    for _, _, data in view.edges(data=True):
        for key, value in data.items():
            data[key] = "; ".join(dict.fromkeys(filter(None, value)))
    return "\n".join(nx.generate_graphml(view)) + "\n"


def _node_data(graph: GraphView, number: int) -> dict[str, str]:
    node = graph.describe(number)
    return {
        "kind": node.kind_words,
        "rule_class": node.rule_class,
        "package": node.label.package_label,
        "location": str(node.location) if node.location else "",
    }


def _add_reason(view: nx.DiGraph[str], source: str, target: str, attribute: str, when: str, flags: EdgeFlag) -> None:
    """Parallel edges become one edge with several reasons; a flag holds only when it holds for all of them."""
    names = {(flag.name or "").lower() for flag in flags}
    if view.has_edge(source, target):
        data = view.edges[source, target]
        data["attributes"] += (attribute,)
        data["conditions"] += (when,)
        data["flags"] = tuple(name for name in data["flags"] if name in names)
    else:
        view.add_edge(source, target, attributes=(attribute,), conditions=(when,), flags=tuple(sorted(names)))
