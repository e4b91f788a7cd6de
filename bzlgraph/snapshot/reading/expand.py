"""``expand`` of a kept graph: the same functions as the full way runs, on another view of the graph."""

from __future__ import annotations

from bzlgraph.base.causes import SHOWN_PROBLEMS, incomplete_lines, problem_texts
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.words import visible
from bzlgraph.export.expand_text import expand as expand_text
from bzlgraph.questions.expansion import expand_reply
from bzlgraph.snapshot.command_line import Asked
from bzlgraph.snapshot.evaluation.run import Run, Unanswered
from bzlgraph.snapshot.kept import KeptGraph
from bzlgraph.snapshot.reading.checkout import KeptCheckout


def expand(graph: KeptGraph, cache: str, asked: Asked) -> tuple[bytes, list[str], bool]:
    """stdout, what is told on stderr, and whether there is a problem. Raises Unanswered, DamagedFile."""
    checkout = KeptCheckout(Run(graph, 0, cache))
    try:
        reply = expand_reply(checkout, checkout.view, asked.words, keep_going=asked.keep_going)
    except BzlgraphError:
        raise Unanswered from None  # the full way says what is wrong
    texts = [expand_text(each.target, each.package) for each in reply.answer]
    told = problem_texts((each.render() for each in reply.completeness.problems), SHOWN_PROBLEMS)
    shown = visible("\n\n".join(texts) + "\n" * bool(texts)).encode()
    return shown, [*told, *incomplete_lines(reply.completeness.gaps)], bool(reply.completeness.problems)
