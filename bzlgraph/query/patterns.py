"""Target patterns: ``//a/...``, ``//a:all``, ``//a:*``, ``:b``, ``a/b/c.cc``, ``@r//...``, and lists with ``-`` signs.

text -> ``TargetPattern`` -> node numbers. ``all`` and ``...`` give rules, ``*`` and ``all-targets`` give files too.

>>> parse_pattern("//a/...:*", "", "")
TargetPattern(text='//a/...:*', repo='', package='a', name='', below=True, wildcard='*')

Rules: https://bazel.build/run/build#specifying-build-targets
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem, QueryProblem
from bzlgraph.base.label import (
    UNKNOWN_REPOSITORY,
    Label,
    LabelError,
    RepoMapping,
    check_package,
    identity_mapping,
    parse,
    unknown_repository_words,
    written_repository,
)
from bzlgraph.base.spell import SHOWN, nearest, nearest_names, nearest_words
from bzlgraph.graph.given import GraphSource
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.query.names import (
    LISTED,
    NOT_FOUND,
    all_packages,
    is_package,
    no_such_package,
    no_such_target,
    refuse_absent_repository,
    suggestion,
)

RULES, TARGETS = "all", "*"
_WILDCARDS = {"all": RULES, "*": TARGETS, "all-targets": TARGETS}


@dataclass(frozen=True, slots=True)
class TargetPattern:
    """One pattern. Either a single target (``name``), or a wildcard (``all`` or ``*``), in a package or ``below`` it.
    A wildcard of an absolute pattern has a name too: that of the target that it may be instead.

    ``path`` is set for a relative word without colon, which may be a file somewhere in a package above.
    """

    text: str
    repo: str
    package: str
    name: str = ""
    below: bool = False
    wildcard: str = ""

    @property
    def package_label(self) -> str:
        """``//a`` or ``@r//a``."""
        return Label(self.repo, self.package, "").package_label


def parse_pattern(text: str, repo: str, package: str, mapping: RepoMapping = identity_mapping) -> TargetPattern:
    """Read one pattern as written in folder ``package`` of ``repo``. Raises LabelError."""
    repo_part, rest = _repository(text, repo, mapping)
    folder, colon, name = rest.partition(":")
    absolute = folder.startswith("//")
    folder = folder.removeprefix("//") if absolute else "/".join(filter(None, (package, folder)))
    if folder == "..." or folder.endswith("/..."):
        if colon and name not in _WILDCARDS:
            raise LabelError(f"invalid target pattern '{text}': after `...` only :all, :* and :all-targets are allowed")
        below = folder.removesuffix("...").removesuffix("/")
        if folder != "...":
            check_package(below or folder, text)
        return TargetPattern(text, repo_part, below, "", True, _WILDCARDS.get(name, RULES))
    if colon and name in _WILDCARDS:
        check_package(folder, text)
        return TargetPattern(text, repo_part, folder, name if absolute else "", False, _WILDCARDS[name])
    if text.startswith("@") and not rest:
        label = parse(text, repo, package, mapping)
    elif absolute or colon:
        label = parse(f"//{folder}:{name}" if colon else f"//{folder}", repo_part, package)
    else:
        if folder.endswith("/."):  # the folder itself, as every Bazel asked reads "." and "a/."
            folder = folder.removesuffix("/.")
        label = parse(f"//{folder}", repo_part, package)
        return TargetPattern(text, label.repo, label.package, "")
    return TargetPattern(text, label.repo, label.package, label.name)


def _repository(text: str, repo: str, mapping: RepoMapping) -> tuple[str, str]:
    """``@r//x`` -> (canonical r, ``//x``); anything else stays in ``repo``."""
    if not text.startswith("@"):
        return repo, text
    at = text.find("//")
    name, rest = (text, "") if at < 0 else (text[:at], text[at:])
    return parse(f"{name}//:x", repo, "", mapping).repo, rest


def expand(pattern: TargetPattern, graph: GraphView) -> set[int]:
    """The nodes a pattern stands for; loads what it needs. Raises LoadProblem when it stands for nothing."""
    return chosen(pattern, cover(pattern, graph), graph)


def chosen(pattern: TargetPattern, covered: set[int], graph: GraphView) -> set[int]:
    """What a pattern stands for of all that it covers: ``all`` and ``...`` are only for rules."""
    if pattern.wildcard != RULES or _named(pattern, covered, graph) == covered:
        return covered
    return {node for node in covered if graph.kinds[node] == NodeKind.RULE}


def cover(pattern: TargetPattern, graph: GraphView) -> set[int]:
    """The target that a pattern names, or all that the packages declare that it looks into. Raises as ``expand``."""
    if pattern.repo.startswith(UNKNOWN_REPOSITORY):
        raise LoadProblem(_not_visible(pattern.repo, graph.source))
    if pattern.below:
        return _below(pattern, graph)
    if pattern.wildcard:
        covered = _of_package(pattern, graph)
        return _named(pattern, covered, graph) or covered
    if not pattern.name:
        return {_relative(pattern, graph)}
    return {_single(Label(pattern.repo, pattern.package, pattern.name), graph)}


def is_all_of_external(pattern: TargetPattern) -> bool:
    """``//external:all``, which newer Bazels give no rules for."""
    return (pattern.repo, pattern.package, pattern.wildcard) == ("", "external", RULES)


def _named(pattern: TargetPattern, covered: set[int], graph: GraphView) -> set[int]:
    """The target whose name is the wildcard's: `//p:all` is that where there is one, and `p:all` is not, in all Bazels
    asked (0.19.1, 4.2.3 and 7.7.1)."""
    return {node for node in covered if pattern.name and graph.labels[node].name == pattern.name}


def expand_list(
    texts: Iterable[str],
    graph: GraphView,
    mapping: RepoMapping = identity_mapping,
    package: str = "",
    problems: list[Diagnostic] | None = None,
    within: set[int] | None = None,
) -> set[int]:
    """A list as on a command line: patterns add, ``-patterns`` take away, in order.

    What stands for nothing goes to ``problems``; without that list it raises LoadProblem. ``within`` gets all that the
    patterns cover, and loses what those cover that take away.
    """
    found: set[int] = set()
    for text in texts:
        try:
            pattern = parse_pattern(text.removeprefix("-"), "", package, mapping)
        except LabelError as error:
            raise QueryProblem(Diagnostic(str(error), hint=suggestion(text, graph))) from None
        try:
            covered = cover(pattern, graph)
        except LoadProblem as problem:
            if problems is None:
                raise
            problems += problem.diagnostics
            continue
        change = set.difference_update if text.startswith("-") else set.update
        change(found, chosen(pattern, covered, graph))
        if within is not None:
            change(within, covered)
    return found


def _below(pattern: TargetPattern, graph: GraphView) -> set[int]:
    source = graph.source
    if source is None:
        prefix = f"{pattern.package}/" if pattern.package else ""
        names = [
            name
            for repo, name in graph.packages
            if repo == pattern.repo and (name == pattern.package or name.startswith(prefix))
        ]
    else:
        names = list(source.packages_below(pattern.repo, pattern.package))
    if not names:
        refuse_absent_repository(pattern.repo, graph.source)
        where = pattern.package or "the root"
        raise LoadProblem(Diagnostic(f"no targets found beneath '{where}'", hint=_hint_below(pattern, source)))
    graph.load((pattern.repo, name) for name in names)
    found: set[int] = set()
    for name in names:
        if (pattern.repo, name) in graph.packages:
            found.update(graph.declared((pattern.repo, name)))
    return found


def _not_visible(repo: str, source: GraphSource | None) -> Diagnostic:
    """That the main repository sees no repository of this name, and which names it may have."""
    name, words = written_repository(repo), f"{unknown_repository_words(repo)} from main repository"
    told = source.missing(repo, "").hint if source is not None else None
    if told is not None and told.startswith("did you mean"):
        return Diagnostic(words, hint=told)
    known = source.repositories() if source is not None else ()
    near = nearest_names(name, known) or sorted(each for each in known if name.endswith((f"_{each}", f"-{each}")))
    if near:
        return Diagnostic(words, hint=f"did you mean {' or '.join(f'@{each}' for each in near)}?")
    return Diagnostic(words, hint=told or "bzlgraph mod dump_repo_mapping '' lists the names that are visible")


def _of_package(pattern: TargetPattern, graph: GraphView) -> set[int]:
    key = pattern.repo, pattern.package
    graph.load([key])
    if key not in graph.packages:
        raise _no_package(pattern, graph)
    return set(graph.declared(key))


def _no_package(pattern: TargetPattern, graph: GraphView) -> LoadProblem:
    """Why the package of ``//p:all`` is not there; what may have been meant is ``:all`` of another."""
    problem = no_such_package(pattern.repo, pattern.package, graph)
    first, *more = problem.diagnostics
    known = graph.source.packages_below(pattern.repo, "") if graph.source is not None else ()
    near = nearest_names(pattern.package, known) if NOT_FOUND in first.message else ()
    if not near or not (first.hint or LISTED).startswith(("did you mean", LISTED)):
        return problem
    name = pattern.text.rpartition(":")[2]
    meant = ", ".join(f"{Label(pattern.repo, each, '').package_label}:{name}" for each in near)
    return LoadProblem([replace(first, hint=f"did you mean {meant}?"), *more])


def _single(label: Label, graph: GraphView) -> int:
    node = graph.resolve(label)
    if graph.kinds[node] == NodeKind.MISSING:
        raise no_such_target(label, graph)
    return node


def _relative(pattern: TargetPattern, graph: GraphView) -> int:
    """``a/b/c``: the target c of package a/b/c, else the file of the nearest package above."""
    folder, name = pattern.package, pattern.package.rpartition("/")[2]
    if is_package(pattern.repo, folder, graph):
        return _single(Label(pattern.repo, folder, name), graph)
    rest = ""
    while folder:
        folder, _, last = folder.rpartition("/")
        rest = f"{last}/{rest}" if rest else last
        if is_package(pattern.repo, folder, graph):
            return _single(Label(pattern.repo, folder, rest), graph)
    raise no_such_package(pattern.repo, pattern.package, graph)


def _hint_below(pattern: TargetPattern, source: GraphSource | None) -> str | None:
    """Why a folder has no packages, or a folder of packages whose name is near to its own."""
    if source is None:
        return None
    told = source.missing(pattern.repo, pattern.package)
    taken_out = told.hint is not None and NOT_FOUND not in told.message
    return told.hint if taken_out else _nearest_folder(pattern, source) or told.hint or all_packages(pattern.repo)


def _nearest_folder(pattern: TargetPattern, source: GraphSource) -> str | None:
    from pathlib import PurePosixPath  # what is right needs none

    packages = source.packages_below(pattern.repo, "")
    folders = [str(folder) for each in packages for folder in (each, *PurePosixPath(each).parents)]
    slashed = {f"//{folder}": folder for folder in folders}  # one of the slashes may be what is mistyped
    near = nearest(pattern.package, folders) or slashed.get(nearest(pattern.package, slashed) or "")
    meant = (near,) if near else nearest_words(pattern.package, folders)[:SHOWN]
    shown = ", ".join(f"{Label(pattern.repo, each, '').package_label}/..." for each in meant)
    return f"did you mean {shown}?" if shown else None
