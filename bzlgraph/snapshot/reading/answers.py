"""``why`` and ``select`` of a kept graph: the same functions as the full way runs, on another view of the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from bzlgraph.base.causes import SHOWN_PROBLEMS, incomplete_lines, problem_texts
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.words import visible_bytes
from bzlgraph.snapshot.evaluation.run import Run, Unanswered
from bzlgraph.snapshot.reading.checkout import KeptCheckout
from bzlgraph.snapshot.reading.view import KeptView, gap_of

if TYPE_CHECKING:
    from bzlgraph.config.view import AnyGraph
    from bzlgraph.questions.reply import Reply
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.evaluation.run import KeptGap
    from bzlgraph.snapshot.kept import KeptGraph
    from bzlgraph.why.answer import WhyAnswer


def why(graph: KeptGraph, cache: str, asked: Asked) -> tuple[bytes, list[str], bool]:
    """stdout, what is told on stderr, and whether there is a problem. Raises Unanswered, DamagedFile."""
    from bzlgraph.questions.paths import why_reply

    checkout = KeptCheckout(Run(graph, 0), cache)
    try:
        reply = why_reply(
            checkout,
            cast("AnyGraph", checkout.view),  # in no configuration, as every graph that nothing was chosen for
            asked.text,
            asked.from_,
            all_paths=asked.all_paths,
            keep_going=asked.keep_going,
        )
    except BzlgraphError:
        raise Unanswered from None  # the full way says what is wrong
    problems, gaps = reply.completeness.problems, reply.completeness.gaps
    shown = {*reply.answer.gaps, *reply.answer.other_gaps} if asked.output == "text" else set()
    told = [*dict.fromkeys(reply.notes), *problem_texts((each.render() for each in problems), SHOWN_PROBLEMS)]
    told += incomplete_lines(gap for gap in gaps if gap not in shown)
    return _bytes([_why_text(reply, asked.output)]), told, bool(problems)


def _why_text(reply: Reply[WhyAnswer], output: str) -> str:
    if output == "text":
        from bzlgraph.export.why_formats.text import render

        return render(reply.answer) + "\n"
    from bzlgraph.export.plain_data import json_text
    from bzlgraph.export.why_formats.as_json import to_dict

    return json_text(to_dict(reply.answer, reply.completeness))


def select(
    run: Run, cache: str, asked: Asked, nodes: Sequence[int], problems: Iterable[str], gaps: Iterable[KeptGap]
) -> tuple[bytes, list[str]]:
    """stdout, and what is told of it on stderr. Raises Unanswered, DamagedFile."""
    from bzlgraph.export.select_formats.text import summary_text, text
    from bzlgraph.selects.answer import EVERYTHING, SelectAnswer, SelectFilter

    view = KeptView(run, cache)
    wanted = EVERYTHING
    if asked.attributes or asked.condition is not None:
        wanted = SelectFilter(frozenset(asked.attributes), _pattern(asked.condition))
    answer = SelectAnswer(
        view, tuple(nodes), asked.text, tuple(map(view.diagnostic, problems)), tuple(map(gap_of, gaps)), None, wanted
    )
    if asked.output == "text":
        return _bytes(text(answer)), []
    from bzlgraph.export.row_formats.formats import write_rows
    from bzlgraph.export.select_formats.rows import select_table

    return b"".join(write_rows(asked.output, select_table(answer))), [summary_text(answer.counts())]


def _pattern(condition: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(condition) if condition is not None else None
    except re.error:
        raise Unanswered from None


def _bytes(pieces: Iterable[str]) -> bytes:
    return b"".join(visible_bytes(pieces))
