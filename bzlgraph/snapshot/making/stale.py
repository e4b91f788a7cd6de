"""What has changed since a graph was kept -> the packages that it concerns, or all of it.

| a path that has changed | concerns |
|---|---|
| one that was looked at before any package was loaded: WORKSPACE, rc files, what they load | everything |
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

from bzlgraph.cache.looks import Looks
from bzlgraph.snapshot.kept import LOADED, MISSING, UNLOADED, KeptGraph

TYPE_CHECKING = False
if TYPE_CHECKING:
    PackageKey = tuple[str, str]


GENERATED = ""
"""In the place of a path: what a repository rule has made."""


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
    if not changed.isdisjoint(graph.table("environment")):
        return None
    inputs, concerned = graph.table("inputs"), set[tuple[str, str]]()
    states, folders = graph.table("looks")[0], False
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


def _incomplete(graph: KeptGraph) -> set[PackageKey]:
    """The packages that something new may complete: they are not there, or not all that they name was there."""
    absent = {graph.key(number) for number, status in enumerate(graph.package_status) if status in (MISSING, UNLOADED)}
    with_gaps = {graph.key(number) for number in graph.table("gaps")}
    companions = graph.table("companions")
    known = {graph.key(number) for number, status in enumerate(graph.package_status) if status == LOADED}
    waiting = {graph.key(number) for number, keys in companions.items() if not known.issuperset(keys)}
    return {*absent, *with_gaps, *waiting, *graph.table("faults")}


def _is_build_file(path: str) -> bool:
    return os.path.basename(path) in ("BUILD", "BUILD.bazel")
