"""What a query runs in: the graph it may grow, the settings of the command line, and what went wrong on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import RepoMapping, identity_mapping
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.index import GraphIndex, index
from bzlgraph.graph.model import EdgeFlag, NodeKind


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of the question. ``package`` is the folder relative patterns start from."""

    implicit_deps: bool = True
    tool_deps: bool = True
    keep_going: bool = False
    package: str = ""
    mapping: RepoMapping = identity_mapping

    @property
    def without(self) -> int:
        """The flags of edges that are not followed."""
        return int((0 if self.implicit_deps else EdgeFlag.IMPLICIT) | (0 if self.tool_deps else EdgeFlag.TOOL))


@dataclass(slots=True)
class Environment:
    """One run: the graph grows, problems are noted, and the index is kept as long as the graph stays as it is."""

    graph: BuildGraph
    settings: Settings = field(default_factory=Settings)
    problems: list[Diagnostic] = field(default_factory=list)
    _index: GraphIndex | None = None
    _indexed_edges: tuple[int, int] = (0, 0)

    def closure(self, roots: Iterable[int], depth: int | None = None) -> set[int]:
        """``deps``: everything reached, loaded on the way."""
        return self.graph.closure(roots, self.settings.without, depth)

    def index(self) -> GraphIndex:
        """Both directions of the graph as it is now."""
        state = (len(self.graph), len(self.graph.edge_target))
        if self._index is None or self._indexed_edges != state:
            self._index, self._indexed_edges = index(self.graph, self.settings.without), state
        return self._index

    def note(self, problem: Diagnostic) -> None:
        """Note a problem once."""
        if problem not in self.problems:
            self.problems.append(problem)

    def targets(self, nodes: Iterable[int]) -> set[int]:
        """Only what exists; a missing target is an error of the query, as in Bazel, and noted."""
        kept = set(nodes)
        missing = {number for number in kept if self.graph.kinds[number] == NodeKind.MISSING}
        for number in sorted(missing, key=lambda each: self.graph.labels[each]):
            self.note(self._missing(number))
        return kept - missing

    def _missing(self, number: int) -> Diagnostic:
        label = self.graph.labels[number]
        package = self.graph.packages.get((label.repo, label.package))
        if package is None:
            known = self.graph.diagnostics.get((label.repo, label.package))
            reason = known[0].message if known else f"no such package '{label.package_label}': BUILD file not found"
            return Diagnostic(f"{label}: {reason}")
        message = f"no such target '{label}': target '{label.name}' not declared in package '{label.package}'"
        return Diagnostic(message, hint="the package has errors before it" if package.broken else None)
