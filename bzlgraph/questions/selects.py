"""The question ``select``: the selects in the targets of an expression."""

from __future__ import annotations

from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.questions.session import FOLLOW_EVERYTHING, UNCONFIGURED, QueryOptions, Reply, Session
from bzlgraph.questions.targets import query_in
from bzlgraph.selects.answer import EVERYTHING, SelectAnswer, SelectFilter
from bzlgraph.selects.holds import Chooser


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
    view = session.view(arguments)
    reply = query_in(session, view, text, options)
    chooser = Chooser(view.configuration) if view.configuration is not None else None
    found = reply.answer
    answer = SelectAnswer(found.graph, found.nodes, found.text, found.problems, found.gaps, chooser, wanted)
    return Reply(answer, reply.completeness, reply.notes)
