"""What hangs below a target, by package: those it names (``deps``), or those who name it (``rdeps``, ``why``).

Rules: a target is followed once, where it hangs nearest to a root, and among such places in the first; everywhere else
it is marked as repeated. Large groups, and many of them, may be cut: what is shown says how many there are. So a tree
has as many lines as there are edges between what is shown, however many paths there are.
"""

from __future__ import annotations

from collections import defaultdict, deque

from bzlgraph.base.record import Record
from bzlgraph.graph.model import NodeKind
from bzlgraph.why.answer import Neighbour, NeighbourGroup, Neighbours
from bzlgraph.why.path_graph import ROOT
from bzlgraph.why.steps import reasons_of

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set

    from bzlgraph.why.answer import EdgeReason
    from bzlgraph.why.path_graph import Ways, WhyGraph


class Limits(Record):
    """How much of the neighbours of one target is shown: up to ``few`` are, whatever packages they are in."""

    few: int
    groups: int
    of_group: int


SOME = Limits(12, 8, 4)


class Grown(Record):
    """Trees, one for each root, and the nodes that stand somewhere in them."""

    roots: tuple[Neighbour, ...]
    shown: Set[int]


def dependents(ways: Ways, depth: int) -> Neighbours:
    """The dependents of the target of ``why``, ``depth`` steps outwards (1: the direct ones)."""
    named_by = {node: [each for each in found if each != ROOT] for node, found in ways.predecessors.items()}
    grown = grow(ways.graph, [ways.target], named_by, lambda above, below: reasons_of(ways, below, above), depth)
    return grown.roots[0].below or Neighbours(0, 0, ())


def grow(
    graph: WhyGraph,
    roots: Sequence[int],
    named: Mapping[int, Sequence[int]],
    reasons: Callable[[int, int], tuple[EdgeReason, ...]],
    depth: int,
    limits: Limits | None = SOME,
) -> Grown:
    """Trees of ``depth`` steps; ``named`` says what hangs below a node, ``reasons`` why (above, below)."""
    return _Growing(graph, named, reasons, limits).grow(roots, depth)


class _Twig:
    """A place of the tree; ``groups`` is None where the node is not followed."""

    def __init__(self, node: int, above: int) -> None:
        self.node = node
        self.above = above
        self.repeated = False
        self.groups: list[tuple[str, int, list[_Twig]]] | None = None
        self.count = self.packages = 0


class _Growing:
    def __init__(
        self,
        graph: WhyGraph,
        named: Mapping[int, Sequence[int]],
        reasons: Callable[[int, int], tuple[EdgeReason, ...]],
        limits: Limits | None,
    ) -> None:
        self.graph = graph
        self.named = named
        self.reasons = reasons
        self.limits = limits
        self.seen: set[int] = set()

    def grow(self, roots: Sequence[int], depth: int) -> Grown:
        """Wave by wave, so that the place nearest to a root comes first."""
        trunks = [_Twig(root, ROOT) for root in roots]
        waiting = deque((twig, 0) for twig in trunks)
        places: list[_Twig] = []
        while waiting:
            twig, step = waiting.popleft()
            places.append(twig)
            below = self.named.get(twig.node, ())
            twig.repeated = twig.node in self.seen and len(below) > 0
            self.seen.add(twig.node)
            if step < depth and below and not twig.repeated:
                self._sprout(twig, below)
                waiting.extend((each, step + 1) for _, _, twigs in twig.groups or () for each in twigs)
        frozen: dict[int, Neighbour] = {}
        for twig in reversed(places):  # what hangs below a place comes after it
            frozen[id(twig)] = self._frozen(twig, frozen)
        return Grown(tuple(frozen[id(twig)] for twig in trunks), self.seen)

    def _sprout(self, twig: _Twig, below: Iterable[int]) -> None:
        """What hangs below a place, the largest package first, in it rules before files."""
        groups: dict[str, list[int]] = defaultdict(list)
        labels, kinds = self.graph.labels, self.graph.kinds
        listed = sorted(below, key=lambda node: (kinds[node] != NodeKind.RULE, labels[node]))
        for node in listed:
            groups[labels[node].package_label].append(node)
        largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        limits = self.limits if self.limits is not None and len(listed) > self.limits.few else None
        twig.count, twig.packages = self.graph.count_labels(listed), len(groups)
        twig.groups = [
            (package, len(nodes), [_Twig(node, twig.node) for node in nodes[: limits.of_group if limits else None]])
            for package, nodes in largest[: limits.groups if limits else None]
        ]

    def _frozen(self, twig: _Twig, frozen: Mapping[int, Neighbour]) -> Neighbour:
        why = () if twig.above == ROOT else self.reasons(twig.above, twig.node)
        below = None
        if twig.groups is not None:
            shown = (
                NeighbourGroup(package, count, tuple(frozen[id(each)] for each in twigs))
                for package, count, twigs in twig.groups
            )
            below = Neighbours(twig.count, twig.packages, tuple(shown))
        return Neighbour(self.graph.describe(twig.node), why, below, twig.repeated)
