"""The question ``expand``: targets of patterns, each with its package, as the macros have made it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bzlgraph.bazel.model import Package, Target
from bzlgraph.graph.view import GraphView
from bzlgraph.query.names import no_such_target
from bzlgraph.questions.reply import Checkout, Reply


@dataclass(frozen=True, slots=True)
class ExpandedTarget:
    """A target, its package, and its kind in words."""

    target: Target
    package: Package
    kind: str


def expand_reply(
    checkout: Checkout, graph: GraphView, patterns: Iterable[str], *, keep_going: bool = False
) -> Reply[tuple[ExpandedTarget, ...]]:
    """The targets of patterns, by label.

    Raises LoadProblem for what does not exist, unless ``keep_going``; QueryProblem for what is no pattern.
    """
    nodes, problems = checkout.targets(patterns, graph, keep_going)
    found: list[ExpandedTarget] = []
    for node in nodes:
        target = graph.target(node)
        if target is not None:
            found.append(ExpandedTarget(target, graph.package_of(node), graph.kind_words(node)))
            continue
        problem = no_such_target(graph.labels[node], graph)  # not even one that a gap may hide can be shown
        if not keep_going:
            raise problem
        problems += problem.diagnostics
    return Reply(tuple(found), checkout.completeness(problems, graph.gaps_of(nodes)))
