"""Trees of ``deps`` and ``rdeps`` as JSON and as rows.

The keys of the JSON: ``direction``, ``text``, ``within``, ``depth``, ``configuration``, ``reached``, ``followed``,
``shown``;
``roots[]``: ``{node, reasons, below, repeated}``, where ``below`` is null or ``{count, packages, groups: [{package,
count, shown: [...]}]}`` of the same again, and ``reasons`` are those of ``why``; then problems and gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import place_text
from bzlgraph.export.plain_data import plain_data, record
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.export.why_formats.as_json import WHY_SHAPES
from bzlgraph.export.why_formats.tree_text import reason_text
from bzlgraph.why.answer import Neighbour, TreeAnswer

COLUMNS = columns("step above attribute label kind location when flags repeated", step="integer", repeated="boolean")


def to_dict(answer: TreeAnswer, completeness: Completeness) -> dict[str, Any]:
    """The answer as dictionaries, lists, texts and numbers."""
    return {
        "schema": f"bzlgraph.{answer.direction}/1",
        **record(answer, None, WHY_SHAPES),
        "gaps": plain_data(completeness.gaps, WHY_SHAPES),
        "problems": plain_data(completeness.problems, WHY_SHAPES),
        "complete": completeness.complete,
    }


def tree_table(answer: TreeAnswer, completeness: Completeness) -> RowTable:
    """A row per place of the tree: its step from a root, what it hangs below, and the first reason why."""
    schema = f"bzlgraph.{answer.direction}.rows/1"
    return RowTable(
        f"{answer.direction} {answer.text}", COLUMNS, lambda: tree_rows(answer), schema, completeness=completeness
    )


def tree_rows(answer: TreeAnswer) -> Iterator[Row]:
    """The cells of ``COLUMNS``, each place before what hangs below it."""
    for root in answer.roots:
        yield from _rows(root, 0, None)


def _rows(each: Neighbour, step: int, above: str | None) -> Iterator[Row]:
    node, first = each.node, each.reasons[0] if each.reasons else None
    how = reason_text(each.reasons) if each.reasons else None
    flags = " ".join((flag.name or "").lower() for flag in first.flags) if first is not None else ""
    when = (first.when or None) if first is not None else None
    label = str(node.label)
    place = place_text(node.location)
    yield step, above, how, label, node.kind_words, place, when, flags or None, each.repeated
    if each.below is not None:
        for group in each.below.groups:
            for below in group.shown:
                yield from _rows(below, step + 1, label)
