"""What is told with an answer of the kept graph: what is wrong, and what is not known.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import LOADED, UNLOADED, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bzlgraph.snapshot.evaluation.run import KeptGap
    from bzlgraph.snapshot.kept import KeptGraph

_LOCK = "lock"
"""The kind of a gap of a package that stands for what a lock file has."""


def faults_of(run: Run) -> Iterator[tuple[list[str], list[KeptGap]]]:
    """What is wrong in the packages that were touched, and in those that are read with them, by name."""
    graph = run.graph
    faults, companions = graph.table("faults"), graph.table("companions")
    keys = set(graph.facts["always"])
    for package, told in enumerate(run.told):
        if told and graph.package_status[package] == LOADED:
            keys.add(graph.key(package))
            keys.update(companions.get(package, ()))
    return (faults[key] for key in sorted(keys.intersection(faults)))


def gaps_of(run: Run, packages: set[int], unpinned: set[int]) -> Iterator[KeptGap]:
    """The gaps of packages, by name. ``unpinned``: the labels that a question met and nothing declares, each of which
    has a gap; a package with no gap of its own in the table has only such."""
    graph = run.graph
    of_package, of_repository = graph.table("gaps"), graph.table("repository_gaps")
    for package in sorted(packages.intersection([*of_package, *of_repository]), key=graph.key):
        if package in of_repository:
            yield of_repository[package]
        own = of_package.get(package)
        yield from own or ()
        if own is not None and (not own or any(gap[0] == _LOCK and gap[-1] == graph.key(package)[0] for gap in own)):
            yield from _unpinned_in(graph, package, unpinned)


def _unpinned_in(graph: KeptGraph, package: int, unpinned: set[int]) -> Iterator[KeptGap]:
    known, kinds = graph.table("unpinned"), graph.whole("kinds")
    for node in graph.nodes_of(package):
        if kinds[node] == UNLOADED and node not in known:
            raise Unanswered  # named since the package was kept
        if node in unpinned:
            yield known[node]
