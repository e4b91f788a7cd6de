"""Questions about the targets of an expression one by one: their selects, and what the macros made of them.

What opens a checkout is imported by those who ask an open one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bzlgraph.bazel.model import Package, Rule, Target
from bzlgraph.graph.view import GraphView
from bzlgraph.query.functions.attribute_text import no_such_attribute
from bzlgraph.query.names import no_such_target
from bzlgraph.questions.reply import Checkout, Reply, notes_on

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.questions.session import QueryOptions, Session
    from bzlgraph.selects.answer import SelectAnswer, SelectFilter


def ask_selects(
    session: Session,
    text: str,
    options: QueryOptions,
    arguments: ConfigArguments,
    wanted: SelectFilter | None = None,
) -> Reply[SelectAnswer]:
    """The selects in the targets of an expression; with a configuration, which of their branches hold.

    Raises as ``ask_query``.
    """
    from bzlgraph.graph.build import BuildGraph
    from bzlgraph.graph.selects import GraphSelects
    from bzlgraph.questions.session import query_in
    from bzlgraph.selects.answer import EVERYTHING, SelectAnswer
    from bzlgraph.selects.holds import ChooserByTarget

    session = session.under(arguments)
    view = session.view(arguments)
    reply = query_in(session, view, text, options)
    chooser = ChooserByTarget(view.settings_of_label) if not isinstance(view, BuildGraph) else None
    found = reply.answer
    answer = SelectAnswer(
        GraphSelects(found.graph), found.nodes, found.text, found.problems, found.gaps, chooser, wanted or EVERYTHING
    )
    notes = (*reply.notes, *_unknown_attributes(found.graph, answer))
    if arguments.assumed:  # what they decide is known when every branch was asked
        answer.counts()
        return Reply(answer, reply.completeness, tuple(dict.fromkeys((*notes, *notes_on(view)))))
    return Reply(answer, reply.completeness, notes)


def _unknown_attributes(graph: GraphView, answer: SelectAnswer) -> Iterator[str]:
    """Of the attributes that were asked for those that no target has."""
    if not answer.wanted.attributes:
        return
    rules = [target for node in answer.nodes if isinstance(target := graph.target(node), Rule)]
    for name in sorted(answer.wanted.attributes):
        if (remark := no_such_attribute(name, rules)) is not None:
            yield remark.render()


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
