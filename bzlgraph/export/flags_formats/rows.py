"""Answers of ``bzlgraph flags`` -> named columns. The first columns keep their order, for scripts that count them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TypeVar

from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.flags import bazelrc_table, trace
from bzlgraph.flags.bazelrc_table import BazelrcView
from bzlgraph.flags.configure import questions
from bzlgraph.flags.configure.questions import ConfigureRow
from bzlgraph.flags.runtime import declared_flag
from bzlgraph.flags.runtime.declared_flag import RuntimeFlag
from bzlgraph.flags.settings import rows as setting_rows
from bzlgraph.flags.settings.rows import SettingRow
from bzlgraph.flags.trace import Step

_INTEGERS = dict.fromkeys(("line", "selects", "branches", "through", "targets", "places", "order"), "integer")
_Item = TypeVar("_Item")


def configure_table(rows: Sequence[ConfigureRow]) -> RowTable:
    """A row per question."""
    return _table("configure", questions.COLUMNS, rows, ConfigureRow.cells)


def settings_table(rows: Sequence[SettingRow]) -> RowTable:
    """A row per setting."""
    return _table("settings", setting_rows.COLUMNS, rows, SettingRow.cells)


def runtime_table(rows: Sequence[RuntimeFlag]) -> RowTable:
    """A row per flag of a program."""
    return _table("runtime", declared_flag.COLUMNS, rows, attrgetter(*declared_flag.COLUMNS))


def bazelrc_rows(view: BazelrcView) -> RowTable:
    """A row per option that the rc files set."""
    return _table("bazelrc", bazelrc_table.COLUMNS, list(bazelrc_table.rows(view)), tuple)


def trace_table(rows: Sequence[Step]) -> RowTable:
    """A row per step of the trace of one name."""
    return _table("story", trace.COLUMNS, rows, tuple)


def _table(title: str, names: Sequence[str], rows: Sequence[_Item], cells: Callable[[_Item], Row]) -> RowTable:
    schema = f"bzlgraph.flags.{title}/1"
    return RowTable(
        f"flags {title}", columns(names, **_INTEGERS), lambda: map(cells, rows), schema, head={"kind": title}
    )
