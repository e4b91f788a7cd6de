"""Selects -> lines for people: the first line says how many, then a block per target in aligned columns.

A cell that would repeat the one above it is left empty; ``->`` before a value says that it is a dependency.
A ``select()`` in a macro is written once and evaluated for each target that the macro makes: in TensorFlow 1.12
``//tensorflow:windows`` is a key in 56 places and of 8,943 evaluated branches. So both are counted.

``select --why`` says for each branch why it holds or not, value by value, back to who set the value:

//a:lib  cc_library rule  a/BUILD:3
  copts (2 of 2)  a/BUILD:5
    no       //a:opt_alias, which is //a:opt (a/BUILD:9)
               no       --compilation_mode is fastbuild (default of Bazel 4.2.3), not opt
               -O2
"""

from __future__ import annotations

from bzlgraph.base.span import place_text
from bzlgraph.base.words import in_columns, printable
from bzlgraph.bazel.selects import UNKNOWN
from bzlgraph.export.select_formats.cells import macro_text, reason_text, value_text
from bzlgraph.export.select_formats.summary import summary_text

TYPE_CHECKING = False  # it is imported before anything heavy is
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bzlgraph.bazel.selects import Branch, Select, Selecting, Value
    from bzlgraph.selects.answer import SelectAnswer
    from bzlgraph.selects.holds import Holds

_NAMES = ("attribute", "condition", "value")
_WIDEST = (28, 56, 64)
"""Columns are no wider than that: longer cells stick out, and values are cut (other formats have them whole)."""
_CALL = "unknown call "
_TRUTH = 7
"""``unknown`` is the longest."""

Line = tuple[str, ...]


def text(answer: SelectAnswer) -> Iterator[str]:
    """The whole answer."""
    widths = _widths(answer)
    header = _joined((*_NAMES, *(("holds",) if answer.configured else ())), widths)
    return _blocks(answer, header, lambda select: (_joined(line, widths) for line in _lines(answer, select)))


def why_text(answer: SelectAnswer) -> Iterator[str]:
    """The whole answer, with every comparison that decided."""
    return _blocks(answer, "", lambda select: _why_lines(answer, select))


def _blocks(answer: SelectAnswer, header: str, lines: Callable[[Select], Iterator[str]]) -> Iterator[str]:
    """How many there are, then the selects of each target."""
    yield summary_text(answer.counts(), configured=answer.configured) + "\n"
    last: Selecting | None = None
    for select in answer:
        if select.rule is not last:
            last = select.rule
            yield f"\n{_heading(last)}\n{header}"
        yield from lines(select)


def _widths(answer: SelectAnswer) -> list[int]:
    """One pass: how wide the columns are."""
    widths = [len(name) for name in _NAMES]
    for select in answer:
        widths[0] = max(widths[0], min(len(_attribute_text(select)), _WIDEST[0]))
        for branch in select.branches:
            widths[1] = max(widths[1], min(len(_condition_text(branch)), _WIDEST[1]))
            for value in branch.values:
                widths[2] = max(widths[2], min(len(_whole_value(branch, value)) + 3, _WIDEST[2]))
    return [*widths, _TRUTH]


def _heading(rule: Selecting) -> str:
    """The line above the selects of a target."""
    made = macro_text(rule)
    return f"{rule.label}  {rule.kind}  {f'made by {made}' if made else place_text(rule.location)}"


def _lines(answer: SelectAnswer, select: Select) -> Iterator[Line]:
    attribute, where = _attribute_text(select), place_text(select.location)
    holds = answer.holds(select)
    for number, branch in enumerate(select.branches):
        condition = _condition_text(branch)
        told = holds[number] if holds else None
        truth, reason = (told.truth, reason_text(told)) if told else ("", "")
        for value in branch.values:
            shown = _shown_value(branch, value)
            tail = "  ".join(each for each in (reason, where) if each)
            yield (attribute, condition, shown, truth, tail) if answer.configured else (
                attribute, condition, shown, tail,
            )  # fmt: skip
            attribute = condition = truth = reason = where = ""


def _attribute_text(select: Select) -> str:
    """``deps``, ``deps (2 of 3)`` for a part of a concatenation."""
    return select.attribute if select.parts == 1 else f"{select.attribute} ({select.part} of {select.parts})"


def _condition_text(branch: Branch) -> str:
    """The condition; a call that cannot be evaluated is called unknown."""
    return f"{_CALL if branch.kind == UNKNOWN else ''}{branch.condition}"


def _shown_value(branch: Branch, value: Value) -> str:
    """A value that fits in a line, with ``->`` when it is a dependency."""
    text = _whole_value(branch, value)
    short = text if len(text) <= _WIDEST[2] else text[: _WIDEST[2] - 3] + "..."
    return printable(f"-> {short}" if value.edge else short)


def _whole_value(branch: Branch, value: Value) -> str:
    """What a call that cannot be evaluated gives is unknown; labels among its arguments are shown, as they may be in
    it."""
    return "(unknown)" if branch.kind == UNKNOWN and not value.value else value_text(value.value)


def _joined(cells: Line, widths: list[int]) -> str:
    return f"  {in_columns(cells, [*widths[: len(cells) - 1], 0])}\n"


def _why_lines(answer: SelectAnswer, select: Select) -> Iterator[str]:
    yield f"  {_attribute_text(select)}  {place_text(select.location)}\n"
    for branch, holds in zip(select.branches, answer.holds(select), strict=True):
        yield from _branch(answer, branch, holds)


def _branch(answer: SelectAnswer, branch: Branch, holds: Holds) -> Iterator[str]:
    yield f"    {holds.truth:{_TRUTH}}  {_condition_text(branch)}{_stands_for(answer, branch, holds)}\n"
    indent = " " * (_TRUTH + 8)
    for reason in holds.reasons:
        yield f"{indent}{reason.truth.value:{_TRUTH}}  {printable(str(reason))}\n"
    if holds.refused:
        yield f"{indent}error: {printable(holds.refused)}\n"
    for value in branch.values:
        yield f"{indent}{_shown_value(branch, value)}\n"


def _stands_for(answer: SelectAnswer, branch: Branch, holds: Holds) -> str:
    """The setting behind an alias, and where it is."""
    if holds.setting is None:
        return ""
    location = answer.selects.place(holds.setting)
    place = f" ({place_text(location)})" if location is not None else ""
    named = branch.conditions[0].label
    return place if named == holds.setting else f", which is {holds.setting}{place}"
