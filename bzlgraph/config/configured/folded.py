"""An answer of a configured view to be shown: where a label is several nodes, one that has the edges of all of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Target
from bzlgraph.config.configured.nodes import ConfiguredNodes
from bzlgraph.config.settings import Settings
from bzlgraph.graph.columns import EdgeColumns, EdgeRow
from bzlgraph.graph.given import PackageKey
from bzlgraph.graph.view import GraphView


class FoldedView(GraphView):
    """Nodes of a view, where those of a label are one. Only these have edges; their targets follow, without any."""

    def __init__(self, view: ConfiguredNodes, nodes: Sequence[int]) -> None:
        self.columns = EdgeColumns(view.columns.attributes, view.columns.conditions)
        self.source, self.packages, self.absent = view.source, view.packages, view.absent
        self.diagnostics, self.repository_gaps = view.diagnostics, view.repository_gaps
        self._view = view
        self._view_nodes = array("i")
        """Per node: the first of its label in the view."""
        self._node_of: dict[Label, int] = {}
        together: dict[int, list[int]] = {}
        for node in nodes:
            together.setdefault(self._take(node), []).append(node)
        self.answered = len(together)
        for node, same in together.items():
            self.columns.add_edges(node, self._rows(same))

    def _take(self, view_node: int) -> int:
        label = self._view.labels[view_node]
        node = self._node_of.get(label)
        if node is None:
            node = self._node_of[label] = self.columns.add_node(label, self._view.kinds[view_node])
            self._view_nodes.append(view_node)
        return node

    def _rows(self, view_nodes: Iterable[int]) -> dict[EdgeRow, None]:
        """The edges of nodes of the view, each once."""
        columns = self._view.columns
        return dict.fromkeys(
            (
                self._take(columns.edge_target[edge]),
                columns.edge_attribute[edge],
                columns.edge_condition[edge],
                columns.edge_flags[edge],
            )
            for node in view_nodes
            for edge in self._view.edges_from(node)
        )

    @property
    def configuration(self) -> Settings:
        """The settings of the command line."""
        return self._view.configuration

    def node(self, label: Label) -> int:
        """The node of a label, new ones at the end."""
        return self._take(self._view.node(label))

    def find(self, label: Label) -> int | None:
        """The node of a label that the graph below knows, else None."""
        return None if self._view.base.find(label) is None else self.node(label)

    def load(self, keys: Iterable[PackageKey]) -> None:
        """Load packages into the view; of the nodes here only the kinds change."""
        self._view.load(keys)
        for node, view_node in enumerate(self._view_nodes):
            self.columns.kinds[node] = self._view.kinds[view_node]

    def file_node(self, label: Label, location: Location) -> int:
        """The node of a file that a package loads, a .bzl or its BUILD file, also when no rule names it."""
        return self._take(self._view.file_node(label, location))

    def target(self, node: int) -> Target | None:
        """The target behind a node, None for missing and unloaded ones."""
        return self._view.target(self._view_nodes[node])

    def reach(self, wave: Sequence[int]) -> None:
        """Nothing to do: it does not grow."""

    def possible_value(self, node: int, value: object) -> tuple[object, tuple[Gap, ...]]:
        """The value without the branches that do not hold in the configuration of the node."""
        return self._view.possible_value(self._view_nodes[node], value)

    def problems_of(self, nodes: Iterable[int]) -> list[Diagnostic]:
        """What Bazel would refuse about these nodes."""
        return self._view.problems_of(self._view_nodes[node] for node in nodes)

    def gaps_of(self, nodes: Iterable[int]) -> tuple[Gap, ...]:
        """The gaps of the view that touch these nodes."""
        return self._view.gaps_of([self._view_nodes[node] for node in nodes])
