"""The nodes and edges of a graph as parallel arrays: plain columns that are indexed by a node's or an edge's number.

Row ``n`` of the node columns is node ``n``; its edges are one contiguous run of the edge columns, which ``first_edge``
and ``edge_count`` name. Attributes and conditions are interned: an edge holds the number of a value in a table. Readers
need no more than indexing, so columns may as well be mapped from a file.

>>> columns = EdgeColumns()
>>> a, b = columns.add_node(Label("", "", "a"), 0), columns.add_node(Label("", "", "b"), 0)
>>> columns.add_edges(a, [(b, columns.attributes.intern("deps"), 0, 0)])
>>> [columns.attributes[columns.edge_attribute[edge]] for edge in columns.edges_of(a)]
['deps']
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import chain, repeat
from typing import Protocol, TypeVar

from bzlgraph.base.label import Label
from bzlgraph.graph.model import EdgeCondition

H = TypeVar("H", bound=Hashable)
EdgeRow = tuple[int, int, int, int]
"""An edge without its source: target node, attribute number, condition number, flags."""


class Interned(list[H]):
    """Values by number, each once. It grows by ``intern`` alone; several graphs may share a table."""

    def __init__(self, values: Iterable[H] = ()) -> None:
        super().__init__(values)
        self.numbers = {value: number for number, value in enumerate(self)}

    def intern(self, value: H) -> int:
        """The number of a value, new ones at the end."""
        number = self.numbers.get(value)
        if number is None:
            number = self.numbers[value] = len(self)
            self.append(value)
        return number


class Numbers(dict[H, int]):
    """Values and the number of each, which it gets when it is asked for first.

    >>> numbers = Numbers[str]()
    >>> numbers["a"], numbers["b"], numbers["a"], list(numbers)
    (0, 1, 0, ['a', 'b'])
    """

    def __missing__(self, value: H) -> int:
        number = self[value] = len(self)
        return number


class Columns(Protocol):
    """What readers may ask of the columns of a graph; an edge's number says in which row it stands."""

    @property
    def labels(self) -> Sequence[Label]:
        """The label of each node."""

    @property
    def kinds(self) -> Sequence[int]:
        """The ``NodeKind`` of each node."""

    @property
    def edge_source(self) -> Sequence[int]:
        """The node that an edge leaves."""

    @property
    def edge_target(self) -> Sequence[int]:
        """The node that it leads to."""

    @property
    def edge_attribute(self) -> Sequence[int]:
        """The number of its attribute in ``attributes``."""

    @property
    def edge_condition(self) -> Sequence[int]:
        """The number of its condition in ``conditions``."""

    @property
    def edge_flags(self) -> Sequence[int]:
        """Its flags."""

    @property
    def attributes(self) -> Sequence[str]:
        """The attributes by number."""

    @property
    def conditions(self) -> Sequence[EdgeCondition]:
        """The conditions by number."""

    def edges_of(self, node: int) -> range:
        """The numbers of the edges of a node, as far as they are known."""

    def __len__(self) -> int:
        """How many nodes there are."""


class EdgeColumns:
    """The columns of one graph. Condition 0 is (), which always holds."""

    __slots__ = (
        "attributes",
        "conditions",
        "edge_attribute",
        "edge_condition",
        "edge_count",
        "edge_flags",
        "edge_source",
        "edge_target",
        "first_edge",
        "kinds",
        "labels",
    )

    def __init__(
        self, attributes: Interned[str] | None = None, conditions: Interned[EdgeCondition] | None = None
    ) -> None:
        """Empty columns, whose edges name the attributes and conditions of these tables."""
        self.labels: list[Label] = []
        self.kinds = bytearray()
        self.first_edge = array("i")
        self.edge_count = array("i")
        self.edge_source = array("i")
        self.edge_target = array("i")
        self.edge_attribute = array("i")
        self.edge_condition = array("i")
        self.edge_flags = array("H")
        self.attributes: Interned[str] = Interned() if attributes is None else attributes
        self.conditions: Interned[EdgeCondition] = Interned([()]) if conditions is None else conditions

    def __len__(self) -> int:
        return len(self.labels)

    def add_node(self, label: Label, kind: int) -> int:
        """Append a node without edges; its number."""
        node = len(self.labels)
        self.labels.append(label)
        self.kinds.append(kind)
        self.first_edge.append(0)
        self.edge_count.append(0)
        return node

    def add_nodes(self, labels: Sequence[Label], kinds: bytes | bytearray) -> None:
        """Append many nodes without edges."""
        self.labels += labels
        self.kinds += kinds
        none = bytes(self.first_edge.itemsize * len(labels))
        self.first_edge.frombytes(none)
        self.edge_count.frombytes(none)

    def add_edges(self, source: int, rows: Collection[EdgeRow]) -> None:
        """Append all edges of a node."""
        self.first_edge[source], self.edge_count[source] = len(self.edge_target), len(rows)
        for target, attribute, condition, flags in rows:
            self.edge_target.append(target)
            self.edge_attribute.append(attribute)
            self.edge_condition.append(condition)
            self.edge_flags.append(flags)
        self.edge_source.extend([source] * len(rows))

    def edges_of(self, node: int) -> range:
        """The numbers of the edges of a node that have been appended so far."""
        first = self.first_edge[node]
        return range(first, first + self.edge_count[node])

    def add_edge_columns(
        self,
        sources: Sequence[int],
        counts: Sequence[int],
        ends: Iterable[int],
        attributes: Iterable[int],
        conditions: Iterable[int],
        flags: Iterable[int],
    ) -> None:
        """Append all edges of several nodes, one node after the other; ``counts`` says how many each has."""
        first = len(self.edge_target)
        for source, count in zip(sources, counts, strict=False):
            self.first_edge[source], self.edge_count[source] = first, count
            first += count
        # Lists, which arrays take in half the time of what is iterated.
        self.edge_source.fromlist(list(chain.from_iterable(map(repeat, sources, counts))))
        self.edge_target.fromlist(list(ends))
        self.edge_attribute.fromlist(list(attributes))
        self.edge_condition.fromlist(list(conditions))
        self.edge_flags.extend(flags)
