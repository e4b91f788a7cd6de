"""The columns of a kept graph as those of any other: values are made of what is mapped when somebody asks for them.

Edges are known of packages that the evaluation has touched, as a graph that grows knows those of the packages that it
has loaded. This module is as light as those that answer before anything heavy is imported.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from bzlgraph.base.resolved_label import Label
from bzlgraph.bazel.condition import Condition, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from bzlgraph.bazel.condition import EdgeCondition
    from bzlgraph.snapshot.nodes.walk import Walk

    T = TypeVar("T")


class Made(Sequence["T"]):
    """Values by number, each made when it is first asked for."""

    def __init__(self, make: Callable[[int], T], size: int) -> None:
        self._make = make
        self._size = size
        self._known: dict[int, T] = {}

    def __getitem__(self, number: int) -> T:  # type: ignore[override]  # nobody takes slices of it
        if number not in self._known:
            if not 0 <= number < self._size:
                raise IndexError(number)
            self._known[number] = self._make(number)
        return self._known[number]

    def __len__(self) -> int:
        return self._size


class Dependents(Sequence[Sequence[int]]):
    """What leads to each node along edges with none of the flags excluded, of all that is kept."""

    def __init__(self, run: Walk, excluded: int) -> None:
        self.run, self.excluded = run, excluded
        self._first, self._users = run.graph.whole("first_user"), run.graph.column("users")
        self._package_of, self._checked = run.graph.whole("package_of"), run.users_checked

    def __getitem__(self, node: int) -> Sequence[int]:  # type: ignore[override]  # nobody takes slices of it
        if not self._checked[self._package_of[node]]:
            self.run.check_users((node,))
        if self.excluded:
            return [user for user, flags in self.run.users_of(node) if not flags & self.excluded]
        return self._users[self._first[node] : self._first[node + 1]].tolist()

    def __len__(self) -> int:
        return len(self._package_of)

    def __iter__(self) -> Iterator[Sequence[int]]:
        return map(self.__getitem__, range(len(self)))


class KeptColumns:
    """The columns of the packages that an evaluation has touched."""

    def __init__(self, run: Walk) -> None:
        graph = run.graph
        self._run, self._touched, self._checked = run, run.touched, run.edges_checked
        self._first, self._package_of = graph.whole("first_edge"), graph.whole("package_of")
        self.kinds: Sequence[int] = graph.whole("kinds")
        self.edge_target: Sequence[int] = graph.column("edge_target")
        self.edge_flags: Sequence[int] = graph.column("edge_flags")
        self.edge_attribute: Sequence[int] = graph.column("edge_attribute")
        self.edge_condition: Sequence[int] = graph.column("edge_condition")
        self.attributes: Sequence[str] = graph.table("attributes")
        plain = graph.table("conditions")
        self.conditions: Sequence[EdgeCondition] = Made(lambda number: _condition(plain[number]), len(plain))
        self.edge_source: Sequence[int] = Made(self._source, len(self.edge_target))
        self.labels: Sequence[Label] = Made(self._label, len(self._package_of))
        self._prefixes: dict[int, tuple[str, str, int]] = {}
        self._depths: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._package_of)

    def depth(self, node: int) -> int:
        """How many folders deep the package of a node lies."""
        package = self._package_of[node]
        found = self._depths.get(package)
        if found is None:
            name = self._run.graph.package_names[package]
            found = self._depths[package] = name.count("/") + 1 if name else 0
        return found

    def edges_of(self, node: int) -> range:
        """The numbers of the edges of a node; none before its package was asked for."""
        package = self._package_of[node]
        if not self._checked[package]:
            if not (self._touched[package] or self._run.knows(package)):
                return range(0)
            self._run.check_edges((node,))
        return range(self._first[node], self._first[node + 1])

    def _source(self, edge: int) -> int:
        return bisect_right(self._first, edge) - 1

    def _label(self, node: int) -> Label:
        package = self._package_of[node]
        if package not in self._prefixes:
            graph = self._run.graph
            self._prefixes[package] = (*graph.key(package), len(graph.prefix(package)))
        repo, name, length = self._prefixes[package]
        return Label(repo, name, self._run.graph.label(node)[length:])


def _condition(plain: Any) -> EdgeCondition:
    """What ``Codec`` makes of it, which takes longer to be imported."""
    return tuple(Term(_one(condition), tuple(map(_one, others))) for condition, others in plain)


def _one(plain: Any) -> Condition:
    label, unknown = plain
    return Condition(Label(*label) if label is not None else None, unknown)
