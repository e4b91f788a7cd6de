"""``--output=minrank`` and ``maxrank``: how far each target is from the targets that nothing in the answer needs.

Inside a rank targets stand by label, as with Bazel's ``--order_output=full``; its default order there is no order.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.export.bazel_view.subgraph import max_ranks, min_ranks
from bzlgraph.export.query_formats.options import Output


def minrank(output: Output) -> Iterator[str]:
    """The shortest way from a root: ``2 //a:b``."""
    return _lines(output, min_ranks(output.subgraph()))


def maxrank(output: Output) -> Iterator[str]:
    """The longest way from a root."""
    return _lines(output, max_ranks(output.subgraph()))


def _lines(output: Output, ranks: dict[int, int]) -> Iterator[str]:
    labels, end = output.graph.labels, output.options.line_terminator
    for node in sorted(ranks, key=lambda each: (ranks[each], labels[each])):
        yield f"{ranks[node]} {output.label_text(labels[node])}{end}"
