"""One evaluation on the kept graph: what is told of it, and what went wrong on the way.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from bzlgraph.base.words import printable
from bzlgraph.snapshot.kept import OUTPUT, POSSIBLE, KeptGraph
from bzlgraph.snapshot.nodes.walk import Many, Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any, TypeVar

    from bzlgraph.snapshot.nodes.packages import StoredPackages

    T = TypeVar("T")
    Place = tuple[str, int, int]
    """Path, line, column."""
    KeptGap = tuple[str, str, str, Place | None, str]
    """A gap: kind, what is missing, what that hides, where, the repository that would close it."""


class Run(Walk):
    """One evaluation: what was touched, and what went wrong on the way. ``cache``: the folder of kept packages."""

    def __init__(self, graph: KeptGraph, excluded: int, cache: str) -> None:
        super().__init__(graph, excluded)
        self.cache = cache
        self.seen = bytearray(len(graph.package_names))
        """The packages that were looked into: what is not known of them may be missing in the answer."""
        self.unpinned: set[int] = set()
        """Of what was looked into, the labels that a lock file does not have."""
        self._made: dict[Callable[[Run], Any], Any] = {}
        self.stored: StoredPackages | None = None
        """What reads kept packages, once there is one; shared by the evaluations of one question."""
        self.unmatched = False
        """Whether a pattern matched nothing of what it was tried on."""
        self.remarks: dict[str, None] = {}
        self.problems: dict[str, None] = {}
        self.told_missing: set[int] = set()
        """The missing targets that were told of."""
        self.placed: dict[str, tuple[str, Place]] = {}
        """Text with a place -> the text without it, and the place."""
        self.gaps: dict[KeptGap, None] = {}

    def without(self, flags: int) -> Run:
        """Another evaluation for the same question, that does not follow edges with these flags either."""
        other = Run(self.graph, self.excluded | flags, self.cache)
        other.stored = self.stored
        return other

    def once(self, make: Callable[[Run], T]) -> T:
        """What ``make`` makes of this evaluation, made when it is first asked for."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    def see(self, nodes: Iterable[int]) -> None:
        """Note what was looked into."""
        for package in self._packages_of(nodes):
            self.seen[package] = 1
        self.unpinned |= self.unpinned_among(nodes)

    def unpinned_among(self, nodes: Iterable[int]) -> set[int]:
        """The nodes among these that nothing declares, as what a lock file does not have."""
        unpinned = set(self.graph.table("unpinned"))
        return unpinned & nodes if isinstance(nodes, Many) else unpinned.intersection(nodes)

    def see_ways(self, within: set[int] | Many, goals: set[int]) -> None:
        """Note what ways were looked for in. What Bazel brings in itself has none to targets that are not its own."""
        graph, package_of = self.graph, self.graph.whole("package_of")
        own = set(graph.facts["own"])
        if any(graph.key(package_of[node])[0] in own for node in goals):
            own = set()
        for package in self._packages_of(within):
            if graph.key(package)[0] not in own:
                self.seen[package] = 1
        self.unpinned |= self.unpinned_among(within)

    def packages(self) -> list[int]:
        """All that the evaluation has to do with."""
        met = zip(self.touched, self.told, self.seen, strict=True)
        return [number for number, each in enumerate(met) if any(each)]

    def followed(
        self, roots: Iterable[int], depth: int | None = None, waves: list[Collection[int]] | None = None
    ) -> set[int] | Many:
        """``Environment.closure``: what lies behind edges that are not followed is loaded, too."""
        unlikely = self.excluded & POSSIBLE
        reached = self.closure(roots, self.excluded, depth, waves)
        if depth is None and self.excluded != unlikely:
            self.existing(self.closure(self._behind(reached, unlikely), unlikely))
        return reached

    def existing(self, nodes: set[int] | Many) -> set[int] | Many:
        """``Environment.targets``: a missing target is a problem."""
        return nodes - self.note_missing(nodes)

    def note_missing(self, nodes: set[int] | Many) -> set[int]:
        """Note problems of the missing targets among these nodes, which it gives."""
        missing = set(self.graph.table("missing")) & nodes
        if not missing <= self.told_missing:
            told = self._missing_texts(nodes)
            self.problems.update((text, None) for node, text in told.items() if node not in self.told_missing)
            self.told_missing.update(told)
        return missing

    def missing_texts(self, nodes: set[int] | Many) -> list[str]:
        """``GraphView.missing_among``, as text."""
        return list(self._missing_texts(nodes).values())

    def _missing_texts(self, nodes: set[int] | Many) -> dict[int, str]:
        missing, found = self.graph.table("missing"), dict[int, str]()
        for node in sorted(set(missing) & nodes, key=self.graph.by_label):
            users = [(user, flags) for user, flags in self.users_of(node) if user in nodes]
            if users and all(flags & POSSIBLE for _, flags in users):  # only something unknown adds it
                continue
            naming = [user for user, flags in users if not flags & OUTPUT]
            found[node] = self._with_place(missing[node], min(naming, key=self.graph.by_label) if naming else None)
        return found

    def _with_place(self, text: str, user: int | None) -> str:
        """What is told of a missing target, with the place of what names it."""
        if user is None:
            return text
        from bzlgraph.snapshot.nodes.kept_nodes import KeptNodes  # few trees name what does not exist

        place = KeptNodes(self).describe(user).location
        if place is None:
            return text
        placed = f"{printable(str(place))}: {text}"
        self.placed[placed] = text, (place.path, place.line, place.column)
        return placed

    def without_place(self, text: str) -> tuple[str, Place | None]:
        """A text that is told, as the tables of the graph have it, and the place that was put before it."""
        return self.placed.get(text, (text, None))

    def reaching(self, closure: set[int] | Many, goals: set[int], depth: int | None) -> set[int] | Many:
        """What of ``closure`` reaches a goal."""
        self.note_missing(closure)
        self.see_ways(closure, goals)
        found = self._leading_to(goals, closure, depth)
        return found - self.note_missing(found)
