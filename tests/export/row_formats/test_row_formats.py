"""Rows in every format: what is odd in cells, and answers longer than one piece."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from bzlgraph.cli.printing import ROW_FORMATS
from bzlgraph.export.row_formats.columnar import frame
from bzlgraph.export.row_formats.formats import FORMATS, write_rows
from bzlgraph.export.row_formats.row_table import Column, Row, RowTable

ODD = "</script><b>|\\\x1b[31m\n\udc80é"
COLUMNS = (Column("name"), Column("count", "integer"), Column("yes", "boolean"))


def table(rows: list[Row], **more: Any) -> RowTable:
    return RowTable("a <title>", COLUMNS, lambda: iter(rows), "bzlgraph.test/1", **more)


def write(name: str, rows: list[Row]) -> bytes:
    return b"".join(write_rows(name, table(rows)))


def test_the_command_line_knows_all_formats() -> None:
    assert tuple(FORMATS) == ROW_FORMATS


def test_odd_cells() -> None:
    rows: list[Row] = [(ODD, 1, True), (None, None, None)]
    read = list(csv.reader(io.StringIO(write("csv", rows).decode("utf-8", "surrogateescape"), newline="")))
    escaped = r"</script><b>|\\x1b[31m\n\udc80é"
    assert read == [["name", "count", "yes"], [escaped, "1", "true"], ["", "", ""]]
    for name in ("csv", "table", "markdown"):
        text = write(name, rows).decode("utf-8", "surrogateescape")
        assert "\x1b" not in text
        assert "\udc80" not in text
        assert text.isprintable() or set(filter(lambda each: not each.isprintable(), text)) <= {"\r", "\n"}
    assert b"<b>" not in write("html", rows).split(b'id="rows"')[1].split(b"<script>")[0]
    assert b"a &lt;title&gt;" in write("html", rows)


def test_json_escapes_what_is_no_text() -> None:
    document = json.loads(write("json", [("x", 1, False)]))
    assert document == {"schema": "bzlgraph.test/1", "rows": [{"name": "x", "count": 1, "yes": False}]}


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 5000])
def test_every_row_is_there_whatever_the_size_of_pieces(count: int) -> None:
    rows: list[Row] = [(f"row {number}", number, number % 2 == 0) for number in range(count)]
    assert len(json.loads(write("json", rows))["rows"]) == count
    assert [json.loads(line)["count"] for line in write("jsonl", rows).splitlines()] == list(range(count))
    assert len(write("csv", rows).splitlines()) == count + 1
    assert len(write("table", rows).splitlines()) == count + 1
    assert len(json.loads(write("html", rows).split(b'id="rows">')[1].split(b"</script>")[0])) == count


def test_parquet_in_several_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("bzlgraph.export.row_formats.columnar._ROWS_AT_ONCE", 7)
    rows: list[Row] = [(f"é{number}\udc80", number or None, None) for number in range(40)]
    read = parquet.read_table(io.BytesIO(write("parquet", rows)))
    assert read.column_names == ["name", "count", "yes"]
    assert read.to_pylist() == [{"name": f"é{number}?", "count": number or None, "yes": None} for number in range(40)]


def test_a_frame_has_numbers_and_truth_values() -> None:
    found = frame(table([("x", 1, True), ("y", 2, False)]))
    assert list(found.columns) == ["name", "count", "yes"]
    assert found[found.yes]["count"].tolist() == [1]
    with_nothing = frame(table([("x", None, None)]))
    assert with_nothing["count"].tolist() == [None]


def test_rows_are_asked_for_anew_for_each_pass() -> None:
    passes: list[int] = []

    def rows() -> Iterator[Row]:
        passes.append(1)
        yield ("x", 1, True)

    once = RowTable("t", COLUMNS, rows)
    assert b"".join(write_rows("table", once)).decode().splitlines() == ["name  count  yes", "x     1      true"]
    assert b"".join(write_rows("csv", once)).decode().splitlines()[1] == "x,1,true"
    assert len(passes) == 3
