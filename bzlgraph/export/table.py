"""Answers as tables: a pandas DataFrame per answer. pandas is imported here, when it is asked for, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bzlgraph.graph.view import GraphView
from bzlgraph.query.answer import QueryAnswer

if TYPE_CHECKING:
    import pandas

COLUMNS = ("label", "kind", "package", "location", "macro")


def target_rows(graph: GraphView, numbers: Iterable[int]) -> Iterator[tuple[str, str, str, str, str]]:
    """The cells of ``COLUMNS``, a row per target."""
    for node in map(graph.describe, numbers):
        place = f"{node.location.path}:{node.location.line}" if node.location else ""
        yield str(node.label), node.kind_words, node.label.package_label, place, node.made_by


def targets_frame(answer: QueryAnswer) -> pandas.DataFrame:
    """A row per target, in the order of the answer."""
    import pandas

    return pandas.DataFrame(target_rows(answer.graph, answer.nodes), columns=list(COLUMNS))
