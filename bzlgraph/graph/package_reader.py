"""Package -> its edges as columns, which need no other package: what travels and is kept beside the package."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, RuleClass
from bzlgraph.graph.columns import EdgeRow, Numbers
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import EdgeCondition, EdgeSpec
from bzlgraph.graph.stored import PackageEdges

_new = tuple.__new__
"""What ``Label(...)`` does, for hundreds of thousands."""
AT_ONCE = 4096
"""Rows that are tuples at a time, which take ten times as much memory as in columns."""


class _OthersNeeded(Exception):
    """What a rule of another package is decides on an edge."""


def _refuse(_label: Label) -> RuleClass | None:
    raise _OthersNeeded


class PackageReader:
    """Reads the edges of packages one by one, without any other package."""

    def __init__(self) -> None:
        self._reader = EdgeReader(_refuse)

    def read(self, package: Package) -> PackageEdges | None:
        """The edges of a package; None where they depend on what rules of other packages are."""
        tables = _Tables(package)
        counts, columns = array("i"), (array("i"), array("i"), array("i"), array("H"))
        rows: list[EdgeRow] = []
        try:
            for target in package.targets.values():
                of_target = tables.rows(self._reader.portions(target, package))
                counts.append(len(of_target))
                rows += of_target
                if len(rows) >= AT_ONCE:
                    _move(rows, columns)
        except _OthersNeeded:
            return None
        _move(rows, columns)
        homes = Numbers[tuple[str, str]]()
        others = tuple([(homes[repo, name], target) for repo, name, target in tables.others()])
        ends_of, names_of, when_of, flags_of = (column.tobytes() for column in columns)
        return PackageEdges(
            counts.tobytes(),
            (ends_of, names_of, when_of, flags_of),
            tuple(tables.attributes),
            tuple(tables.conditions),
            tuple(homes),
            others,
        )


class _Tables:
    """What the edges of one package name, by number."""

    def __init__(self, package: Package) -> None:
        repo, home = package.repo, package.name
        self.ends = Numbers({_new(Label, (repo, home, name)): number for number, name in enumerate(package.targets)})
        self.attributes = Numbers[str]()
        self.conditions: Numbers[EdgeCondition] = Numbers({(): 0})
        self._own = len(self.ends)
        self._shared: dict[int, dict[EdgeRow, None]] = {}
        """The rows of portions that several targets have, by the identity of each, which the reader keeps."""

    def others(self) -> Iterator[Label]:
        """The ends of edges outside of the package."""
        return islice(self.ends, self._own, None)

    def rows(self, portions: Iterable[Sequence[EdgeSpec]]) -> dict[EdgeRow, None]:
        """The edges of a target, each once."""
        ends, attributes, conditions = self.ends, self.attributes, self.conditions
        found: dict[EdgeRow, None] = {}
        for portion in portions:
            is_shared = type(portion) is tuple
            if is_shared and id(portion) in self._shared:
                found |= self._shared[id(portion)]
                continue
            made = {} if is_shared else found
            for name, label, when, flags in portion:
                made[ends[label], attributes[name], conditions[when] if when else 0, flags] = None
            if is_shared:
                self._shared[id(portion)] = made
                found |= made
        return found


def _move(rows: list[EdgeRow], columns: Sequence[array[int]]) -> None:
    """Put rows at the end of columns."""
    for column, part in zip(columns, zip(*rows, strict=True), strict=False):
        column.fromlist(list(part))
    rows.clear()
