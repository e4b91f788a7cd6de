"""What has changed since a graph was kept -> the packages that it concerns, or all of it; and packages -> what concerns
them, to be looked at for an answer that tells of them alone.

| a path that has changed | concerns |
|---|---|
| one that was looked at before any package was loaded: WORKSPACE, rc files, what they load | everything |
| the REPO.bazel or the prelude of a repository, absent before or not | everything |
| a BUILD or .bzl file | the packages that it was loaded for |
| a folder, or a file that was absent | the packages around it: a ``glob()`` or a label may see another file; and |
| | those that were not there, have gaps, or are broken: what they lack may be there now |
| anything | those that a repository rule made, which may have read it |
| a package that was looked into for the edges of another | that other one, too |
| anything else: what a repository rule reads, another repository's folder | everything |

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import os
from stat import S_ISDIR

from bzlgraph.cache.looks import Looks
from bzlgraph.snapshot.kept import LOADED, MISSING, UNLOADED, KeptGraph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from bzlgraph.cache.looks import State

    PackageKey = tuple[str, str]


GENERATED = ""
"""In the place of a path: what a repository rule has made."""


_FOR_ALL_PACKAGES = ("REPO.bazel", "tools/build_rules/prelude_bazel")


class Stale:
    """The packages that have to be loaded anew, the paths that have changed, and whether folders are among these."""

    __slots__ = ("folders", "packages", "paths")

    def __init__(self, packages: frozenset[PackageKey], paths: frozenset[str], folders: bool) -> None:
        self.packages = packages
        self.paths = paths
        self.folders = folders


def stale_packages(graph: KeptGraph) -> Stale | None:
    """What has changed since; None when all of the graph is in question."""
    changed = frozenset(Looks(graph.table("looks")).changed())
    if not changed:
        return Stale(frozenset(), changed, folders=False)
    inputs, concerned = graph.table("inputs"), set[tuple[str, str]]()
    states, folders = graph.table("looks")[0], False
    if not changed.isdisjoint(graph.table("environment")) or _repo_files(graph, changed, states):
        return None
    packages = [(f"{os.path.dirname(path)}/", keys) for path, keys in inputs.items() if _is_build_file(path)]
    for path in changed:
        if path in inputs:
            concerned.update(inputs[path])
            if os.path.isfile(path) and states.get(path):
                continue
        elif states.get(path) and not os.path.isdir(path):
            return None
        folders = True
        for folder, keys in packages:
            if f"{path}/".startswith(folder):
                concerned.update(keys)
    concerned.update(inputs.get(GENERATED, ()))
    if folders:
        concerned.update(_incomplete(graph))
    companions = graph.table("companions")
    concerned.update(graph.key(number) for number, keys in companions.items() if not concerned.isdisjoint(keys))
    return Stale(frozenset(concerned), changed, folders)


def looks_around(graph: KeptGraph, packages: Iterable[int]) -> Looks:
    """Of what was looked at, all that may concern these packages. What concerns everything or, as a .bzl file does, any
    package, and the packages made by repository rules are in ``around``."""
    states, links, reals = graph.table("looks")
    anyway, generated = graph.table("around")
    companions, own = graph.table("companions"), set(packages)
    keys = {key for number in own for key in (graph.key(number), *companions.get(number, ()))}
    numbers, roots = {graph.package(*key) for key in keys}, graph.table("folders")
    if _lacking(graph, numbers) or not keys.isdisjoint(generated) or not all(roots.get(repo) for repo, _ in keys):
        return Looks((states, links, reals))
    folders = ["/".join(filter(None, (roots[repo], name))) for repo, name in keys]
    inside = tuple(f"{folder}/" for folder in folders)
    found = {path: state for path, state in states.items() if path.startswith(inside)}
    homes = (roots[repo] for repo, _ in keys)  # files there may hold for all of a repository
    found.update((path, states[path]) for path in (*anyway, *folders, *homes) if path in states)
    return Looks((found, links, reals))


def around(
    states: Mapping[str, State],
    environment: Container[str],
    inputs: Mapping[str, Iterable[PackageKey]],
    folders: Mapping[str, str],
) -> tuple[list[str], list[PackageKey]]:
    """The table of that name: of what was looked at, the paths that concern everything or any package; and the packages
    that a repository rule made. A BUILD file in the folder of its package concerns that alone; one that a rule lays
    over another repository lies elsewhere."""

    def is_inside(path: str) -> bool:
        homes = ("/".join(filter(None, (folders.get(repo, ""), name))) for repo, name in inputs[path])
        return all(home == os.path.dirname(path) for home in homes)

    own = {path for path in inputs if _is_build_file(path) and is_inside(path)}
    found = [
        path
        for path, state in states.items()
        if path in environment or (state and not S_ISDIR(state[0]) and path not in own)
    ]
    return found, list(inputs.get(GENERATED, ()))


def _incomplete(graph: KeptGraph) -> set[PackageKey]:
    """The packages that something new may complete: they are not there, or not all that they name was there."""
    lacking = _lacking(graph, range(len(graph.package_names)))
    return {*map(graph.key, lacking), *graph.table("faults")}


def _lacking(graph: KeptGraph, packages: Iterable[int | None]) -> list[int]:
    """The same of some packages, by number; None is one that the graph does not have."""
    status, gaps, faults = graph.package_status, graph.table("gaps"), graph.table("faults")
    companions = graph.table("companions")

    def lacks(number: int) -> bool:
        others = (graph.package(*key) for key in companions.get(number, ()))
        return (
            status[number] in (MISSING, UNLOADED)
            or number in gaps
            or any(other is None or status[other] != LOADED for other in others)
            or graph.key(number) in faults
        )

    return [-1 if number is None else number for number in packages if number is None or lacks(number)]


def _repo_files(graph: KeptGraph, changed: frozenset[str], states: Mapping[str, State]) -> bool:
    """Whether a file of a repository that has a say about every package has changed, or is there now."""
    found = [f"{folder}/{file}" for folder in graph.table("folders").values() for file in _FOR_ALL_PACKAGES]
    return any(each in changed or (not states.get(each) and os.path.isfile(each)) for each in found)


def _is_build_file(path: str) -> bool:
    return os.path.basename(path) in ("BUILD", "BUILD.bazel")
