"""``select`` of a kept graph: the same functions as the full way runs, on another view of the graph.

Which targets have selects is a column: where none has, there is nothing to read, and nothing of what reads is imported.
"""

from __future__ import annotations

from bzlgraph.base.words import Prose, visible_bytes
from bzlgraph.export.select_formats.summary import nothing_text, summary_text
from bzlgraph.snapshot.kept import Unanswered

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    import re

    from bzlgraph.selects.answer import Selects
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.evaluation.found import Found
    from bzlgraph.snapshot.evaluation.run import Run


def select(run: Run, asked: Asked, found: Found) -> tuple[bytes, list[str]]:
    """stdout, and what is told of it on stderr. Raises Unanswered, DamagedFile."""
    has_selects, plain = run.graph.whole("has_selects"), not asked.attributes and asked.condition is None
    if asked.output == "text" and plain and not any(map(has_selects.__getitem__, found.nodes)):
        return Prose(f"{nothing_text(len(found.nodes))}\n".encode()), []
    from bzlgraph.snapshot.commands.kept_selects import ByLooks, KeptSelects

    try:
        return _shown(run, asked, found, KeptSelects(run))
    except ByLooks:
        from bzlgraph.graph.selects import GraphSelects
        from bzlgraph.snapshot.evaluation.view import view_of

        return _shown(run, asked, found, GraphSelects(view_of(run)))


def _shown(run: Run, asked: Asked, found: Found, selects: Selects) -> tuple[bytes, list[str]]:
    """The answer in the form that is asked for. ``selects``: what reads them."""
    from bzlgraph.selects.answer import EVERYTHING, SelectAnswer, SelectFilter

    nodes, wanted = tuple(found.nodes), EVERYTHING
    if asked.attributes or asked.condition is not None:
        wanted = SelectFilter(frozenset(asked.attributes), _pattern(asked.condition))
    answer = SelectAnswer(selects, nodes, asked.text, wanted=wanted)
    if asked.attributes and not set(asked.attributes) <= {select.attribute for select in answer}:
        raise Unanswered  # the full way knows whether one of them is mistyped
    if asked.output == "text":
        from bzlgraph.export.select_formats.text import text

        return Prose(b"".join(visible_bytes(text(answer)))), []
    from bzlgraph.export.row_formats.formats import write_rows
    from bzlgraph.export.select_formats.rows import select_table
    from bzlgraph.snapshot.evaluation.view import gap_of, view_of

    problems, gaps = tuple(map(view_of(run).diagnostic, found.problems)), tuple(map(gap_of, found.gaps))
    answer = SelectAnswer(selects, nodes, asked.text, problems, gaps, wanted=wanted)
    return b"".join(write_rows(asked.output, select_table(answer))), [summary_text(answer.counts())]


def _pattern(condition: str | None) -> re.Pattern[str] | None:
    import re

    try:
        return re.compile(condition) if condition is not None else None
    except re.error:
        raise Unanswered from None
