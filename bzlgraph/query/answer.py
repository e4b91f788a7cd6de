"""The answer to a query: targets in an order, and what could not be known about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.graph.view import GraphView


class Order(Enum):
    """How the targets of an answer are ordered. A query decides on one of the first two, an output may want another."""

    LABEL = "by label, packages before the packages below them"
    PATH = "from the start of a path to its end"
    GRAPH = "each target before what it depends on"


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """The targets found, in their ``order``.

    ``text`` is the query itself, ``excluded_flags`` are the flags of edges it did not follow.
    ``problems`` are missing targets and broken packages met on the way, ``gaps`` what could not be known, ``remarks``
    what may help whoever asked. ``possible``: the labels that are here only if something unknown adds an edge.
    """

    graph: GraphView
    nodes: tuple[int, ...]
    problems: tuple[Diagnostic, ...] = ()
    gaps: tuple[Gap, ...] = ()
    excluded_flags: int = 0
    text: str = ""
    remarks: tuple[Diagnostic, ...] = ()
    order: Order = Order.LABEL
    possible: frozenset[Label] = frozenset()

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Label]:
        return (self.graph.labels[node] for node in self.nodes)
