"""Questions about the targets of an expression one by one: their selects, and what the macros made of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bzlgraph.bazel.model import Package, Target
from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.graph.build import BuildGraph
from bzlgraph.query.names import no_such_target
from bzlgraph.questions.reply import Reply, notes_on
from bzlgraph.questions.session import FOLLOW_EVERYTHING, UNCONFIGURED, QueryOptions, Session, query_in
from bzlgraph.selects.answer import EVERYTHING, SelectAnswer, SelectFilter
from bzlgraph.selects.holds import ChooserByTarget


def ask_selects(
    session: Session,
    text: str,
    options: QueryOptions = FOLLOW_EVERYTHING,
    arguments: ConfigArguments = UNCONFIGURED,
    wanted: SelectFilter = EVERYTHING,
) -> Reply[SelectAnswer]:
    """The selects in the targets of an expression; with a configuration, which of their branches hold.

    Raises as ``ask_query``.
    """
    session = session.under(arguments)
    view = session.view(arguments)
    reply = query_in(session, view, text, options)
    chooser = ChooserByTarget(view.settings_of_label) if not isinstance(view, BuildGraph) else None
    found = reply.answer
    answer = SelectAnswer(found.graph, found.nodes, found.text, found.problems, found.gaps, chooser, wanted)
    if arguments.assumed:  # what they decide is known when every branch was asked
        answer.counts()
        return Reply(answer, reply.completeness, tuple(dict.fromkeys((*reply.notes, *notes_on(view)))))
    return Reply(answer, reply.completeness, reply.notes)


@dataclass(frozen=True, slots=True)
class ExpandedTarget:
    """A target, its package, and its kind in words."""

    target: Target
    package: Package
    kind: str


def ask_expand(
    session: Session, patterns: Iterable[str], *, keep_going: bool = False
) -> Reply[tuple[ExpandedTarget, ...]]:
    """The targets of patterns, by label.

    Raises LoadProblem for what does not exist, unless ``keep_going``; QueryProblem for what is no pattern.
    """
    graph = session.graph
    nodes, problems = session.targets(patterns, graph, keep_going)
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
    return Reply(tuple(found), session.completeness(problems, graph.gaps_of(nodes)))
