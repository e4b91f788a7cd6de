"""An exploration: the targets of a question with all that they need, and the truth of every condition on the way.

graph, roots -> ``Exploration``. The graph is in no configuration: every branch of a ``select()`` is there, and each of
the ``scenarios`` says which of them hold in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bzlgraph.config.verdict import Truth
from bzlgraph.graph.view import GraphView


@dataclass(frozen=True, slots=True)
class Scenario:
    """One configuration. ``words`` choose it; ``truths`` has the truth of each of the exploration's conditions.

    ``other_repositories``: under these options repository rules write other files, which the exploration does not have.
    """

    words: str
    truths: tuple[Truth, ...]
    other_repositories: bool = False


@dataclass(frozen=True, slots=True)
class Exploration:
    """``nodes`` are ``roots``, the targets that were asked for, and what they need; by label.

    ``conditions`` are the numbers of those that edges among the nodes have.
    """

    graph: GraphView
    nodes: tuple[int, ...]
    roots: frozenset[int]
    title: str
    conditions: tuple[int, ...] = ()
    scenarios: tuple[Scenario, ...] = ()

    @property
    def edges(self) -> Iterator[int]:
        """The numbers of the edges among the nodes, by source."""
        within, target = frozenset(self.nodes), self.graph.columns.edge_target
        return (edge for node in self.nodes for edge in self.graph.edges_from(node) if target[edge] in within)


def explore(graph: GraphView, roots: Iterable[int], title: str, excluded_flags: int = 0) -> Exploration:
    """The targets ``roots`` and all that they need, along edges with none of the flags excluded."""
    asked = frozenset(roots)
    nodes = tuple(sorted(graph.closure(asked, excluded_flags), key=graph.labels.__getitem__))
    found = Exploration(graph, nodes, asked, title)
    always = 0
    conditions = {graph.columns.edge_condition[edge] for edge in found.edges} | {always}
    return replace(found, conditions=tuple(sorted(conditions)))
