"""Answers of ``bzlgraph flags`` -> named columns. The first columns keep their order, for scripts that count them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

from bzlgraph.base.words import counted
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.flags import rows as found
from bzlgraph.flags import trace
from bzlgraph.flags.knowledge import Knowledge
from bzlgraph.flags.settings import table as setting_rows

_INTEGERS = dict.fromkeys(("line", "selects", "branches", "through", "targets", "places", "order"), "integer")
_KINDS: dict[str, tuple[Sequence[str], Callable[..., Row]]] = {
    "configure": (found.CONFIGURE_COLUMNS, found.ConfigureRow.cells),
    "settings": (setting_rows.COLUMNS, setting_rows.SettingRow.cells),
    "runtime": (found.RUNTIME_COLUMNS, attrgetter(*found.RUNTIME_COLUMNS)),
    "trace": (trace.COLUMNS, tuple),
}
"""Kind of an answer -> its columns, and the cells of one of its rows."""


def flags_table(kind: str, rows: Sequence[object]) -> RowTable:
    """A row per question, setting, flag of a program, option of an rc file, or step of the trace of a name."""
    names, cells = _bazelrc() if kind == "bazelrc" else _KINDS[kind]
    schema, head = f"bzlgraph.flags.{kind}/1", {"kind": kind}
    return RowTable(f"flags {kind}", columns(names, **_INTEGERS), lambda: map(cells, rows), schema, head=head)


def _bazelrc() -> tuple[Sequence[str], Callable[..., Row]]:
    from bzlgraph.flags.bazelrc_table import COLUMNS  # what reads rc files is not imported for other answers

    return COLUMNS, tuple


def overview_rows(known: Knowledge) -> Iterator[Row]:
    """A row per kind: how much there is of it, and where."""
    questions = sum(1 for row in known.configure.rows if row.question)
    yield "configure", counted(questions, "question"), ", ".join(known.configure.files)
    yield "bazelrc", counted(len(known.configs), "config"), ", ".join(known.rc_files)
    chosen = sum(1 for row in known.settings.rows if row.uses)
    yield "settings", f"{counted(len(known.settings.rows), 'setting')}, {chosen:,} used by selects", "BUILD files"
    groups = {row.group for row in known.runtime.rows}
    yield "runtime", f"{counted(len(known.runtime.rows), 'flag')} in {counted(len(groups), 'group')}", "C++ files"


def overview_table(known: Knowledge) -> RowTable:
    """The same as a table."""
    return RowTable("flags", columns("kind what where"), lambda: overview_rows(known), "bzlgraph.flags/1")
