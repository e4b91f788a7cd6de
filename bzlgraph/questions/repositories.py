"""Repositories as ``doctor`` tells of them: how the content of each was found, and what the missing ones may hide.

(a session whose graph was loaded, the gaps of its answer) -> ``found_repositories``, ``missing_repositories``,
``sources_of``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.base.words import override_option
from bzlgraph.bazel.rules.repository_rule import RuleCall
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.questions.session import Session
from bzlgraph.workspace.repositories.from_archive import urls
from bzlgraph.workspace.repositories.on_disk import checksum
from bzlgraph.workspace.repositories.table import Repository
from bzlgraph.workspace.repositories.ways import ARCHIVE_RULES, WAYS
from bzlgraph.workspace.sources.source import DiskSource


@dataclass(frozen=True, slots=True)
class RepositoryPlace:
    """A repository whose content was found; ``way`` is one of workspace/repositories/ways.py.

    ``whole``: all of it, else a part: a RepositoryNeed tells what that hides.
    """

    name: str
    way: str
    place: str
    whole: bool


@dataclass(frozen=True, slots=True)
class RepositoryNeed:
    """A repository whose content, or a part of it, is not known, and what its content would close.

    ``targets``: its labels that others name and nobody knows. ``edges``: those that lead to them. ``places``: where
    something of it was used and is unknown, which may hide more of both. ``checksum`` is ``sha256:...`` or the like.
    ``give``: the options that would give it, or the command of git, the best first.
    """

    name: str
    rule: str
    location: Location | None
    targets: int
    edges: int
    places: int
    urls: tuple[str, ...]
    checksum: str
    give: tuple[str, ...]

    @property
    def hides(self) -> int:
        """How much it hides, for an order."""
        return self.targets + self.edges + self.places


class Outside(NamedTuple):
    """A link that leads out, and where to."""

    link: str
    target: str


def found_repositories(session: Session) -> tuple[RepositoryPlace, ...]:
    """The repositories that packages were asked of and whose content was found, by way and name."""
    table = session.loader.workspace.repositories
    order = list(WAYS)
    asked = sorted({repo for repo, _ in (*session.graph.packages, *session.graph.absent) if repo})
    held = (each for each in map(table.get, asked) if each.present or _holds_some(each))
    found = (RepositoryPlace(each.name, each.way, each.place, each.present) for each in held if each.way)
    return tuple(sorted(found, key=lambda each: (order.index(each.way), not each.whole, each.name)))


def _holds_some(repository: Repository) -> bool:
    """Whether some of what is in it was found; a model of its targets, which has a gap of its own, tells more than the
    files that are recorded of it."""
    return repository.way != "recorded" and repository.tree.entries("") != ([], [])


def assumptions(session: Session) -> tuple[str, ...]:
    """What was assumed about the nominal host, each once, and which repositories depend on it."""
    needing: dict[str, list[str]] = {}
    for repository in session.loader.workspace.repositories.made():
        for each in repository.assumptions:
            needing.setdefault(each, []).append(f"@{repository.name}")
    return tuple(f"{answer} ({', '.join(sorted(set(names)))})" for answer, names in sorted(needing.items()))


def missing_repositories(session: Session, gaps: Sequence[Gap]) -> tuple[RepositoryNeed, ...]:
    """The repositories that would close gaps of an answer, what would close most first."""
    graph = session.graph
    targets, edges = _unknown_labels(graph)
    unknown = (gap for gap in gaps if gap.repository and gap.kind != GapKind.REPOSITORY.value)
    places = Counter(gap.repository for gap in unknown)
    table = session.loader.workspace.repositories
    modules = _modules(session)
    called: dict[str, list[str]] = {}  # a repository may have several names
    for name in sorted({*targets, *places, *(gap.repository for gap in gaps)} - {""}):
        called.setdefault(table.get(name).canonical, []).append(name)
    listed = (
        _missing(
            table.get(names[0]),
            table.fetch_of_submodule(table.get(names[0])),
            next((modules[name] for name in names if name in modules), ""),
            *(sum(map(counted.__getitem__, names)) for counted in (targets, edges, places)),
        )
        for names in called.values()
    )
    return tuple(sorted((each for each in listed if each.hides), key=lambda each: (-each.hides, each.name)))


def sources_of(session: Session, gaps: Sequence[Gap]) -> dict[str, str]:
    """What makes the repositories that would close gaps, by the names that the gaps use: an extension makes many, a
    module may have several names; all others are what they are called."""
    workspace = session.loader.workspace
    resolved, found = workspace.resolved_modules, {}
    for name in dict.fromkeys(gap.repository for gap in gaps if gap.repository and resolved is not None):
        canonical = workspace.repositories.get(name).canonical
        made = resolved.extension_of(canonical) if resolved is not None else None
        found[name] = str(made[0].id) if made is not None else f"@@{canonical}"
    return found


def ignored_places(session: Session) -> tuple[str, ...]:
    """What was not used: a MODULE.bazel that does not count, overrides by a name that is not canonical, links of the
    checkout that were not followed; with what would have them used."""
    without = session.loader.workspace.why_without_modules
    modules = (f"MODULE.bazel is ignored: {without}",) if without else ()
    table = session.loader.workspace.repositories
    unused = tuple(
        f"--override_repository={name} has no effect: @{name} is called {canonical} here ({override_option(canonical)})"
        for name, canonical in table.overrides_of_nothing()
    )
    refused = table.disk.refused_links
    way = "--output_base=DIR or --vendor_dir=DIR allows reading it"
    return (
        *modules,
        *unused,
        *(f"{link} leads to {target}, which is not followed ({way})" for target, link in refused),
    )


def places_outside(session: Session) -> tuple[Outside, ...]:
    """The links of the checkout, and of other folders, that lead out of them and were followed: to the checkout around
    a workspace, or to where an option allows. Workers may have followed them, so each file is looked up again."""
    workspace = session.loader.workspace
    read = {label for package in session.loader.loaded() for label in package.files_read}
    read.update(target.label for package in session.loader.loaded() for target in package.targets.values())
    trees = {"": workspace.repositories.main, **{each.name: each for each in workspace.repositories.made()}}
    sources = {name: each.tree.source for name, each in trees.items()}
    for label in read:
        source = sources.get(label.repo)
        if isinstance(source, DiskSource) and source.may_leave():
            source.reaches(label.path)
    found = ((trees[name], *way) for name, source in sources.items() if isinstance(source, DiskSource)
             for way in source.ways_out())  # fmt: skip
    return tuple(sorted({Outside(repository.path_of(link), target) for repository, link, target in found}))


def _unknown_labels(graph: GraphView) -> tuple[Counter[str], Counter[str]]:
    """By repository: the labels that nobody knows, and the edges that lead to them."""
    columns = graph.columns
    unknown = {node: columns.labels[node].repo for node, kind in enumerate(columns.kinds) if kind == NodeKind.UNLOADED}
    return Counter(unknown.values()), Counter(unknown[end] for end in columns.edge_target if end in unknown)


def _modules(session: Session) -> dict[str, str]:
    """The module of each repository that is one and may be given as one: not what Bazel brings itself."""
    workspace = session.loader.workspace
    resolved = workspace.resolved_modules
    modules = resolved.modules.values() if resolved is not None else ()
    names = ((each.canonical, each.key.name) for each in modules if not each.built_in)
    return {workspace.names.of_canonical(canonical): module for canonical, module in names if canonical}


def _missing(repository: Repository, fetch: str, module: str, targets: int, edges: int, places: int) -> RepositoryNeed:
    call = repository.call
    written = call.attributes if call is not None else {}
    sources, expected = tuple(urls(written)), checksum(written.get("sha256"), written.get("integrity"))
    give = [f"--override_module={module}=DIR" if module else override_option(repository.canonical)]
    if not sources:
        give.append("--output_base=DIR of a Bazel that has fetched it")
    is_run = isinstance(call, RuleCall) or (call is not None and call.rule in ARCHIVE_RULES)
    if is_run and expected is not None and sources:
        give.insert(0, f"--distdir=DIR with {sources[0].rpartition('/')[2]} in DIR")
    if fetch:
        give.insert(0, fetch)
    return RepositoryNeed(
        repository.name,
        call.rule if call is not None else "",
        call.location if call is not None else None,
        targets,
        edges,
        places,
        sources,
        ":".join(expected) if expected is not None else "",
        tuple(give),
    )
