"""Functions about files and packages: siblings, buildfiles, loadfiles, rbuildfiles, owner.

A .bzl file is a node of the answer although no BUILD file declares it: Bazel's answers have them as source files of the
package that loads them, which everybody sees.
"""

from __future__ import annotations

from posixpath import normpath

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import Label, LabelError
from bzlgraph.bazel.model import Package
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.query.environment import Environment, Nodes
from bzlgraph.query.patterns import expand, parse_pattern

EXTERNAL = "external"
"""The package of repositories and binds; its BUILD file is WORKSPACE."""
_WORKSPACE_FILES = ("WORKSPACE", "WORKSPACE.bazel")


def siblings(environment: Environment, targets: Nodes) -> Nodes:
    """Every target of the packages that the targets are in."""
    return {node for package in _packages(environment, targets) for node in environment.package_nodes(package)}


def buildfiles(environment: Environment, targets: Nodes) -> Nodes:
    """The BUILD file of each target's package, every .bzl file it loads, and the BUILD file of each .bzl's package."""
    found: Nodes = set()
    for loaded in _loaded(environment, targets):
        found.add(environment.file_node(loaded.build_file, loaded))
        for label in loaded.bzl_files:
            found.add(environment.file_node(label, loaded))
            name = environment.build_file_name(label.repo, label.package)
            if name is not None:
                found.add(environment.file_node(Label(label.repo, label.package, name), loaded))
    return found


def loadfiles(environment: Environment, targets: Nodes) -> Nodes:
    """Every .bzl file that the packages of the targets load, directly or not."""
    packages = _loaded(environment, targets)
    return {environment.file_node(label, package) for package in packages for label in package.bzl_files}


def _loaded(environment: Environment, targets: Nodes) -> list[Package]:
    """The packages of the targets. A .bzl file of theirs that is not on disk may load others: a gap."""
    packages = [environment.graph.packages[key] for key in sorted(_packages(environment, targets))]
    absent = {label for package in packages for label in environment.files_stood_in_for(package)}
    hides = "the files it loads are unknown"
    environment.add_gaps(
        Gap(GapKind.LOAD.value, f"{label} is not on disk", hides, repository=label.repo) for label in sorted(absent)
    )
    return packages


def rbuildfiles(environment: Environment, *paths: str) -> Nodes:
    """The BUILD files of the universe that are, or load, one of these files (paths from the workspace's root).

    Every package hangs on WORKSPACE: it says what a repository's name means.
    """
    wanted, canonical = set(map(normpath, paths)), environment.settings.mapping.canonical
    everything = environment.everything()
    if wanted & set(_WORKSPACE_FILES):
        everything |= set(environment.package_nodes(("", EXTERNAL)))
    found: Nodes = set()
    for key in environment.packages_of(everything):
        package = environment.graph.packages[key]
        files = (label.shown_path(canonical(label.repo)) for label in package.files_read)
        if wanted & set(_WORKSPACE_FILES) or not wanted.isdisjoint(files):
            found.add(environment.file_node(package.build_file, package))
    return found


def owner(environment: Environment, *paths: str) -> Nodes:
    """The rules of its package that name a file (globs included); for a generated file the rule that writes it."""
    graph, columns, found = environment.graph, environment.graph.columns, set[int]()
    for path in paths:
        node = _file(environment, path)
        owners = {
            user
            for user in environment.package_nodes((graph.labels[node].repo, graph.labels[node].package))
            for edge in graph.edges_from(user)
            if columns.edge_target[edge] == node and not columns.edge_flags[edge] & EdgeFlag.VISIBILITY
        }
        if graph.kinds[node] == NodeKind.GENERATED:
            owners |= {columns.edge_target[edge] for edge in graph.edges_from(node)
                       if columns.edge_flags[edge] & EdgeFlag.OUTPUT}  # fmt: skip
        found |= owners or {node}
    return found


def _file(environment: Environment, path: str) -> int:
    """The node of a file given as a label, or as a path below the folder that the question is asked from."""
    settings = environment.settings
    try:
        pattern = parse_pattern(path.removeprefix("./"), "", settings.package, settings.mapping)
    except LabelError as error:
        raise ValueError(str(error)) from None
    if pattern.below or pattern.wildcard:
        raise ValueError(f"`{path}` is not a file")
    try:
        return next(iter(expand(pattern, environment.graph)))
    except LoadProblem as problem:
        hint = "no BUILD file names it, not even with a glob: nothing that Bazel builds depends on it"
        if path.endswith(".bzl"):
            hint = f"a .bzl file has no owner; who loads it: rbuildfiles({path})"
        first = problem.diagnostic
        meant = first.hint if first.hint and first.hint.startswith("did you mean") else hint
        raise LoadProblem(Diagnostic(first.message, hint=meant)) from None


def _packages(environment: Environment, targets: Nodes) -> set[tuple[str, str]]:
    return {key for key in map(environment.home, targets) if key in environment.graph.packages}
