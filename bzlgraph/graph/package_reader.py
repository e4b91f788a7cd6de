"""Package -> its edges as columns, which need no other package: what travels and is kept beside the package."""

from __future__ import annotations

from array import array

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, RuleClass
from bzlgraph.graph.columns import EdgeRow, Interned
from bzlgraph.graph.edges import EdgeReader
from bzlgraph.graph.model import EdgeCondition
from bzlgraph.graph.stored import PackageEdges


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
        try:
            specs = [self._reader.read(target, package) for target in package.targets.values()]
        except _OthersNeeded:
            return None
        own = {Label(package.repo, package.name, name): number for number, name in enumerate(package.targets)}
        ends, attributes = Interned(own), Interned[str]()
        conditions: Interned[EdgeCondition] = Interned([()])
        counts, rows = array("i"), list[EdgeRow]()
        known, named = ends.numbers, attributes.numbers  # look up, then call: each is mostly known
        for each in specs:
            of_target: dict[EdgeRow, None] = {}
            for name, label, when, flags in each:
                end, attribute = known.get(label), named.get(name)
                of_target[
                    ends.intern(label) if end is None else end,
                    attributes.intern(name) if attribute is None else attribute,
                    conditions.intern(when) if when else 0,
                    flags,
                ] = None
            counts.append(len(of_target))
            rows += of_target
        homes = Interned[tuple[str, str]]()
        others = tuple((homes.intern((repo, name)), target) for repo, name, target in ends[len(own) :])
        columns = zip(*rows, strict=True) if rows else ((),) * 4
        data = [array(kind, column).tobytes() for kind, column in zip("iiiH", columns, strict=True)]
        return PackageEdges(
            counts.tobytes(),
            (data[0], data[1], data[2], data[3]),
            tuple(attributes),
            tuple(conditions),
            tuple(homes),
            others,
        )
