"""Answers about what can be switched, as text and as rows: what the command prints, whoever found the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bzlgraph.base.gap import Completeness
from bzlgraph.export.flags_formats.rows import flags_table, overview_table
from bzlgraph.export.flags_formats.text import overview_text
from bzlgraph.export.flags_formats.trace_text import trace_text
from bzlgraph.export.row_formats.row_table import RowTable
from bzlgraph.flags.knowledge import Knowledge
from bzlgraph.flags.trace import Trace


class Forms(NamedTuple):
    """An answer as text and as rows."""

    text: Iterable[str]
    table: RowTable
    completeness: Completeness
    notes: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    """Commands to a terminal in the text."""


def overview_forms(known: Knowledge, completeness: Completeness) -> Forms:
    """How much there is of each kind."""
    return Forms(overview_text(known), overview_table(known), completeness)


def story_forms(story: Trace, known: Knowledge, completeness: Completeness) -> Forms:
    """All that is known of one name."""
    return Forms(trace_text(story, known), flags_table("story", list(story.steps())), completeness)
