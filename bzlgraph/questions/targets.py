"""Questions about the targets of an expression one by one: their selects."""

from __future__ import annotations

from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.graph.build import BuildGraph
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
