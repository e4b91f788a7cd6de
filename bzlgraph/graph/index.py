"""The graph frozen against its direction: what questions about who-needs-what run on.

A node's *dependents* are the sources of the edges that lead to it. Below ``EDGES_WORTH_NUMPY`` edges they are plain
lists, which are made before numpy is imported; above it compressed sparse rows: a million nodes and ten million edges
are some 50 MB, against 3 GB in networkx (measured).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from bzlgraph.graph.columns import Columns

    Numbers = NDArray[np.signedinteger[Any]]

EDGES_WORTH_NUMPY = 300_000
"""Fewer edges than this are turned round in plain Python in less time than importing numpy takes (0.09 s)."""


@dataclass(frozen=True, slots=True)
class SparseRows(Sequence[Sequence[int]]):
    """Many short lists in two columns: the list of number n is ``values[offsets[n]:offsets[n + 1]]``."""

    offsets: Sequence[int]
    values: Sequence[int]

    def __getitem__(self, number: int) -> Sequence[int]:  # type: ignore[override]  # nobody takes slices of it
        return self.values[self.offsets[number] : self.offsets[number + 1]]

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class GraphIndex:
    """The dependents of each node of a graph, along some of its edges and in their order, as it was when this was made.

    >>> GraphIndex([[], [0], [0, 1]]).distances_to([2], within={0, 1, 2})
    {2: 0, 0: 1, 1: 1}
    """

    dependents: Sequence[Sequence[int]]

    def reaching(self, goals: Iterable[int], within: Set[int], depth: int | None = None) -> set[int]:
        """Nodes from which a goal is reached in at most ``depth`` steps, the goals included."""
        reached: set[int] = set()
        for step, wave in enumerate(self.waves(goals, within)):
            if depth is not None and step > depth:
                break
            reached |= wave
        return reached

    def distances_to(self, goals: Iterable[int], within: Set[int]) -> dict[int, int]:
        """Steps from each node to the nearest goal; a node without a way to one is left out."""
        return {node: step for step, wave in enumerate(self.waves(goals, within)) for node in wave}

    def waves(self, goals: Iterable[int], within: Set[int]) -> Iterator[set[int]]:
        """The goals, then what leads to them in one step and in no fewer, and so on."""
        dependents = self.dependents
        wave = set(goals) & within
        reached = set(wave)
        while wave:
            yield wave
            wave = {source for node in wave for source in dependents[node]}
            wave &= within
            wave -= reached
            reached |= wave


def index(columns: Columns, excluded_flags: int = 0) -> GraphIndex:
    """Freeze a graph as it is now, along the edges that have none of the flags ``excluded_flags``."""
    small = len(columns.edge_target) < EDGES_WORTH_NUMPY
    return GraphIndex((_in_lists if small else _in_columns)(columns, excluded_flags))


def _in_lists(columns: Columns, excluded_flags: int) -> Sequence[Sequence[int]]:
    dependents: list[list[int]] = [[] for _ in range(len(columns))]
    for source, target, flags in zip(columns.edge_source, columns.edge_target, columns.edge_flags, strict=True):
        if not flags & excluded_flags:
            dependents[target].append(source)
    return dependents


def _in_columns(columns: Columns, excluded_flags: int) -> Sequence[Sequence[int]]:
    import numpy as np

    sources, targets = np.asarray(columns.edge_source), np.asarray(columns.edge_target)
    if excluded_flags:
        kept = (np.asarray(columns.edge_flags) & excluded_flags) == 0
        sources, targets = sources[kept], targets[kept]
    order = np.argsort(targets, kind="stable")  # a node keeps the order of its edges
    offsets = np.zeros(len(columns) + 1, dtype=np.int32)
    np.cumsum(np.bincount(targets, minlength=len(columns)), out=offsets[1:])
    # Views of the same memory: an array that is indexed makes an object of numpy for each number.
    return SparseRows(offsets.data, np.ascontiguousarray(sources[order], dtype=np.int32).data)


# ------------------------------------------------------------------------------------- steps of searches among many
def edges_of(first: Numbers, nodes: Numbers) -> tuple[Numbers, Numbers]:
    """The edges of nodes, node after node, and how many each node has. Those of node n are numbered from ``first[n]``
    up to ``first[n + 1]``, which is not one of them.

    >>> import numpy as np
    >>> [found.tolist() for found in edges_of(np.array([0, 2, 2, 5]), np.array([2, 1, 0]))]
    [[2, 3, 4, 0, 1], [3, 0, 2]]
    """
    import numpy as np

    begin = first[nodes]
    counts = first[nodes + 1] - begin
    return np.repeat(begin - np.cumsum(counts) + counts, counts) + np.arange(counts.sum()), counts


def each_once(numbers: Numbers) -> Numbers:
    """Numbers from 0 on in their order, each once.

    >>> import numpy as np
    >>> each_once(np.array([3, 0, 3])).tolist()
    [0, 3]
    """
    import numpy as np

    ordered = np.sort(numbers)  # numpy.unique would take ten times as long
    return ordered[np.diff(ordered, prepend=-1) > 0]
