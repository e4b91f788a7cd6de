"""What ``doctor`` found as rows: problems, missing repositories and gaps."""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import place_text
from bzlgraph.export.row_formats.row_table import Row, RowTable, columns
from bzlgraph.questions.health import Health

COLUMNS = columns("kind what location hides repository", hides="text")
MISSING_COLUMNS = columns(
    "repository rule location targets edges places checksum urls give",
    targets="integer", edges="integer", places="integer", urls="texts", give="texts",
)  # fmt: skip


def health_table(health: Health, completeness: Completeness) -> RowTable:
    """``kind`` is ``problem``, ``missing`` or the kind of a gap; what hides most stands first of each."""
    return RowTable(
        *("doctor", COLUMNS, lambda: _rows(health, completeness), "bzlgraph.doctor.rows/1"), completeness=completeness
    )


def missing_table(health: Health, completeness: Completeness) -> RowTable:
    """A row per repository that is not on disk, the one that hides most first."""
    return RowTable(
        *("doctor --missing", MISSING_COLUMNS, lambda: _missing(health), "bzlgraph.doctor.missing/1"),
        completeness=completeness,
    )


def _rows(health: Health, completeness: Completeness) -> Iterator[Row]:
    for problem in completeness.problems:
        yield "problem", problem.message, place_text(problem.location) or None, None, None
    for each in health.missing:
        yield "missing", f"@{each.name}", place_text(each.location) or None, f"{each.targets} targets", each.name
    for gap in completeness.gaps:
        yield gap.kind, gap.what, place_text(gap.location) or None, gap.hides, gap.repository or None


def _missing(health: Health) -> Iterator[Row]:
    for each in health.missing:
        counts = (each.targets, each.edges, each.places)
        place = place_text(each.location) or None
        yield each.name, each.rule or None, place, *counts, each.checksum or None, list(each.urls), list(each.give)
