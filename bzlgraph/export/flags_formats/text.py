"""``flags`` and its configure, settings and runtime for people: the name first, what follows from it below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bzlgraph.base.span import place_text
from bzlgraph.base.words import counted, printable
from bzlgraph.export.flags_formats.rows import overview_rows
from bzlgraph.flags.knowledge import Knowledge
from bzlgraph.flags.rows import Configure, ConfigureRow, RuntimeFlag
from bzlgraph.flags.settings.table import SettingRow, Uses

_SHOWN_LABELS = 4
NOTHING = "(nothing)"


def overview_text(known: Knowledge) -> Iterator[str]:
    """A line per kind."""
    for kind, what, where in overview_rows(known):
        yield f"{kind:<10}  {what}{f'  ({where})' if where else ''}\n"
    yield "hint: bzlgraph flags KIND lists them, bzlgraph flags NAME shows what one of them changes\n"


def configure_text(found: Configure, rows: Sequence[ConfigureRow]) -> Iterator[str]:
    """The questions in the order in which they are asked, with what each answer writes."""
    asked = sum(1 for row in rows if row.question)
    if not found.files:
        yield "The root of the checkout has no configure script that writes a .bazelrc.\n"
        return
    silent = f" and reads {counted(len(rows) - asked, 'variable')} without asking" if len(rows) > asked else ""
    yield f"{', '.join(found.files)} asks {counted(asked, 'question')}{silent}.\n"
    for row in rows:
        question = f'"{row.question}"' if row.question else "(not asked)"
        yield "\n" + printable(f"{row.variable}  {question}  {row.place}") + "\n"
        yield from _answers(row)


def _answers(row: ConfigureRow) -> Iterator[str]:
    default = f"default {row.default}" if row.default else "no default"
    asked = f"; {'asked' if row.question else 'read'} when {row.asked_if}" if row.asked_if else ""
    yield printable(f"    {default}{asked}") + "\n"
    wants_text = row.question and not row.question.endswith(("[Y/n]", "[y/N]")) and not row.writes_if_no
    for word, lines in (
        ("set" if wants_text or not row.question else "yes", row.writes_if_yes),
        ("no", row.writes_if_no),
    ):
        if word != "no" or not wants_text:
            for line in lines or ((NOTHING,) if row.question else ()):
                yield printable(f"    {word:<4} {line}") + "\n"


def settings_text(rows: Sequence[SettingRow]) -> Iterator[str]:
    """A few lines a setting; those that choose something come first."""
    used = sum(1 for row in rows if row.uses)
    yield f"{counted(len(rows), 'setting')}, {used:,} of them used by selects.\n"
    for row in sorted(rows, key=lambda row: not row.uses):
        place = f"  {place_text(row.location)}" if row.location else ""
        yield "\n" + printable(f"{row.label}  {row.kind}{place}") + "\n"
        default = f"  (default {row.default})" if row.default else ""
        if row.reads:
            yield printable(f"    reads   {', '.join(row.reads)}{default}") + "\n"
        yield f"    chooses {uses_text(row)}\n"
        if row.adds:
            yield printable(f"    adds    {labels_text(list(map(str, row.adds)))}") + "\n"


def uses_text(row: SettingRow) -> str:
    """``12 branches in 7 targets, written at 3 places; 2 selects through groups``."""
    uses = row.uses
    if not uses:
        return NOTHING
    through = row.through.count_selects()
    behind = f"; {through:,} of them through other settings" if through else ""
    return (
        f"{branches_text(uses)} in {counted(uses.count_targets(), 'target')}, "
        f"written at {counted(len(uses.places()), 'place')}{behind}"
    )


def branches_text(uses: Uses) -> str:
    """``12 branches``, and of how many selects when those are fewer."""
    selects = uses.count_selects()
    return counted(len(uses), "branch") + (f" of {counted(selects, 'select')}" if selects != len(uses) else "")


def labels_text(labels: Sequence[str], shown: int = _SHOWN_LABELS) -> str:
    """The first labels, and how many more there are."""
    more = len(labels) - shown
    listed = ", ".join(labels[:shown])
    return f"{listed} and {more:,} more" if more > 0 else listed


def runtime_text(rows: Iterable[RuntimeFlag]) -> Iterator[str]:
    """Flags below what carries them."""
    listed = list(rows)
    groups = [(group, list(flags)) for group, flags in groupby(listed, key=lambda row: row.group)]
    yield f"{counted(len(listed), 'flag')} in {counted(len(groups), 'group')}.\n"
    for group, flags in groups:
        yield f"\n{printable(group)}  {counted(len(flags), 'flag')}\n"
        for row in flags:
            default = "" if row.default is None else f", default {row.default or _EMPTY}"
            yield printable(f"    {row.name}  {row.type or 'unknown type'}{default}  {row.file}:{row.line}") + "\n"
            if row.description:
                yield printable(f"        {' '.join(row.description.split())}") + "\n"


_EMPTY = '""'
