"""Selects -> rows: one per target, attribute, part, condition and value. The first ten columns are a promise.

``edge`` is a truth value; ``holds`` is ``yes``, ``no``, ``unknown``, or nothing when no configuration was given.
The JSON form has the same keys with more in them, see docs/select.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location, place_text
from bzlgraph.export.plain_data import Shape, plain_data, record
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.export.select_formats.cells import macro_calls, macro_text, reason_text, value_json, value_text
from bzlgraph.selects.answer import SelectAnswer

if TYPE_CHECKING:
    from bzlgraph.bazel.selects import Selecting
    from bzlgraph.selects.holds import Holds

SCHEMA = "bzlgraph.select/1"
COLUMNS = columns(
    "target kind attribute part condition value edge holds location macro reason condition_kind type branch",
    part="integer", branch="integer", edge="boolean",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Notation:
    """How the cells that texts and JSON show differently are written."""

    value: Callable[[object], object]
    place: Callable[[Location | None], object]
    macro: Callable[[Selecting], object]


def select_table(answer: SelectAnswer) -> RowTable:
    """The answer as rows."""
    return RowTable(
        title=f"select {answer.text}",
        columns=COLUMNS,
        rows=lambda: select_rows(answer),
        schema=SCHEMA,
        records=lambda: _records(answer),
        head={"query": answer.text},
        tail=lambda: _tail(answer),
    )


def select_rows(answer: SelectAnswer) -> Iterator[Row]:
    """The cells of ``COLUMNS``."""
    label_text = lru_cache(maxsize=100_000)(str)
    notation = _Notation(
        lambda value: label_text(value) if type(value) is Label else value_text(value), place_text, macro_text
    )
    return (cells for cells, _ in _rows(answer, notation))


def _rows(answer: SelectAnswer, notation: _Notation) -> Iterator[tuple[Row, Holds | None]]:
    """Each row, and whether its branch holds."""
    last: Selecting | None = None
    target, macro = "", None
    for select in answer:
        rule = select.rule
        if rule is not last:
            last, target, macro = rule, str(rule.label), notation.macro(rule)
        place = notation.place(select.location)
        holds = answer.holds(select)
        for number, branch in enumerate(select.branches):
            held = holds[number] if holds else None
            truth, reason = (held.truth, reason_text(held)) if held else (None, None)
            condition, kind, type_name = branch.condition, branch.kind, select.type
            for value, labels in branch.values:
                yield (
                    target, rule.kind, select.attribute, select.part, condition, notation.value(value), bool(labels),
                    truth, place, macro, reason, kind, type_name, branch.number,
                ), held  # fmt: skip


def _records(answer: SelectAnswer) -> Iterator[dict[str, object]]:
    names = [column.name for column in COLUMNS]
    for cells, holds in _rows(answer, _Notation(value_json, plain_data, _macro_json)):
        yield {**dict(zip(names, cells, strict=True)), **(_why(holds) if holds else {})}


def _macro_json(rule: Selecting) -> list[dict[str, object]]:
    return [{"function": name, "location": plain_data(location)} for name, location in macro_calls(rule)]


def _why(holds: Holds) -> dict[str, object]:
    """What only JSON has: every comparison that was made."""
    from bzlgraph.config.option_use import Origin  # most questions choose no configuration

    shapes: Mapping[type, Shape] = {Origin: str}
    return {
        "setting": plain_data(holds.setting),
        "refused": holds.refused or None,
        "why": [{**record(each, None, shapes), "missing": each.missing or None} for each in holds.reasons],
    }


def _tail(answer: SelectAnswer) -> dict[str, object]:
    counts = answer.counts()
    return {
        "summary": {
            "targets": counts.targets,
            "targets_with_selects": counts.with_selects,
            "selects_evaluated": counts.selects,
            "places_written": counts.places,
            **record(counts, ("branches", "values", "edges")),
            "unknown_calls_evaluated": counts.calls,
            "unknown_calls_written": counts.call_places,
            **record(counts, ("holding", "not_holding", "unknown") if answer.configured else ()),
        },
        "problems": [problem.headline for problem in answer.problems],
        "gaps": [str(gap) for gap in answer.gaps],
        "complete": not (answer.problems or answer.gaps),
    }
