"""An answer of the kept graph in the formats that read targets: the same writers, on the view of what is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.export.query_formats.formats import write
from bzlgraph.export.query_formats.options import OutputOptions, QueryOutput
from bzlgraph.query.answer import Order, QueryAnswer
from bzlgraph.snapshot.evaluation.run import Unanswered
from bzlgraph.snapshot.reading.facts import facts_of, places_of
from bzlgraph.snapshot.reading.view import gap_of, view_of

if TYPE_CHECKING:
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.evaluation.run import KeptGap, Run


def written(
    run: Run,
    asked: Asked,
    nodes: Sequence[int],
    is_path: bool,
    *,
    problems: Iterable[str],
    gaps: Iterable[KeptGap],
    possible: Iterable[int],
) -> Iterator[bytes]:
    """The answer in pieces. ``possible``: what is in it only if something unknown adds it. Raises Unanswered,
    DamagedFile."""
    view, graph = view_of(run), run.graph
    answer = QueryAnswer(
        view,
        tuple(nodes),
        tuple(map(view.diagnostic, problems)),
        tuple(map(gap_of, gaps)),
        asked.excluded,
        asked.text,
        order=Order.PATH if is_path else Order.LABEL,
        possible=frozenset(map(view.labels.__getitem__, possible)),
    )
    options = OutputOptions(order_output=asked.order)
    names = graph.canonical
    output = QueryOutput(answer, options, facts_of(graph), places_of(graph), lambda repo: names.get(repo, repo))
    try:
        yield from write(asked.output, output)
    except BzlgraphError:
        raise Unanswered from None  # the full way says what is wrong
