"""An older graph, and what is written anew -> the order of the new graph: its packages, and its nodes by their labels.

Nodes of the older graph stay side by side where nothing is written between them, so that whole runs of its columns are
copied. Written anew are all nodes of some packages, and those of others that nobody had named before.

>>> order = Order(Old(None), [Label("", "b", "y"), Label("", "a", "x")], {("", "a")}, {"": ""})
>>> order.keys, order.first.tolist(), [str(label) for piece in order.pieces for label in piece]
([('', 'a'), ('', 'b')], [0, 1, 2], ['//a:x', '//b:y'])
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, count
from operator import attrgetter, eq
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label
from bzlgraph.snapshot.kept import KeptGraph

if TYPE_CHECKING:
    Numbers = array[int]

PackageKey = tuple[str, str]
Piece = tuple[int, int] | list[Label]
"""Nodes side by side: as the older graph has them, from the first to the end; or by their labels, as written anew."""
_NAME = attrgetter("name")


class Old:
    """The packages and names of an older graph, or of none. Raises DamagedFile."""

    def __init__(self, graph: KeptGraph | None) -> None:
        self.graph = graph
        self.keys: list[PackageKey] = [] if graph is None else list(map(graph.key, range(len(graph.package_names))))
        self.number_of = {key: number for number, key in enumerate(self.keys)}
        self._nodes: dict[PackageKey, dict[str, int]] = {}

    def range(self, key: PackageKey) -> range:
        """The nodes of a package."""
        if self.graph is None or key not in self.number_of:
            return range(0)
        return self.graph.nodes_of(self.number_of[key])

    def nodes(self, key: PackageKey) -> Mapping[str, int]:
        """The nodes of a package by name, in their order."""
        if key not in self._nodes:
            self._nodes[key] = dict(zip(self._names(key), count(self.range(key).start), strict=False))
        return self._nodes[key]

    def node(self, label: Label) -> int | None:
        """The node of a label."""
        return self.nodes(label[:2]).get(label.name)

    def _names(self, key: PackageKey) -> list[str]:
        if self.graph is None or key not in self.number_of:
            return []
        nodes, start = self.range(key), len(self.graph.prefix(self.number_of[key]))
        texts = bytes(self.graph.lines(nodes.start, nodes.stop)).decode("utf-8", "surrogatepass").split("\n")
        return [text[start:] for text in texts[:-1]]


class Order:
    """The packages and nodes of the new graph. ``labels``: all that what is written anew declares or names, each once;
    ``anew``: the packages that are written anew; ``canonical``: the canonical name of each repository."""

    def __init__(self, old: Old, labels: Iterable[Label], anew: set[PackageKey], canonical: Mapping[str, str]) -> None:
        more = _unknown(old, labels)
        self.old = old
        self.anew = anew
        self.keys = sorted({*old.keys, *anew, *more}, key=lambda key: (canonical[key[0]], key[1]))
        self.first = array("i")
        """The first node of each package, and their end."""
        self.pieces: list[Piece] = []
        self._moved = array("i")
        self._size = 0
        for key in self.keys:
            self.first.append(self._size)
            if key in anew:
                self._all_written(key, more.get(key, []))
            else:
                self._written_between(key, more.get(key, []))
        self.first.append(self._size)
        self.moved = None if all(map(eq, self._moved, count())) else self._moved
        """The new number of each node of the older graph; None where each has the one that it had."""

    def __len__(self) -> int:
        return self._size

    def new_number(self, node: int) -> int:
        """The new number of a node of the older graph."""
        return self._moved[node]

    def number_of(self, label: Label) -> int:
        """The new number of a label of the older graph."""
        return self._moved[self.old.nodes(label[:2])[label.name]]

    def starts(self) -> Iterator[int]:
        """The number of the first node of each piece."""
        sizes = (each[1] - each[0] if isinstance(each, tuple) else len(each) for each in self.pieces)
        return iter([0, *accumulate(sizes)][:-1])

    def package_of(self) -> Numbers:
        """The package of each node."""
        found = array("i")
        for number in range(len(self.keys)):
            found += array("i", [number]) * (self.first[number + 1] - self.first[number])
        return found

    def _all_written(self, key: PackageKey, more: list[Label]) -> None:
        before = self.old.nodes(key)
        for label in sorted([*more, *(Label(*key, name) for name in before)], key=_NAME):
            if label.name in before:
                self._moved.append(self._size)
            self._write(label)

    def _written_between(self, key: PackageKey, more: list[Label]) -> None:
        nodes = self.old.range(key)
        at, names = nodes.start, list(self.old.nodes(key)) if more else []
        for label in sorted(more, key=_NAME):
            here = nodes.start + bisect_left(names, label.name)
            self._keep(at, here)
            self._write(label)
            at = here
        self._keep(at, nodes.stop)

    def _keep(self, begin: int, end: int) -> None:
        if begin == end:
            return
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, tuple) and last[1] == begin:
            self.pieces[-1] = (last[0], end)
        else:
            self.pieces.append((begin, end))
        self._moved.extend(range(self._size, self._size + end - begin))
        self._size += end - begin

    def _write(self, label: Label) -> None:
        if not self.pieces or isinstance(self.pieces[-1], tuple):
            self.pieces.append([])
        self.pieces[-1].append(label)  # type: ignore[union-attr]  # a list, just above
        self._size += 1


def _unknown(old: Old, labels: Iterable[Label]) -> dict[PackageKey, list[Label]]:
    """The labels that an older graph does not have, by package."""
    found: dict[PackageKey, list[Label]] = {}
    for label in labels:
        key = label[:2]
        if key not in old.number_of or label.name not in old.nodes(key):
            found.setdefault(key, []).append(label)
    return found
