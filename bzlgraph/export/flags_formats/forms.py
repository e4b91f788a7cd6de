"""Answers about what can be switched, as text and as rows: what the command prints, whoever found the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bzlgraph.base.gap import Completeness
from bzlgraph.export.flags_formats.rows import flags_table, overview_table
from bzlgraph.export.flags_formats.text import configure_text, overview_text, runtime_text, settings_text
from bzlgraph.export.flags_formats.trace_text import trace_text
from bzlgraph.export.row_formats.row_table import RowTable
from bzlgraph.flags.knowledge import Knowledge
from bzlgraph.flags.rows import Configure, ConfigureRow, RuntimeFlag
from bzlgraph.flags.settings.table import SettingRow
from bzlgraph.flags.trace import Trace


class Forms(NamedTuple):
    """An answer as text and as rows."""

    text: Iterable[str]
    table: RowTable
    completeness: Completeness
    notes: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    """Commands to a terminal in the text."""


def configure_forms(found: Configure, rows: Sequence[ConfigureRow], completeness: Completeness) -> Forms:
    """Questions of configure scripts."""
    return Forms(configure_text(found, rows), flags_table("configure", rows), completeness)


def settings_forms(rows: Sequence[SettingRow], completeness: Completeness) -> Forms:
    """Settings."""
    return Forms(settings_text(rows), flags_table("settings", rows), completeness)


def runtime_forms(rows: Sequence[RuntimeFlag], completeness: Completeness) -> Forms:
    """Flags that programs read."""
    return Forms(runtime_text(rows), flags_table("runtime", rows), completeness)


def overview_forms(known: Knowledge, completeness: Completeness) -> Forms:
    """How much there is of each kind."""
    return Forms(overview_text(known), overview_table(known), completeness)


def trace_forms(trace: Trace, known: Knowledge, completeness: Completeness) -> Forms:
    """All that is known of one name."""
    return Forms(trace_text(trace, known), flags_table("trace", list(trace.steps())), completeness)
