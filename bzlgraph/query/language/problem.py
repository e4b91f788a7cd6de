"""A fault in a query -> a problem with place, line and caret; the file is called ``query``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import QueryFailure, QueryProblem
from bzlgraph.base.span import Location


def problem_at(text: str, offset: int, message: str, hint: str | None = None) -> QueryProblem:
    """The problem at ``offset`` of the query ``text``: it is no query."""
    return QueryProblem(_placed(text, offset, Diagnostic(message, hint=hint)))


def failure_at(text: str, offset: int, message: str, hint: str | None = None) -> QueryFailure:
    """The problem at ``offset`` of a query that reads well and has no value."""
    return QueryFailure(_placed(text, offset, Diagnostic(message, hint=hint)))


def placed(text: str, offset: int, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics without a place of their own, at ``offset`` of the query."""
    return tuple(each if each.location else _placed(text, offset, each) for each in diagnostics)


def _placed(text: str, offset: int, diagnostic: Diagnostic) -> Diagnostic:
    before = text[:offset]
    line = before.count("\n") + 1
    column = offset - (before.rfind("\n") + 1) + 1
    return replace(diagnostic, location=Location("query", line, column)).with_source(text)
