"""What a query runs in: the graph it may grow, the settings of the command line, and what went wrong on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label, RepoMapping, identity_mapping
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import PRIVATE, Package, Rule
from bzlgraph.facts import Facts, for_version
from bzlgraph.facts.built_in import is_own_tool
from bzlgraph.facts.fallback_sources import family
from bzlgraph.graph.index import GraphIndex
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.query.patterns import expand_list

Nodes = set[int]
PackageKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class QuerySettings:
    """Options of the question. ``package`` is the folder relative patterns start from.

    ``universe_scope`` are the patterns that ``allrdeps`` and ``rbuildfiles`` look in; none means ``//...``, or, with
    ``infer_universe_scope``, the patterns of the query.
    """

    implicit_deps: bool = True
    tool_deps: bool = True
    keep_going: bool = False
    package: str = ""
    mapping: RepoMapping = identity_mapping
    nodep_deps: bool = True
    universe_scope: tuple[str, ...] = ()
    infer_universe_scope: bool = False
    strict_test_suite: bool = False
    facts: Facts = field(default_factory=for_version)
    possible_deps: bool = True
    """Whether edges are followed that exist only if something unknown adds them."""
    assume_declared: bool = False
    """Whether a label that was typed may be one that nothing is known to declare."""

    @property
    def excluded_flags(self) -> int:
        """The flags of edges that are not followed."""
        followed = (
            (self.implicit_deps, EdgeFlag.IMPLICIT),
            (self.tool_deps, EdgeFlag.TOOL),
            (self.nodep_deps, EdgeFlag.NODEP),
            (self.possible_deps, EdgeFlag.POSSIBLE),
        )
        return sum(int(flag) for follows, flag in followed if not follows)


@dataclass(slots=True)
class Environment:
    """One run: the graph grows, problems are noted, and the index is kept as long as the graph stays as it is.

    ``problems`` make the answer partial, and so do ``gaps``: what a function would have to know, beside the gaps of the
    targets in the answer. ``remarks`` only help whoever asked.
    """

    graph: GraphView
    settings: QuerySettings = field(default_factory=QuerySettings)
    problems: list[Diagnostic] = field(default_factory=list)
    gaps: dict[Gap, None] = field(default_factory=dict)
    remarks: list[Diagnostic] = field(default_factory=list)
    unmatched: list[Diagnostic] = field(default_factory=list)
    """Remarks for an empty answer: regular expressions that match nothing."""
    inferred: tuple[str, ...] = ()
    """The patterns of the query itself."""
    asked: Nodes = field(default_factory=set)
    """The targets that its patterns name."""
    typed: dict[int, int] = field(default_factory=dict)
    """Those that were typed as labels, and where in the query; -1 for an option."""
    refused: Nodes = field(default_factory=set)
    """Typed labels that nothing is known to stand behind: patterns do not stand for them."""
    seen: Nodes = field(default_factory=set)
    """All that was looked into: what is not known of these may be missing in the answer."""
    loaded_by: dict[int, PackageKey] = field(default_factory=dict)
    """Files that packages are made from -> the first package that was."""
    _index: GraphIndex | None = None
    _indexed_edges: tuple[int, int] = (0, 0)
    _universe: Nodes | None = None
    _covered: Nodes = field(default_factory=set)
    """All that the packages of the universe's patterns declare."""
    _missing: set[str] = field(default_factory=set)
    """What was said of targets that do not exist."""

    def closure(self, roots: Iterable[int], depth: int | None = None, towards: Nodes | None = None) -> Nodes:
        """``deps``: everything reached, loaded on the way. ``towards``: what ways are looked for to, if to anything.

        Where no depth limits it, Bazel loads what lies behind the edges that are not followed as well, and fails where
        some of that is missing.
        """
        excluded = self.settings.excluded_flags
        unlikely = excluded & EdgeFlag.POSSIBLE
        reached = self._checked(self.graph.closure(roots, excluded, depth))
        self._see(reached, towards)
        if depth is None and excluded != unlikely:
            behind = set().union(*(self.graph.ends_of(node, unlikely) for node in reached)) - reached
            self.targets(self._checked(self.graph.closure(behind, unlikely)))
        return reached

    def universe(self) -> Nodes:
        """The targets of ``--universe_scope``."""
        if self._universe is None:
            settings, scope = self.settings, self.universe_scope()
            found = expand_list(scope, self.graph, settings.mapping, settings.package, within=self._covered)
            self.seen |= self._covered
            self._universe = found - self.refused
            self.typed |= dict.fromkeys(self._universe - self.typed.keys(), -1)
        return self._universe

    def everything(self, towards: Nodes | None = None) -> Nodes:
        """The universe with all it needs, whichever edges the question follows; ``towards`` as of ``closure``."""
        reached = self._checked(self.graph.closure(self.universe()))
        self._see(reached, towards)
        return reached

    def universe_scope(self) -> Sequence[str]:
        """The patterns of the universe."""
        inferred = self.inferred if self.settings.infer_universe_scope else ()
        return self.settings.universe_scope or inferred or ("//...",)

    def packages_of(self, everything: Nodes) -> set[PackageKey]:
        """What is loaded for ``everything``: those packages as well in which the universe has no target."""
        return {key for key in map(self.home, everything | self._covered) if key in self.graph.packages}

    def _see(self, nodes: Nodes, towards: Nodes | None) -> None:
        """Note what was looked into. What Bazel brings in itself has no ways to targets that are not its own."""
        labels = self.graph.labels
        if towards is not None and not any(map(is_own_tool, {labels[node].repo for node in towards})):
            own = set(filter(is_own_tool, {labels[node].repo for node in nodes}))
            nodes = {node for node in nodes if labels[node].repo not in own}
        self.seen |= nodes

    def check_asked(self) -> None:
        """Note what an analysis of what the query names would refuse, whichever edges the query follows."""
        for problem in self.graph.refused_behind(self.asked):
            self.note(problem)

    def _checked(self, reached: Nodes) -> Nodes:
        """The nodes, after what Bazel would refuse about them was noted."""
        for problem in self.graph.problems_of(reached):
            self.note(problem)
        return reached

    def index(self) -> GraphIndex:
        """Both directions of the graph as it is now."""
        state = (len(self.graph), len(self.graph.columns.edge_target))
        if self._index is None or self._indexed_edges != state:
            self._index, self._indexed_edges = self.graph.index(self.settings.excluded_flags), state
        return self._index

    def note(self, problem: Diagnostic) -> None:
        """Note a problem once."""
        if problem not in self.problems:
            self.problems.append(problem)

    def add_gaps(self, gaps: Iterable[Gap]) -> None:
        """Keep gaps, each once."""
        self.gaps.update(dict.fromkeys(gaps))

    def remark(self, remark: Diagnostic) -> None:
        """Keep a remark that may help, once."""
        if remark not in self.remarks:
            self.remarks.append(remark)

    def targets(self, nodes: Iterable[int]) -> Nodes:
        """Only what exists; a missing target is an error of the query, as in Bazel, and noted, once for all places."""
        kept = set(nodes)
        for problem in self.graph.missing_among(kept):
            if problem.message not in self._missing:
                self._missing.add(problem.message)
                self.note(problem)
        return {node for node in kept if self.graph.kinds[node] != NodeKind.MISSING}

    # --------------------------------------------------------------------------------------- packages and files
    def rules(self, nodes: Iterable[int]) -> list[tuple[int, Rule]]:
        """The rules among these nodes."""
        found = ((node, self.graph.target(node)) for node in sorted(nodes))
        return [(node, target) for node, target in found if isinstance(target, Rule)]

    def package_nodes(self, key: PackageKey) -> list[int]:
        """Every target of a package, loaded when it is not yet."""
        self.graph.load([key])
        package = self.graph.packages.get(key)
        found = [self.graph.node(Label(*key, each)) for each in package.targets] if package is not None else []
        self.seen.update(found)
        return found

    def file_node(self, label: Label, package: Package) -> int:
        """The node of a BUILD or .bzl file, declared or not, that ``package`` is made from."""
        build_file = package.targets.get(package.build_file.name)
        place = Location(package.build_file.shown_path(self.settings.mapping.canonical(package.repo)), 1, 1)
        node = self.graph.file_node(label, build_file.location if build_file is not None else place)
        self.loaded_by.setdefault(node, (package.repo, package.name))
        return node

    def home(self, node: int) -> PackageKey:
        """The package of a target; of a file that none declares, the one that is made from it, as in Bazel."""
        label = self.graph.labels[node]
        own = (label.repo, label.package)
        return own if self.is_declared(node) else self.loaded_by.get(node, own)

    def is_declared(self, node: int) -> bool:
        """Whether a loaded package has the target."""
        label = self.graph.labels[node]
        package = self.graph.packages.get((label.repo, label.package))
        return package is not None and label.name in package.targets

    def build_file_name(self, repo: str, package: str) -> str | None:
        """``BUILD`` or ``BUILD.bazel`` of a package that need not be loaded."""
        known = self.graph.packages.get((repo, package))
        if known is not None:
            return known.build_file.name
        return self.graph.source.build_file(repo, package) if self.graph.source is not None else None

    def files_stood_in_for(self, package: Package) -> list[Label]:
        """The .bzl files of absent, well-known repositories that a package loads: something stands in for them."""
        source = self.graph.source
        external = [label for label in package.bzl_files if label.repo and family(label.repo)]
        return [each for each in external if source is not None and source.build_file(each.repo, each.package) is None]

    def effective_visibility(self, rule: Rule) -> tuple[Label | str, ...]:
        """What ``attr(visibility, ...)`` sees: what is written, in newer Bazels else the package's default."""
        effective = self.settings.facts.attr_visibility_effective
        if rule.visibility is not None and (effective or "visibility" in rule.values):
            return rule.visibility
        if not effective:
            return ()
        package = self.graph.packages.get((rule.label.repo, rule.label.package))
        return package.default_visibility if package is not None else (PRIVATE,)
