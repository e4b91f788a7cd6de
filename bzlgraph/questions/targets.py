"""The question ``query``: the targets of an expression."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bzlgraph.config.arguments import ConfigArguments
from bzlgraph.query import Environment, QueryAnswer, query
from bzlgraph.questions.session import FOLLOW_EVERYTHING, UNCONFIGURED, QueryOptions, Reply, Session, notes_on

if TYPE_CHECKING:
    from bzlgraph.config.view import AnyGraph


def ask_query(
    session: Session,
    text: str,
    options: QueryOptions = FOLLOW_EVERYTHING,
    arguments: ConfigArguments = UNCONFIGURED,
) -> Reply[QueryAnswer]:
    """The targets of an expression in Bazel's query language, in the configuration that ``arguments`` choose.

    Raises QueryProblem for what is no query; QueryFailure and LoadProblem for what cannot be answered, unless
    ``options.keep_going``; UsageProblem for options that Bazel refuses.
    """
    return query_in(session, session.view(arguments), text, options)


def query_in(session: Session, view: AnyGraph, text: str, options: QueryOptions) -> Reply[QueryAnswer]:
    """The targets of an expression in a view of the graph. Raises as ``ask_query``."""
    found = query(text, Environment(view, session.settings(options)))
    completeness = session.completeness(found.problems, found.gaps)
    answer = replace(found, problems=completeness.problems, gaps=completeness.gaps)
    return Reply(answer, completeness, (*notes_on(view), *(each.render() for each in found.remarks)))
