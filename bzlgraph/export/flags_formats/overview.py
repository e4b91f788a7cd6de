"""``bzlgraph flags`` without a name: how much there is of each kind, and where."""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.words import counted
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.flags.knowledge import Knowledge

COLUMNS = ("kind", "what", "where")


def overview_rows(known: Knowledge) -> Iterator[Row]:
    """A row per kind."""
    questions = sum(1 for row in known.configure.rows if row.question)
    yield "configure", counted(questions, "question"), ", ".join(known.configure.files)
    files = ", ".join(each.path for each in known.rc.files if each.read)
    yield "bazelrc", counted(len(known.rc.configs()), "config"), files
    chosen = sum(1 for row in known.settings.rows if row.uses)
    yield "settings", f"{counted(len(known.settings.rows), 'setting')}, {chosen:,} used by selects", "BUILD files"
    groups = {row.group for row in known.runtime.rows}
    yield "runtime", f"{counted(len(known.runtime.rows), 'flag')} in {counted(len(groups), 'group')}", "C++ files"


def overview_table(known: Knowledge) -> RowTable:
    """The same as rows."""
    return RowTable("flags", columns(COLUMNS), lambda: overview_rows(known), "bzlgraph.flags/1")


def overview_text(known: Knowledge) -> Iterator[str]:
    """A line per kind."""
    for kind, what, where in overview_rows(known):
        yield f"{kind:<10}  {what}{f'  ({where})' if where else ''}\n"
    yield "hint: bzlgraph flags KIND lists them, bzlgraph flags NAME tells what one of them changes\n"
