"""``json`` and ``jsonl``: rows for programs. ``schema`` says which kind of rows, and which version of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice

from bzlgraph.base.gap import Completeness
from bzlgraph.export.plain_data import record
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


def _chunks(records: Iterator[Mapping[str, object]]) -> Iterator[list[str]]:
    lines = map(dump, records)
    while chunk := list(islice(lines, _ROWS_AT_ONCE)):
        yield chunk


def dump(value: object) -> str:
    """JSON on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def completeness_data(completeness: Completeness) -> dict[str, object]:
    """The three keys that an answer ends with."""
    return record(completeness, ("problems", "gaps", "complete"))
