"""``flags NAME`` and ``flags settings`` from what an earlier ``flags`` has read, which is a file of its own.

The same functions as the full way runs, on the same data. It is beside the kept graph, and kept as that is, because it
was made from more: from configure scripts and every C++ source, which no other question has to look at.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bzlgraph.base.codec import Codec, Special
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Completeness
from bzlgraph.base.label import Label
from bzlgraph.base.words import Prose, visible_bytes
from bzlgraph.export.flags_formats.forms import overview_forms, settings_forms, trace_forms
from bzlgraph.flags.knowledge import KeptTexts, Knowledge, mentioned
from bzlgraph.flags.mentions import DEFINE, VARIABLE
from bzlgraph.flags.settings.table import Chosen, SettingsAnswer, Uses, UseTable, settings_naming
from bzlgraph.flags.trace import refuse_unwritten, trace_of
from bzlgraph.snapshot.command_line import SETTINGS
from bzlgraph.snapshot.mapped import packed
from bzlgraph.snapshot.nodes.columns import Made

if TYPE_CHECKING:
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.commands.why_and_expand import Told
    from bzlgraph.snapshot.mapped import Column, Mapped


class Refused(Exception):
    """Nothing has the name that was asked about; ``texts`` say so."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self.texts = texts


@dataclass(frozen=True, slots=True)
class Switches:
    """All that can be switched, and what is said of the checkout with every answer about that."""

    known: Knowledge
    rest: Completeness


def _uses(plain: bytes, table: UseTable) -> Uses:
    return Uses(table, _numbers(plain))


def _numbers(plain: bytes) -> array[int]:
    numbers = array("i")
    numbers.frombytes(plain)
    return numbers


_CHOSEN, _TEXTS = Codec(Chosen), Codec(KeptTexts)
_SWITCHES = Codec(
    Switches,
    special={
        Uses: Special(lambda uses, _: uses.numbers.tobytes(), _uses),
        (SettingsAnswer, "table"): Special(lambda _, __: None, lambda _, table: table),
        (Knowledge, "texts"): Special(lambda texts, _: _TEXTS.encode(texts), lambda plain, _: _TEXTS.decode(plain)),
    },
)


def switches_columns(known: Knowledge, rest: Completeness) -> dict[str, Column]:
    """What is known, as columns; ``rest``: what is said of the checkout with every answer."""
    table = known.settings.table
    places = {each.location for each in table.chosen if each.location is not None}
    texts = known.texts.about(places, {each for each in mentioned(known) if each[0] in (VARIABLE, DEFINE)})
    numbers = (table.target_of, table.attribute_of, table.part_of, table.chosen_of)
    return {
        "switches": packed(_SWITCHES.encode(Switches(replace(known, texts=texts), rest))),
        "targets": packed(list(map(tuple, table.targets))),
        "attributes": packed(list(table.attributes)),
        "chosen": packed(list(map(_CHOSEN.encode, table.chosen))),
        "uses": packed([each.tobytes() for each in numbers]),
    }


def _switches(file: Mapped) -> Switches:
    """What is known; of the targets of selects and what their branches add only what somebody looks at. Raises
    DamagedFile."""
    targets, attributes, chosen, uses = map(file.table, ("targets", "attributes", "chosen", "uses"))
    table = UseTable(
        Made(lambda number: Label(*targets[number]), len(targets)),
        attributes,
        Made(lambda number: _CHOSEN.decode(chosen[number]), len(chosen)),
        *map(_numbers, uses),
    )
    return _SWITCHES.decode(file.table("switches"), table)


def switches(file: Mapped, asked: Asked) -> Told:
    """Raises Refused, DamagedFile."""
    found = _switches(file)
    known, rest = found.known, found.rest
    try:
        if asked.words[:1] == (SETTINGS,):
            rows = settings_naming(" ".join(asked.words[1:]), known.settings.rows)
            forms = settings_forms(rows, Completeness().with_more(rest.problems, (*known.settings.gaps, *rest.gaps)))
        elif asked.text:
            refuse_unwritten(asked.text, known)
            trace = trace_of(asked.text, known)
            forms = trace_forms(trace, known, Completeness().with_more(rest.problems, (*trace.gaps, *rest.gaps)))
        else:
            forms = overview_forms(known, Completeness().with_more(rest.problems, (*known.gaps, *rest.gaps)))
    except LoadProblem as problem:
        raise Refused([each.render() for each in problem.diagnostics]) from None
    if asked.output == "text":
        shown: bytes = Prose(b"".join(visible_bytes(forms.text)))
    else:
        from bzlgraph.export.row_formats.formats import write_rows

        shown = b"".join(write_rows(asked.output, replace(forms.table, completeness=forms.completeness)))
    problems = [each.render() for each in forms.completeness.problems]
    return shown, forms.notes, problems, forms.completeness.gaps, ()
