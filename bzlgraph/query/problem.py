"""A fault in the text of a query -> QueryProblem with place, line and caret; the file is called ``query``."""

from __future__ import annotations

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import QueryProblem
from bzlgraph.base.span import Location


def problem_at(text: str, offset: int, message: str, hint: str | None = None) -> QueryProblem:
    """The problem at ``offset`` of the query ``text``."""
    before = text[:offset]
    line = before.count("\n") + 1
    column = offset - (before.rfind("\n") + 1) + 1
    return QueryProblem(Diagnostic(message, Location("query", line, column), hint=hint).with_source(text))
