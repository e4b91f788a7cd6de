"""``json`` and ``jsonl``: rows for programs. ``schema`` says which kind of rows, and which version of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.span import Location
from bzlgraph.export.row_formats.row_table import RowTable

_ROWS_AT_ONCE = 256


def json_text(table: RowTable) -> Iterator[str]:
    """One object: ``schema``, what the table has to say before, its rows, one per line, what it says after."""
    yield dump({"schema": table.schema, **table.head})[:-1] + f', "{table.rows_key}": ['
    before = "\n"
    for chunk in _chunks(table.dictionaries()):
        yield before + ",\n".join(chunk)
        before = ",\n"
    said = completeness_data(table.completeness) if table.completeness is not None else {}
    tail = dump({**table.tail(), **said})
    yield "\n]" + (f", {tail[1:]}" if tail != "{}" else "}") + "\n"


def jsonl(table: RowTable) -> Iterator[str]:
    """One row per line and nothing else."""
    for chunk in _chunks(table.dictionaries()):
        yield "\n".join(chunk) + "\n"


def _chunks(records: Iterator[dict[str, Any]]) -> Iterator[list[str]]:
    chunk: list[str] = []
    for record in records:
        chunk.append(dump(record))
        if len(chunk) == _ROWS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def dump(value: Any) -> str:
    """JSON on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def completeness_data(completeness: Completeness) -> dict[str, object]:
    """The three keys that an answer ends with."""
    return {
        "problems": [problem_data(each) for each in completeness.problems],
        "gaps": [gap_data(each) for each in completeness.gaps],
        "complete": completeness.complete,
    }


def problem_data(problem: Diagnostic) -> dict[str, object]:
    """What is wrong, and where."""
    return {
        "severity": problem.severity,
        "message": problem.message,
        "location": location_data(problem.location),
        "hint": problem.hint,
    }


def gap_data(gap: Gap) -> dict[str, object]:
    """What is not known, and what that may hide."""
    return {"kind": gap.kind, "what": gap.what, "hides": gap.hides, "location": location_data(gap.location)}


def location_data(location: Location | None) -> dict[str, object] | None:
    """A place in a file."""
    return None if location is None else {"path": location.path, "line": location.line, "column": location.column}
