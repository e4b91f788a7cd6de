"""``--output=label``, ``label_kind``, ``package``, ``location``, ``minrank``, ``maxrank``: a line per target.

A rank is how far a target is from those that nothing in the answer needs. Inside a rank targets stand by label, as with
Bazel's ``--order_output=full``; its default order there is no order.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.export.bazel_view.package import kind_words
from bzlgraph.export.bazel_view.place import shown_location
from bzlgraph.export.bazel_view.subgraph import max_ranks, min_ranks
from bzlgraph.export.query_formats.options import QueryOutput


def label(output: QueryOutput) -> Iterator[str]:
    """``//a:b``"""
    labels, end = output.graph.labels, output.options.line_terminator
    return (f"{output.label_text(labels[node])}{end}" for node in output.ordered())


def label_kind(output: QueryOutput) -> Iterator[str]:
    """``cc_library rule //a:b``"""
    graph, end = output.graph, output.options.line_terminator
    for node in output.ordered():
        yield f"{graph.kind_words(node)} {output.label_text(graph.labels[node])}{end}"


def package(output: QueryOutput) -> Iterator[str]:
    """``a`` or ``@repo//a``, by name, each once."""
    end = output.options.line_terminator
    return (f"{text}{end}" for text in sorted({output.package_text(label) for label in output.answer}))


def location(output: QueryOutput) -> Iterator[str]:
    """``/ws/a/BUILD:3:1: cc_library rule //a:b``"""
    end = output.options.line_terminator
    relative = output.options.relative_locations and output.facts.location_relative
    for _, target, _ in output.ordered_targets():
        place = output.places(shown_location(target, output.facts, output.canonical), relative=relative)
        yield f"{place}: {kind_words(target)} {output.label_text(target.label)}{end}"


def minrank(output: QueryOutput) -> Iterator[str]:
    """The shortest way from a root: ``2 //a:b``."""
    return _ranks(output, min_ranks(output.subgraph()))


def maxrank(output: QueryOutput) -> Iterator[str]:
    """The longest way from a root."""
    return _ranks(output, max_ranks(output.subgraph()))


def _ranks(output: QueryOutput, ranks: dict[int, int]) -> Iterator[str]:
    labels, end = output.graph.labels, output.options.line_terminator
    for node in sorted(ranks, key=lambda each: (ranks[each], labels[each])):
        yield f"{ranks[node]} {output.label_text(labels[node])}{end}"
