"""An answer of the kept graph in the formats that read targets: the same writers, on the view of what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Completeness
from bzlgraph.export.query_formats.formats import write
from bzlgraph.export.query_formats.options import OutputOptions, QueryOutput
from bzlgraph.query.answer import Order, QueryAnswer
from bzlgraph.questions.reply import Reply
from bzlgraph.snapshot.evaluation.evaluate import is_known
from bzlgraph.snapshot.evaluation.expression import parse
from bzlgraph.snapshot.evaluation.facts import facts_of, places_of
from bzlgraph.snapshot.evaluation.found import found_by
from bzlgraph.snapshot.evaluation.view import gap_of, view_of
from bzlgraph.snapshot.kept import Unanswered

if TYPE_CHECKING:
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.evaluation.found import Found
    from bzlgraph.snapshot.evaluation.run import Run


def written(run: Run, asked: Asked, found: Found) -> Iterator[bytes]:
    """The answer in pieces. Raises Unanswered, DamagedFile."""
    answer, graph = answer_of(run, asked.text, found), run.graph
    options = OutputOptions(order_output=asked.order)
    names = graph.canonical
    output = QueryOutput(answer, options, facts_of(graph), places_of(graph), lambda repo: names.get(repo, repo))
    try:
        yield from write(asked.output, output)
    except BzlgraphError:
        raise Unanswered from None  # the full way says what is wrong


def query_reply(run: Run, text: str) -> Reply[QueryAnswer]:
    """``ask_query``, of the kept graph. Raises Unanswered, DamagedFile."""
    expression = parse(text)
    if expression is None or not is_known(expression):
        raise Unanswered
    found = found_by(run, expression, text)
    answer = answer_of(run, text, found)
    return Reply(answer, Completeness().with_more(answer.problems, answer.gaps), tuple(found.notes))


def answer_of(run: Run, text: str, found: Found) -> QueryAnswer:
    """What was found as the full way has it. Raises Unanswered."""
    view = view_of(run)
    return QueryAnswer(
        view,
        tuple(found.nodes),
        tuple(map(view.diagnostic, found.problems)),
        tuple(map(gap_of, found.gaps)),
        run.excluded,
        text,
        order=Order.PATH if found.is_path else Order.LABEL,
        possible=frozenset(map(view.labels.__getitem__, found.possible)),
    )
