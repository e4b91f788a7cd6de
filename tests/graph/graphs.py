"""Graphs that several tests ask."""

from __future__ import annotations

from hypothesis import strategies as st

from bzlgraph.graph.build import BuildGraph
from tests.graph.tree import plain_tree

SIZE = 9
GRAPHS = st.dictionaries(
    st.integers(0, SIZE - 1).map(str), st.lists(st.integers(0, SIZE - 1).map(str), unique=True, max_size=5), min_size=1
)


def loaded(edges: dict[str, list[str]]) -> BuildGraph:
    """A graph of filegroups ``//p:0`` to ``//p:8``, loaded."""
    everything = {str(number): edges.get(str(number), []) for number in range(SIZE)}
    graph = plain_tree(everything).graph()
    graph.load([("", "p")])
    return graph
