"""Answers as tables: a pandas DataFrame per answer. pandas is imported here, when it is asked for, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bzlgraph.query.answer import QueryAnswer

if TYPE_CHECKING:
    import pandas

COLUMNS = ("label", "kind", "package", "location", "macro")


def targets_frame(answer: QueryAnswer) -> pandas.DataFrame:
    """A row per target, in the order of the answer."""
    import pandas

    nodes = (answer.graph.describe(number) for number in answer.nodes)
    rows = [
        (
            str(node.label),
            node.kind_words,
            node.label.package_label,
            f"{node.location.path}:{node.location.line}" if node.location else "",
            node.made_by,
        )
        for node in nodes
    ]
    return pandas.DataFrame(rows, columns=list(COLUMNS))
