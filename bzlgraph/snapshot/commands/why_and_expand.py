"""``why`` and ``expand`` of a kept graph: the same functions as the full way runs, on another view of the graph.

What only one of them needs is imported by it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, cast

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.words import Prose, Visible, visible
from bzlgraph.snapshot.evaluation.checkout import KeptCheckout
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import Unanswered

if TYPE_CHECKING:
    from bzlgraph.config.configured.view import AnyGraph
    from bzlgraph.questions.reply import Reply
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.kept import KeptGraph
    from bzlgraph.why.answer import WhyAnswer

Told = tuple[bytes, Sequence[str], list[str], Sequence[Gap], Collection[Gap]]
"""stdout, notes, problems, gaps, and those gaps that stdout tells of."""


def why(graph: KeptGraph, cache: str, asked: Asked) -> Told:
    """Raises Unanswered, DamagedFile."""
    from bzlgraph.questions.paths import why_reply
    from bzlgraph.why.ask import MAX_PATHS

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
    shown = reply.completeness.gaps if asked.output == "text" else ()
    kind = Prose if asked.output == "text" else Visible
    return kind(visible(_why_text(reply, asked.output)).encode()), reply.notes, *told_of(reply.completeness), shown


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
    shown = visible("\n\n".join(texts) + "\n" * bool(texts)).encode()
    return shown, (), *told_of(reply.completeness), ()


def told_of(completeness: Completeness) -> tuple[list[str], Sequence[Gap]]:
    """The texts of the problems, and the gaps, of an answer."""
    return [each.render() for each in completeness.problems], completeness.gaps
