"""Selects -> rows: one per target, attribute, part, condition and value. The first ten columns are a promise.

``edge`` is a truth value; ``holds`` is ``yes``, ``no``, ``unknown``, or nothing when no configuration was given.
The JSON form has the same keys with more in them, see docs/select.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location, place_text
from bzlgraph.bazel.model import Rule
from bzlgraph.export.row_formats.row_table import Column, Row, RowTable
from bzlgraph.export.value_text import UNQUOTED, as_json, expression
from bzlgraph.selects.answer import SelectAnswer
from bzlgraph.selects.holds import Holds

SCHEMA = "bzlgraph.select/1"
COLUMNS = (
    Column("target"),
    Column("kind"),
    Column("attribute"),
    Column("part", "integer"),
    Column("condition"),
    Column("value"),
    Column("edge", "boolean"),
    Column("holds"),
    Column("location"),
    Column("macro"),
    Column("reason"),
    Column("condition_kind"),
    Column("type"),
    Column("branch", "integer"),
)


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
    last: Rule | None = None
    target = macro = ""
    for select in answer:
        rule = select.rule
        if rule is not last:
            last, target, macro = rule, str(rule.label), macro_text(rule)
        place = place_text(select.location)
        holds = answer.holds(select)
        for number, branch in enumerate(select.branches):
            told = holds[number] if holds else None
            condition, kind = branch.condition, branch.kind.value
            for value, labels in branch.values:
                shown = label_text(value) if type(value) is Label else value_text(value)
                yield (
                    target, rule.kind, select.attribute, select.part, condition, shown, bool(labels),
                    told.truth if told else None, place, macro, reason_text(told) if told else None,
                    kind, select.type.value, branch.index,
                )  # fmt: skip


def value_text(value: object) -> str:
    """As people read it: text without quotes, an entry of a dictionary with a colon; None is the default.

    >>> value_text("-O2"), value_text(""), value_text([]), value_text(None), value_text(("key", ["a", "b"]))
    ('-O2', '""', '[]', 'None', 'key: [a, b]')
    """
    if isinstance(value, tuple) and not isinstance(value, Label):
        return ": ".join(expression(each, UNQUOTED) for each in value)
    return expression(value, UNQUOTED)


def _value_json(value: object) -> object:
    """As programs read it: an entry of a dictionary has ``key`` and ``value``."""
    if isinstance(value, tuple) and not isinstance(value, Label):
        return {"key": as_json(value[0]), "value": as_json(value[1])}
    return as_json(value)


def reason_text(holds: Holds) -> str:
    """Why a branch holds or not, and what Bazel refuses."""
    return f"{holds.reason}; error: {holds.refused}" if holds.refused else holds.reason


def _macro_calls(rule: Rule) -> Iterator[tuple[str, Location]]:
    """The macros a rule was made in, outermost first: each with the place it was called at."""
    frames = rule.stack
    for outer, inner in zip(frames[:0:-1], frames[-2::-1], strict=True):
        yield inner.function, outer.location


def macro_text(rule: Rule) -> str:
    """``outer (a/BUILD:3) > inner (a/defs.bzl:7)``: the macros that made a rule, with the places they are called at."""
    return " > ".join(f"{function} ({place_text(location)})" for function, location in _macro_calls(rule))


def _records(answer: SelectAnswer) -> Iterator[dict[str, Any]]:
    for select in answer:
        rule = select.rule
        target, place = str(rule.label), _location(select.location)
        calls = [{"function": name, "location": _location(location)} for name, location in _macro_calls(rule)]
        holds = answer.holds(select)
        for number, branch in enumerate(select.branches):
            told = holds[number] if holds else None
            for value, labels in branch.values:
                yield {
                    "target": target, "kind": rule.kind, "attribute": select.attribute, "part": select.part,
                    "condition": branch.condition, "value": _value_json(value), "edge": bool(labels),
                    "holds": told.truth if told else None, "location": place, "macro": calls,
                    "reason": reason_text(told) if told else None, "condition_kind": branch.kind.value,
                    "type": select.type.value, "branch": branch.index, **(_why(told) if told else {}),
                }  # fmt: skip


def _why(holds: Holds) -> dict[str, Any]:
    """What only JSON has: every comparison that was made."""
    return {
        "setting": None if holds.setting is None else str(holds.setting),
        "refused": holds.refused or None,
        "why": [
            {
                "what": each.what,
                "wanted": each.wanted,
                "found": each.found,
                "truth": each.truth.value,
                "origin": None if each.origin is None else str(each.origin),
                "missing": each.missing or None,
            }
            for each in holds.reasons
        ],
    }


def _location(location: Location | None) -> dict[str, Any] | None:
    return None if location is None else {"path": location.path, "line": location.line, "column": location.column}


def _tail(answer: SelectAnswer) -> dict[str, Any]:
    counts = answer.counts()
    held = {"holding": counts.holding, "not_holding": counts.not_holding, "unknown": counts.unknown}
    return {
        "summary": {
            "targets": counts.targets,
            "targets_with_selects": counts.with_selects,
            "selects_evaluated": counts.selects,
            "places_written": counts.places,
            "branches": counts.branches,
            "values": counts.values,
            "edges": counts.edges,
            "unknown_calls_evaluated": counts.calls,
            "unknown_calls_written": counts.call_places,
            **(held if answer.configured else {}),
        },
        "problems": [problem.headline for problem in answer.problems],
        "gaps": [str(gap) for gap in answer.gaps],
        "complete": not (answer.problems or answer.gaps),
    }
