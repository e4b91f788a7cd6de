"""A kept graph as one that grows: what a question touches is what another one would have loaded for it.

Whatever the kept graph does not know exactly raises ``Unanswered``: the question then goes the full way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from bzlgraph.base.codec import Codec
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.model import Package, RuleClass, Target
from bzlgraph.graph.given import GraphSource, PackageKey
from bzlgraph.graph.index import GraphIndex
from bzlgraph.graph.view import GraphView
from bzlgraph.snapshot.evaluation.faults import gaps_of
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import ENVIRONMENTS, LOADED, Unanswered, listing_around
from bzlgraph.snapshot.nodes.columns import Dependents, KeptColumns
from bzlgraph.snapshot.nodes.kept_nodes import KeptNodes
from bzlgraph.snapshot.nodes.packages import StoredPackages

if TYPE_CHECKING:
    from bzlgraph.snapshot.evaluation.run import KeptGap

_DIAGNOSTIC, _FRAME = Codec(Diagnostic), Codec(Frame)


class _NotKnown(Mapping[Any, Any]):
    """What nobody may ask a kept graph."""

    def __getitem__(self, key: object) -> NoReturn:
        raise Unanswered

    def __iter__(self) -> NoReturn:
        raise Unanswered

    def __len__(self) -> NoReturn:
        raise Unanswered

    def __contains__(self, key: object) -> NoReturn:
        raise Unanswered


class KeptSource(GraphSource):
    """What is known of packages without loading them: which there are below folders that were listed."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def packages_below(self, repo: str, prefix: str) -> Sequence[str]:
        names = listing_around(self._run.graph.table("listed").get(repo, {}), prefix)
        if names is None:
            raise Unanswered
        return [each for each in names if not prefix or each == prefix or each.startswith(f"{prefix}/")]

    def written_names(self) -> NoReturn:
        raise Unanswered

    def is_file(self, label: Label) -> NoReturn:
        raise Unanswered

    def repositories(self) -> NoReturn:
        raise Unanswered

    def package(self, repo: str, name: str) -> NoReturn:
        raise Unanswered

    def missing(self, repo: str, name: str) -> NoReturn:
        raise Unanswered

    def absent(self, repo: str, name: str) -> NoReturn:
        raise Unanswered

    def build_file(self, repo: str, package: str) -> NoReturn:
        raise Unanswered

    def in_turn(self, keys: Iterable[PackageKey]) -> NoReturn:
        raise Unanswered


class KeptPackages(Mapping[PackageKey, Package]):
    """The packages that an evaluation has touched. One that is no longer kept as it was raises Unanswered."""

    def __init__(self, run: Run) -> None:
        self._run = run
        if run.stored is None:
            run.stored = StoredPackages(run.graph, run.cache)
        self._reader = run.stored

    def __getitem__(self, key: PackageKey) -> Package:
        number = self._number(key)
        if number is None:
            raise KeyError(key)
        return self._reader.package(number)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and self._number(key) is not None

    def __iter__(self) -> Iterator[PackageKey]:
        graph = self._run.graph
        told = (number for number, told in enumerate(self._run.told) if told)
        return (graph.key(number) for number in told if graph.package_status[number] == LOADED)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _number(self, key: tuple[str, ...]) -> int | None:
        number = self._run.graph.package(*key)
        known = number is not None and self._run.told[number] and self._run.graph.package_status[number] == LOADED
        return number if known else None


class KeptView(KeptNodes, GraphView):
    """The packages that an evaluation has touched, in no configuration."""

    columns: KeptColumns
    run: Run

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.source = KeptSource(run)
        self.packages = KeptPackages(run)
        self.absent = self.diagnostics = self.repository_gaps = _NotKnown()

    def file_node(self, label: Label, location: Location) -> NoReturn:
        """No file becomes a node here."""
        raise Unanswered

    def target(self, node: int) -> Target | None:
        """The target behind a node, None for missing and unloaded ones."""
        if self.kinds[node] > ENVIRONMENTS:
            return None
        label = self.labels[node]
        package = self.packages.get((label.repo, label.package))
        return package.targets.get(label.name) if package is not None else None

    def rule_class(self, node: int) -> RuleClass | None:
        """The class of a rule, None for all that is none."""
        return super().rule_class(node) if self.class_name(node) else None

    def declared(self, key: PackageKey) -> Iterable[int]:
        """The nodes that a package declares."""
        package, kinds = self.run.graph.package(*key), self.kinds
        return (
            [node for node in self.run.graph.nodes_of(package) if kinds[node] <= ENVIRONMENTS]
            if package is not None
            else []
        )

    def named_labels(self) -> set[Label]:
        """The labels that edges of packages lead to that were asked for."""
        graph, ends = self.run.graph, self.columns.edge_target
        known = filter(self.run.knows, range(len(graph.package_names)))
        own = (edge for number in known for node in graph.nodes_of(number) for edge in self.columns.edges_of(node))
        return {self.labels[end] for end in {ends[edge] for edge in own}}

    def index(self, excluded_flags: int = 0) -> GraphIndex:
        """The graph against its direction, of all that is kept: who asks it says within what."""
        return _KeptIndex(Dependents(self.run, excluded_flags))

    def missing_among(self, nodes: Iterable[int]) -> list[Diagnostic]:
        """Why each MISSING node among these does not exist, by label."""
        among = set(nodes)
        return [self.diagnostic(text) for text in self.run.missing_texts(among)]

    def package_gaps_of(self, nodes: Iterable[int]) -> tuple[Gap, ...]:
        """The gaps of the packages that these nodes are in, and of repositories that are absent."""
        package_of, nodes = self.run.graph.whole("package_of"), set(nodes)
        packages = {package_of[node] for node in nodes}
        return tuple(dict.fromkeys(map(gap_of, gaps_of(self.run, packages, self.run.unpinned_among(nodes)))))

    def diagnostic(self, text: str) -> Diagnostic:
        """What stands behind a text that is told."""
        text, place = self.run.without_place(text)
        plain = self.run.graph.table("diagnostics").get(text)
        if plain is None:
            raise Unanswered
        found = _DIAGNOSTIC.decode(plain)
        return replace(found, location=Location(*place)) if place is not None else found


class _KeptIndex(GraphIndex):
    """The graph against its direction: whole waves are read at once."""

    dependents: Dependents

    def waves(self, goals: Iterable[int], within: Set[int]) -> Iterator[set[int]]:
        """The goals, what leads to them in one step and in no fewer, and so on."""
        return iter(self.dependents.run.waves_to(goals, set(within), self.dependents.excluded))


def view_of(run: Run) -> KeptView:
    """The view of what an evaluation has touched: one for all that reads targets of it."""
    return run.once(KeptView)


def gap_of(kept: KeptGap) -> Gap:
    """A gap as it was."""
    kind, what, hides, place, repository = kept
    return Gap(kind, what, hides, None if place is None else Location(*place), repository)


def kept_gap(gap: Gap) -> KeptGap:
    """A gap as plain data."""
    place = None if gap.location is None else (gap.location.path, gap.location.line, gap.location.column)
    return gap.kind, gap.what, gap.hides, place, gap.repository
