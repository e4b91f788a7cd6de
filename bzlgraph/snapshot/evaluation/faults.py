"""What is told with an answer of the kept graph: what is wrong, and what is not known.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import LOADED, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bzlgraph.snapshot.evaluation.run import KeptGap


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


def gaps_of(run: Run, packages: set[int]) -> Iterator[KeptGap]:
    """The gaps of packages, by name."""
    graph = run.graph
    of_package, of_repository = graph.table("gaps"), graph.table("repository_gaps")
    for package in sorted(packages.intersection([*of_package, *of_repository]), key=graph.key):
        if package in of_repository:
            yield of_repository[package]
        for gap in of_package.get(package, ()):
            if gap[0] == "lock":
                raise Unanswered  # what is not pinned is told of each label
            yield gap
