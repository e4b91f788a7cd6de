"""``why`` and ``expand`` of a kept graph: the same functions as the full way runs, on another view of the graph.

What only one of them needs is imported by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bzlgraph.base.causes import SHOWN_PROBLEMS, incomplete_lines, problem_texts
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.words import Prose, Visible, visible
from bzlgraph.snapshot.evaluation.run import Run, Unanswered
from bzlgraph.snapshot.reading.checkout import KeptCheckout

if TYPE_CHECKING:
    from bzlgraph.config.view import AnyGraph
    from bzlgraph.questions.reply import Reply
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.kept import KeptGraph
    from bzlgraph.why.answer import WhyAnswer

Told = tuple[bytes, list[str], bool]
"""stdout, what is told on stderr, and whether there is a problem."""


def why(graph: KeptGraph, cache: str, asked: Asked) -> Told:
    """Raises Unanswered, DamagedFile."""
    from bzlgraph.questions.paths import MAX_PATHS, why_reply

    checkout = KeptCheckout(Run(graph, 0, cache))
    try:
        reply = why_reply(
            checkout,
            cast("AnyGraph", checkout.view),  # in no configuration, as every graph that nothing was chosen for
            asked.text,
            asked.from_,
            paths=MAX_PATHS if asked.whole else 0,
            keep_going=asked.keep_going,
            depth=asked.depth or 1,
        )
    except BzlgraphError:
        raise Unanswered from None  # the full way says what is wrong
    problems, gaps = reply.completeness.problems, reply.completeness.gaps
    shown = {*reply.answer.gaps, *reply.answer.other_gaps} if asked.output == "text" else set()
    told = [*dict.fromkeys(reply.notes), *problem_texts((each.render() for each in problems), SHOWN_PROBLEMS)]
    told += incomplete_lines(gap for gap in gaps if gap not in shown)
    kind = Prose if asked.output == "text" else Visible
    return kind(visible(_why_text(reply, asked.output)).encode()), told, bool(problems)


def _why_text(reply: Reply[WhyAnswer], output: str) -> str:
    if output == "text":
        from bzlgraph.export.why_formats.text import render

        return render(reply.answer) + "\n"
    from bzlgraph.export.plain_data import json_text
    from bzlgraph.export.why_formats.as_json import to_dict

    return json_text(to_dict(reply.answer, reply.completeness))


def expand(graph: KeptGraph, cache: str, asked: Asked) -> Told:
    """Raises Unanswered, DamagedFile."""
    from bzlgraph.export.expand_text import expand as expand_text
    from bzlgraph.questions.targets import expand_reply

    checkout = KeptCheckout(Run(graph, 0, cache))
    try:
        reply = expand_reply(checkout, checkout.view, asked.words, keep_going=asked.keep_going)
    except BzlgraphError:
        raise Unanswered from None
    texts = [expand_text(each.target, each.package) for each in reply.answer]
    told = problem_texts((each.render() for each in reply.completeness.problems), SHOWN_PROBLEMS)
    shown = visible("\n\n".join(texts) + "\n" * bool(texts)).encode()
    return shown, [*told, *incomplete_lines(reply.completeness.gaps)], bool(reply.completeness.problems)
