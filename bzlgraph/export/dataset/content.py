"""What is exported of a checkout: ``CheckoutContent``, and the numbers that its targets get.

The targets are those that match and those that their edges name, in the order of their labels, so that a package is one
run of rows. Their numbers are int32 arrays: with a million targets the labels are not copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from bzlgraph.base.gap import Completeness
from bzlgraph.flags.bazelrc_table import BazelrcView
from bzlgraph.flags.settings.table import SettingRow
from bzlgraph.graph.given import PackageKey
from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.workspace.workspace import Workspace

if TYPE_CHECKING:
    from numpy import bool_, int32
    from numpy.typing import NDArray


class CheckoutContent(Protocol):
    """A checkout and what is to be told of it. The answer is that of a graph without a configuration."""

    @property
    def answer(self) -> QueryAnswer:
        """The targets that match."""

    @property
    def workspace(self) -> Workspace:
        """Where they are."""

    @property
    def settings(self) -> Sequence[SettingRow]:
        """What selects may ask."""

    @property
    def rc(self) -> BazelrcView:
        """What rc files set."""

    @property
    def completeness(self) -> Completeness:
        """What is wrong, and what could not be known."""

    @property
    def revision(self) -> str | None:
        """The commit that is checked out, where that is known."""


@dataclass(frozen=True)
class Numbering:
    """The nodes of a checkout by label: they are numbered so, from ``first`` on, and their packages from
    ``first_package`` on."""

    graph: GraphView
    matching: Sequence[int]
    first: int = 0
    first_package: int = 0

    @cached_property
    def matches(self) -> NDArray[bool_]:
        """Whether each node of the graph matches."""
        import numpy as np

        marks = np.zeros(len(self.graph), dtype=bool)
        marks[np.asarray(self.matching, dtype=np.int64)] = True
        return marks

    @cached_property
    def nodes(self) -> list[int]:
        """The nodes, by label."""
        import numpy as np

        columns = self.graph.columns
        there = self.matches.copy()
        there[np.asarray(columns.edge_target)[self.matches[np.asarray(columns.edge_source)]]] = True
        return sorted(np.flatnonzero(there).tolist(), key=columns.labels.__getitem__)

    @cached_property
    def missing(self) -> int:
        """How many of the nodes are labels of targets that do not exist."""
        return len(self.graph.missing_of(self.nodes))

    @cached_property
    def ids(self) -> NDArray[int32]:
        """The number of each node of the graph, -1 for those that are not there."""
        import numpy as np

        numbers = np.full(len(self.graph), -1, dtype=np.int32)
        numbers[self.nodes] = np.arange(self.first, self.first + len(self.nodes), dtype=np.int32)
        return numbers

    def packages(self) -> Iterator[tuple[PackageKey, list[int]]]:
        """The nodes of each package, by label."""
        labels = self.graph.labels

        def package(node: int) -> PackageKey:
            label = labels[node]
            return label.repo, label.package

        return ((key, list(nodes)) for key, nodes in groupby(self.nodes, package))

    def matching_packages(self) -> Iterator[tuple[PackageKey, list[int]]]:
        """The nodes that match, of each package that has any."""
        matches = self.matches
        kept = ((key, [node for node in nodes if matches[node]]) for key, nodes in self.packages())
        return ((key, nodes) for key, nodes in kept if nodes)
