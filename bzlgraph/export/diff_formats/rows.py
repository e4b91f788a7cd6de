"""Differences -> rows, one per difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bzlgraph.base.span import place_text
from bzlgraph.diff.model import DiffAnswer
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns

SCHEMA = "bzlgraph.diff-config/1"
COLUMNS = columns("change what target kind attribute value condition location reason")


def diff_table(answer: DiffAnswer) -> RowTable:
    """The answer as rows."""
    return RowTable(
        title=f"diff-config {answer.text}: {answer.left.words} -> {answer.right.words}",
        columns=COLUMNS,
        rows=lambda: _rows(answer),
        schema=SCHEMA,
        head={"query": answer.text, "left": answer.left.words, "right": answer.right.words},
        tail=lambda: _tail(answer),
    )


def _rows(answer: DiffAnswer) -> Iterator[Row]:
    for each in answer.differences:
        place = place_text(each.location) or None
        yield (
            each.change.value, each.what.value, str(each.target), each.kind, each.attribute or None,
            str(each.value) or None, each.condition or None, place, each.reason or None,
        )  # fmt: skip


def _tail(answer: DiffAnswer) -> dict[str, object]:
    counts: dict[str, Counter[str]] = {}
    for each in answer.differences:
        counts.setdefault(each.what.value, Counter())[each.change.value] += 1
    return {
        "changes": [
            {
                "words": each.words,
                "sets": list(each.sets),
                "differences": len(each.differences),
                "reaches": [
                    {"option": some.option, "targets": some.targets, "what": some.what} for some in each.reaches
                ],
            }
            for each in answer.changes
        ],
        "summary": {
            "targets_left": answer.targets[0],
            "targets_right": answer.targets[1],
            "targets_on_both_sides": answer.same,
            "unknown_on_both_sides": answer.unknown,
            "differences": {what: dict(found) for what, found in counts.items()},
        },
    }
