"""Package -> its edges as columns, which need no other package: what travels and is kept beside the package."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, RuleClass
from bzlgraph.graph.columns import EdgeRow, Interned
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import EdgeCondition
from bzlgraph.graph.stored import PackageEdges

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
        own = {Label(package.repo, package.name, name): number for number, name in enumerate(package.targets)}
        ends, attributes = Interned(own), Interned[str]()
        conditions: Interned[EdgeCondition] = Interned([()])
        counts, columns = array("i"), (array("i"), array("i"), array("i"), array("H"))
        rows: list[EdgeRow] = []
        known, named = ends.numbers, attributes.numbers  # look up, then call: each is mostly known
        try:
            for target in package.targets.values():
                of_target: dict[EdgeRow, None] = {}
                for name, label, when, flags in self._reader.read(target, package):
                    end, attribute = known.get(label), named.get(name)
                    of_target[
                        ends.intern(label) if end is None else end,
                        attributes.intern(name) if attribute is None else attribute,
                        conditions.intern(when) if when else 0,
                        flags,
                    ] = None
                counts.append(len(of_target))
                rows += of_target
                if len(rows) >= AT_ONCE:
                    _move(rows, columns)
        except _OthersNeeded:
            return None
        _move(rows, columns)
        homes = Interned[tuple[str, str]]()
        others = tuple((homes.intern((repo, name)), target) for repo, name, target in ends[len(own) :])
        ends_of, names_of, when_of, flags_of = (column.tobytes() for column in columns)
        return PackageEdges(
            counts.tobytes(),
            (ends_of, names_of, when_of, flags_of),
            tuple(attributes),
            tuple(conditions),
            tuple(homes),
            others,
        )


def _move(rows: list[EdgeRow], columns: Sequence[array[int]]) -> None:
    """Put rows at the end of columns."""
    for column, part in zip(columns, zip(*rows, strict=True), strict=False):
        column.fromlist(list(part))
    rows.clear()
