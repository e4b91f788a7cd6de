"""``why`` as rows: a row per reason of each step, the shown path first, then the others that were asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import place_text
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.why.answer import PathStep, WhyAnswer

COLUMNS = columns("path step label kind location macro attribute when flags", path="integer", step="integer")


SCHEMA = "bzlgraph.why.steps/1"


def why_table(answer: WhyAnswer, completeness: Completeness) -> RowTable:
    """``attribute``, ``when`` and ``flags`` say why the target of the step before names this one."""
    return RowTable(
        *(f"why {answer.target.label}", COLUMNS, lambda: step_rows(answer), SCHEMA),
        completeness=completeness,
    )


def step_rows(answer: WhyAnswer) -> Iterator[Row]:
    """The cells of ``COLUMNS``."""
    for number, steps in enumerate((answer.steps, *answer.others), 1):
        yield from _of_path(number, steps)


def _of_path(path: int, steps: Sequence[PathStep]) -> Iterator[Row]:
    for number, step in enumerate(steps):
        node = step.node
        shown = (path, number, str(node.label), node.kind_words, place_text(node.location), node.made_by or None)
        if not step.reasons:
            yield (*shown, None, None, None)
        for reason in step.reasons:
            when = reason.when or None
            flags = " ".join((flag.name or "").lower() for flag in reason.flags)
            yield (*shown, reason.attribute, when, flags or None)
