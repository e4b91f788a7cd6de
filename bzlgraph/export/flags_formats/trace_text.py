"""The trace of one name on one screen: ``asked``, ``written``, ``set by``, ``read by``, ``chooses``, ``adds``, ...

Each paragraph has a word in the first column and few lines; what does not fit is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location, place_text
from bzlgraph.base.words import counted, printable
from bzlgraph.config.rc_tokens import as_typed
from bzlgraph.export.flags_formats.text import NOTHING, branches_text, labels_text
from bzlgraph.flags.knowledge import ConfigureLine, Knowledge, RcUse
from bzlgraph.flags.mentions import FLAG
from bzlgraph.flags.rows import ConfigureRow, RuntimeFlag
from bzlgraph.flags.settings.table import SettingRow, Use, Uses
from bzlgraph.flags.trace import SETTING, Trace

_WIDTH = 12
_LINES = 6
_SHOWN_PLACES = 3

Lines = Iterable[str]


def trace_text(trace: Trace, known: Knowledge) -> Iterator[str]:
    """The paragraphs, one after another."""
    yield printable(f"{trace.name} is {_kinds(trace)}.") + "\n\n"
    chosen = trace.uses
    uses = tuple(chosen)  # both who go through them want each made once
    paragraphs: tuple[tuple[str, Lines], ...] = (
        ("asked", map(_asked, trace.asked)),
        ("written", _written(trace.written, trace.asked)),
        ("set by", map(_rc_line, trace.set_by)),
        ("sets", map(_rc_line, trace.sets)),
        ("read by", map(_read_by, _readers_first(trace.read_by))),
        ("", (f"{_read_by(row)}  (needs {', '.join(more)} too)" for row, more in trace.partly)),
        ("turns off", map(_read_by, _readers_first(trace.turned_off))),
        ("named in", (f"{each.file}:{each.line}  {each.text}" for each in trace.named_in)),
        ("decided by", _calls(trace.calls)),
        ("chooses", _chooses(chosen, known)),
        ("adds", _adds(uses)),
        ("changes", _changes(uses)),
        ("runtime", map(_runtime, trace.runtime)),
        ("unknown", (str(replace(each, location=None)) for each in trace.gaps)),
    )  # fmt: skip
    for word, lines in paragraphs:
        yield from _paragraph(word, list(lines))


def _paragraph(word: str, lines: Sequence[str]) -> Iterator[str]:
    if len(lines) > _LINES + 1:
        lines = [*lines[:_LINES], f"... and {len(lines) - _LINES:,} more (--output=table)"]
    for number, line in enumerate(lines):
        yield f"{word if not number else '':<{_WIDTH}}{printable(line)}".rstrip() + "\n"


def _runtime(row: RuntimeFlag) -> str:
    default = NOTHING if row.default is None else row.default or '""'
    described = f"  {' '.join(row.description.split())}" if row.description else ""
    return f"{row.group} {row.name}: {row.type or 'unknown type'}, default {default}  {row.file}:{row.line}{described}"


def _kinds(trace: Trace) -> str:
    kinds = [kind for kind in trace.kinds if kind != SETTING or FLAG not in trace.kinds]
    words = [f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" for kind in kinds]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _asked(row: ConfigureRow) -> str:
    if not row.question:
        return f"{row.place}  {row.variable} is read without a question"
    asked = f", asked when {row.asked_if}" if row.asked_if else ""
    return f'{row.place}  "{row.question}"  {row.variable}, default {row.default or NOTHING}{asked}'


def _written(lines: Sequence[ConfigureLine], asked: Sequence[ConfigureRow]) -> Iterator[str]:
    """What is written on which answer; an answer that writes nothing is told as well."""
    for line in lines:
        when = f"when {line.variable} is {line.answer}" if line.variable else f"always, by {line.place}"
        if not line.variable and line.answer:
            when = f"when {line.answer}, by {line.place}"
        yield f"{line.written_to}  {line.text}  ({when})"
    for row in asked:
        mine = [line.answer for line in lines if line.variable == row.variable]
        if row.question.endswith(("[Y/n]", "[y/N]")) and mine and "no" not in mine:
            yield f"{NOTHING}  (when {row.variable} is no)"


def _rc_line(use: RcUse) -> str:
    return f"{place_text(use.location)}  {use.section} {as_typed(use.text)}"


def _readers_first(rows: Sequence[SettingRow]) -> list[SettingRow]:
    """Those that choose most come first."""
    return sorted(rows, key=lambda row: (-len(row.uses), row.label))


def _read_by(row: SettingRow) -> str:
    reads = f"  reads {', '.join(row.reads)}" if row.reads else ""
    place = f"  {place_text(row.location)}" if row.location else ""
    default = f", default {row.default}" if row.default and not row.mentions else ""
    return f"{row.label}  {row.kind}{reads}{default}{place}"


def _calls(calls: dict[str, Uses]) -> Iterator[str]:
    for name, uses in calls.items():
        number = counted(len(uses), "call")
        yield f"{name}(...)  {number} of a function that is not on disk; what they add is marked possible"


def _chooses(uses: Uses, known: Knowledge) -> Iterator[str]:
    if not uses:
        return
    yield f"{branches_text(uses)} in {counted(uses.count_targets(), 'target')}, written at:"
    places = sorted(uses.places().items(), key=lambda item: -item[1])
    for place, number in places[:_SHOWN_PLACES]:
        yield f"  {_place(place, known)}  {counted(number, 'branch')}"
    if len(places) > _SHOWN_PLACES:
        yield f"  and {counted(len(places) - _SHOWN_PLACES, 'other place')}"


def _place(place: Location | None, known: Knowledge) -> str:
    if place is None:
        return "(unknown place)"
    function = known.texts.function_at(place)
    return f"{place_text(place)}{f' {function}' if function else ''}"


def _adds(uses: Sequence[Use]) -> Iterator[str]:
    """Each dependency with the targets that get it."""
    takers: dict[Label, dict[str, None]] = {}
    for use in uses:
        for label in use.adds:
            takers.setdefault(label, {})[str(use.target)] = None
    for label, targets in sorted(takers.items(), key=lambda item: (-len(item[1]), item[0])):
        yield f"{label}  to {labels_text(list(targets), 2)}"


def _changes(uses: Sequence[Use]) -> Iterator[str]:
    """What is set besides dependencies: copts, defines, ..."""
    takers: dict[tuple[str, str], set[Label]] = {}
    for use in uses:
        for text in use.sets:
            takers.setdefault((use.attribute, text), set()).add(use.target)
    for (attribute, text), targets in sorted(takers.items(), key=lambda item: (-len(item[1]), item[0])):
        yield f"{attribute} {text}  of {counted(len(targets), 'target')}"
