"""Packages -> graph: targets as nodes, and edges that keep their reason (attribute, condition, call)."""

from bzlgraph.graph.build import BuildGraph, build_graph
from bzlgraph.graph.index import GraphIndex, index
from bzlgraph.graph.model import Edge, EdgeFlag, Node, NodeKind
from bzlgraph.graph.networkx_view import to_networkx
from bzlgraph.graph.view import GraphSource

__all__ = [
    "BuildGraph",
    "Edge",
    "EdgeFlag",
    "GraphIndex",
    "GraphSource",
    "Node",
    "NodeKind",
    "build_graph",
    "index",
    "to_networkx",
]
