"""The question ``expand``: the targets of patterns, each with the package that it was made in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bzlgraph.bazel.model import Package, Target
from bzlgraph.query.patterns import no_such_target
from bzlgraph.questions.session import Reply, Session


@dataclass(frozen=True, slots=True)
class Expanded:
    """A target, its package, and its kind in words."""

    target: Target
    package: Package
    kind: str


def ask_expand(session: Session, patterns: Iterable[str], *, keep_going: bool = False) -> Reply[tuple[Expanded, ...]]:
    """The targets of patterns, by label.

    Raises LoadProblem for what does not exist, unless ``keep_going``; QueryProblem for what is no pattern.
    """
    graph = session.graph
    nodes, problems = session.targets(patterns, graph, keep_going)
    found: list[Expanded] = []
    for node in nodes:
        target = graph.target(node)
        if target is not None:
            found.append(Expanded(target, graph.package_of(node), graph.kind_words(node)))
            continue
        problem = no_such_target(graph.labels[node], graph)  # not even one that a gap may hide can be shown
        if not keep_going:
            raise problem
        problems += problem.diagnostics
    return Reply(tuple(found), session.completeness(problems, graph.gaps_of(nodes)))
