"""The question ``doctor``: what loads, what is missing, and what that may hide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.span import Location
from bzlgraph.base.words import counted
from bzlgraph.bazel.model import Package
from bzlgraph.graph.algorithms.cycles import find_cycles, refusal
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.query.language.parser import quoted
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.repositories import (
    Outside,
    RepositoryNeed,
    RepositoryPlace,
    assumptions,
    found_repositories,
    ignored_places,
    missing_repositories,
    places_outside,
    sources_of,
)
from bzlgraph.questions.session import QueryOptions, Session, ask_query
from bzlgraph.why.answer import CycleSteps
from bzlgraph.why.steps import cycle_steps
from bzlgraph.workspace.bazel_version import Reading


@dataclass(frozen=True, slots=True)
class Health:
    """As which Bazel a tree was read, and what was loaded: packages that have a BUILD file, and where compiled files
    came from ("" without a cache, and why there is none); how repositories were found, what was assumed about the
    nominal host, and what is missing, what hides most first."""

    read_as: Reading
    packages: tuple[Package, ...]
    cache_folder: str
    cache_refused: str
    cache_hits: int
    cache_misses: int
    found: tuple[RepositoryPlace, ...] = ()
    assumptions: tuple[str, ...] = ()
    missing: tuple[RepositoryNeed, ...] = ()
    notes: tuple[str, ...] = ()
    outside: tuple[Outside, ...] = ()
    """Links that lead out of the checkout and were followed."""
    cycles: tuple[CycleSteps, ...] = ()
    """Of targets that need themselves."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """What makes the repositories that would close gaps: see ``sources_of``."""

    @property
    def broken(self) -> tuple[Package, ...]:
        """The packages that have errors."""
        return tuple(package for package in self.packages if package.broken)

    @property
    def rules(self) -> int:
        """The number of rules."""
        return sum(1 for package in self.packages for _ in package.rules())

    @property
    def targets(self) -> int:
        """The number of targets."""
        return sum(len(package.targets) for package in self.packages)


def _as_typed(problem: Diagnostic) -> Diagnostic:
    """A problem without its place in a query that nobody has typed."""
    if problem.location is None or problem.location.path != "query":
        return problem
    return replace(problem, location=None, span=None, source_line=None)


def ask_health(session: Session, pattern: str, *, keep_going: bool) -> Reply[Health]:
    """Load the packages of a pattern and what they need. Problems of one package that does not exist are one problem.

    Raises as ``targets.ask_query``.
    """
    try:
        reply = ask_query(session, f"deps({quoted(pattern)})", QueryOptions(keep_going=keep_going))
    except LoadProblem as problem:  # nobody has typed that query
        raise LoadProblem(map(_as_typed, problem.diagnostics)) from None
    loader = session.loader
    packages = tuple(package for package in loader.loaded() if loader.has_build_file(package))
    programs = loader.workspace.bzl_loader.programs
    cycles = find_cycles(session.graph, reply.answer.nodes)
    health = Health(
        loader.workspace.reading,
        packages,
        str(programs.store.folder or ""),
        loader.workspace.cache.refused,
        programs.hits,
        programs.misses,
        found_repositories(session),
        assumptions(session),
        missing_repositories(session, reply.completeness.gaps),
        ignored_places(session),
        places_outside(session),
        tuple(cycle_steps(session.graph, cycle) for cycle in cycles),
        sources_of(session, reply.completeness.gaps),
    )
    refused = (replace(refusal(session.graph, cycle), notes=()) for cycle in cycles if cycle.certain)
    problems = (*map(_as_typed, _folded(session.graph, reply.completeness.problems)), *refused)
    return Reply(health, replace(reply.completeness, problems=problems), reply.notes)


def _folded(graph: GraphView, problems: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """One problem for each package that does not exist, then all others: a tree may name hundreds of labels in one.
    What is missing is told with the first place that names it."""
    missing = [node for node, kind in enumerate(graph.kinds) if kind == NodeKind.MISSING]
    missing.sort(key=graph.labels.__getitem__)
    told = {problem.message for problem in problems}
    messages = {each.message: node for node, each in zip(missing, graph.missing_among(missing), strict=True)}
    named = {message: node for message, node in messages.items() if message in told}
    places = _first_places(graph, set(named.values()))
    packages: dict[tuple[str, str], list[str]] = {}
    for message, node in named.items():
        label = graph.labels[node]
        if graph.absent.get((label.repo, label.package)) is NodeKind.MISSING:
            packages.setdefault((label.repo, label.package), []).append(message)
    for key, folded in sorted(packages.items()):
        known, nodes = graph.diagnostics[key][0], [named[message] for message in folded]
        place = min((places[node] for node in nodes if node in places), default=None)
        message = f"{known.message}; named by {counted(len(nodes), 'label')}, as {graph.labels[nodes[0]]}"
        yield replace(known, message=message, location=known.location or place)
    told.difference_update(*packages.values())
    for problem in problems:
        if problem.message in told:
            place = places.get(named.get(problem.message, -1))
            yield replace(problem, location=place or problem.location)


def _first_places(graph: GraphView, ends: set[int]) -> dict[int, Location]:
    """Where the first of the targets stands that names each of these nodes, by file and line."""
    columns, found = graph.columns, dict[int, Location]()
    for edge, end in enumerate(columns.edge_target):
        if end in ends and not columns.edge_flags[edge] & EdgeFlag.OUTPUT:
            place = graph.describe(columns.edge_source[edge]).location
            if place is not None:
                found[end] = min(place, found.get(end, place))
    return found
