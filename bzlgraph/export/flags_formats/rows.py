"""Answers of ``bzlgraph flags`` -> named columns. The first columns keep their order, for scripts that count them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bzlgraph.export.row_formats.row_table import Column, RowTable
from bzlgraph.flags import bazelrc_table, trace
from bzlgraph.flags.bazelrc_table import BazelrcView
from bzlgraph.flags.configure import questions
from bzlgraph.flags.configure.questions import ConfigureRow
from bzlgraph.flags.runtime import declared_flag
from bzlgraph.flags.runtime.declared_flag import RuntimeFlag
from bzlgraph.flags.settings import rows as setting_rows
from bzlgraph.flags.settings.rows import SettingRow
from bzlgraph.flags.trace import Step

_INTEGERS = frozenset({"line", "selects", "branches", "through", "targets", "places", "order"})


def columns(names: Sequence[str]) -> tuple[Column, ...]:
    """Columns by name; the counts and lines are integers."""
    return tuple(Column(name, "integer" if name in _INTEGERS else "text") for name in names)


def configure_table(rows: Sequence[ConfigureRow]) -> RowTable:
    """A row per question."""
    return _table("configure", questions.COLUMNS, rows, ConfigureRow.cells)


def settings_table(rows: Sequence[SettingRow]) -> RowTable:
    """A row per setting."""
    return _table("settings", setting_rows.COLUMNS, rows, SettingRow.cells)


def runtime_table(rows: Sequence[RuntimeFlag]) -> RowTable:
    """A row per flag of a program."""
    return _table("runtime", declared_flag.COLUMNS, rows, _runtime_cells)


def bazelrc_rows(view: BazelrcView) -> RowTable:
    """A row per option that the rc files set."""
    return _table("bazelrc", bazelrc_table.COLUMNS, list(bazelrc_table.rows(view)), tuple)


def trace_table(rows: Sequence[Step]) -> RowTable:
    """A row per step of the trace of one name."""
    return _table("story", trace.COLUMNS, rows, tuple)


def _runtime_cells(row: RuntimeFlag) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in declared_flag.COLUMNS)


def _table(title: str, names: Sequence[str], rows: Sequence[Any], cells: Callable[[Any], tuple[Any, ...]]) -> RowTable:
    return RowTable(
        title=f"flags {title}",
        columns=columns(names),
        rows=lambda: map(cells, rows),
        schema=f"bzlgraph.flags.{title}/1",
        head={"kind": title},
    )
