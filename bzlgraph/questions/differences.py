"""The question ``diff-config``, from texts: what one configuration has and the other does not."""

from __future__ import annotations

from dataclasses import replace

from bzlgraph.config.arguments import ConfigArguments, chosen_configuration
from bzlgraph.config.settings import settings_for
from bzlgraph.config.view import ConfiguredView
from bzlgraph.diff.compare import compare
from bzlgraph.diff.model import DiffAnswer, Side
from bzlgraph.query import is_pattern
from bzlgraph.questions.session import FOLLOW_EVERYTHING, QueryOptions, Reply, Session, notes_on, query_in


def ask_diff(
    session: Session,
    text: str,
    left: ConfigArguments,
    right: ConfigArguments,
    options: QueryOptions = FOLLOW_EVERYTHING,
) -> Reply[DiffAnswer]:
    """What changes in the targets of an expression; a plain pattern stands for ``deps(pattern)``.

    No options of Bazel on a side are its defaults and the .bazelrc. Raises as ``targets.ask_query``.
    """
    asked = f"deps({text})" if is_pattern(text) else text
    sessions = [session.under(arguments) for arguments in (left, right)]
    views = [_view(each, arguments) for each, arguments in zip(sessions, (left, right), strict=True)]
    sides = [_side(each, view, text, asked, options) for each, view in zip(sessions, views, strict=True)]
    completeness = sides[0].completeness.with_more(sides[1].completeness.problems, sides[1].completeness.gaps)
    words = [" ".join(arguments.tokens) or "no options" for arguments in (left, right)]
    ours, theirs = (replace(side.answer, words=said) for side, said in zip(sides, words, strict=True))
    return Reply(compare(ours, theirs, asked), completeness, notes_on(*views))


def _view(session: Session, arguments: ConfigArguments) -> ConfiguredView:
    configuration = chosen_configuration(session.loader.workspace, arguments)
    return ConfiguredView(session.graph, settings_for(session.graph, session.loader.workspace, configuration))


def _side(session: Session, view: ConfiguredView, text: str, asked: str, options: QueryOptions) -> Reply[Side]:
    # The pattern first: its faults are told in what was typed.
    roots = frozenset(query_in(session, view, text, options).answer) if asked != text else frozenset()
    reply = query_in(session, view, asked, options)
    answer = reply.answer
    side = Side(
        answer.graph,
        answer.nodes,
        view.configuration,
        "",
        answer.excluded_flags,
        view.is_built,
        roots,
    )
    return Reply(side, reply.completeness)
