"""Selects -> lines for people: the first line says how many, then a block per target in aligned columns.

A cell that would repeat the one above it is left empty; ``->`` before a value says that it is a dependency.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.span import place_text
from bzlgraph.base.words import printable
from bzlgraph.bazel.model import Rule
from bzlgraph.export.select_formats.rows import macro_text, reason_text, value_text
from bzlgraph.export.select_formats.summary import summary_text
from bzlgraph.graph.selects import Branch, ConditionKind, Select, Value
from bzlgraph.selects.answer import SelectAnswer

_NAMES = ("attribute", "condition", "value")
_WIDEST = (28, 56, 64)
"""Columns are no wider than that: longer cells stick out, and values are cut (other formats have them whole)."""
_UNKNOWN = "unknown call "

Line = tuple[str, ...]


def text(answer: SelectAnswer) -> Iterator[str]:
    """The whole answer."""
    yield summary_text(answer.counts(), configured=answer.configured) + "\n"
    widths = _widths(answer)
    last: Rule | None = None
    for select in answer:
        if select.rule is not last:
            last = select.rule
            yield f"\n{heading(last)}\n"
            yield _joined((*_NAMES, *(("holds",) if answer.configured else ())), widths)
        yield from (_joined(line, widths) for line in _lines(answer, select))


def _widths(answer: SelectAnswer) -> list[int]:
    """One pass: how wide the columns are."""
    widths = [len(name) for name in _NAMES]
    for select in answer:
        widths[0] = max(widths[0], min(len(attribute_text(select)), _WIDEST[0]))
        for branch in select.branches:
            widths[1] = max(widths[1], min(len(condition_text(branch)), _WIDEST[1]))
            for value in branch.values:
                widths[2] = max(widths[2], min(len(value_text(value.value)) + 3, _WIDEST[2]))
    return [*widths, 7]


def heading(rule: Rule) -> str:
    """The line above the selects of a target."""
    made = macro_text(rule)
    return f"{rule.label}  {rule.kind}  {f'made by {made}' if made else place_text(rule.location)}"


def _lines(answer: SelectAnswer, select: Select) -> Iterator[Line]:
    attribute, where = attribute_text(select), place_text(select.location)
    holds = answer.holds(select)
    for number, branch in enumerate(select.branches):
        condition = condition_text(branch)
        told = holds[number] if holds else None
        truth, reason = (told.truth, reason_text(told)) if told else ("", "")
        for value in branch.values:
            shown = shown_value(value)
            tail = "  ".join(each for each in (reason, where) if each)
            yield (attribute, condition, shown, truth, tail) if answer.configured else (
                attribute, condition, shown, tail,
            )  # fmt: skip
            attribute = condition = truth = reason = where = ""


def attribute_text(select: Select) -> str:
    """``deps``, ``deps (2 of 3)`` for a part of a concatenation."""
    return select.attribute if select.parts == 1 else f"{select.attribute} ({select.part} of {select.parts})"


def condition_text(branch: Branch) -> str:
    """The condition; a call that cannot be evaluated is called unknown."""
    return f"{_UNKNOWN if branch.kind is ConditionKind.UNKNOWN else ''}{branch.condition}"


def shown_value(value: Value) -> str:
    """A value that fits in a line, with ``->`` when it is a dependency."""
    text = value_text(value.value)
    short = text if len(text) <= _WIDEST[2] else text[: _WIDEST[2] - 3] + "..."
    return printable(f"-> {short}" if value.edge else short)


def _joined(cells: Line, widths: list[int]) -> str:
    *padded, last = cells
    return (
        "  " + "  ".join([*(f"{cell:{width}}" for cell, width in zip(padded, widths, strict=False)), last])
    ).rstrip() + "\n"
