"""Rows of selects: the promised columns, the same content in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bzlgraph.base.words import printable
from bzlgraph.export.row_formats.formats import FORMATS, write_rows
from bzlgraph.export.select_formats.rows import COLUMNS, select_table
from tests.selects.small_workspace import kinds, selects_of

PROMISED = ("target", "kind", "attribute", "part", "condition", "value", "edge", "holds", "location", "macro")
ROWS = 15


@pytest.fixture
def written(tmp_path: Path) -> dict[str, bytes]:
    table = select_table(selects_of(kinds(tmp_path)))
    return {name: b"".join(write_rows(name, table)) for name in FORMATS}


def read_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))


def test_the_first_columns_are_a_promise() -> None:
    assert tuple(column.name for column in COLUMNS)[:10] == PROMISED


def test_csv_has_a_row_per_value(written: dict[str, bytes]) -> None:
    rows = read_csv(written["csv"])
    assert len(rows) == ROWS
    first = next(row for row in rows if row["target"] == "//:made")
    assert [first[name] for name in PROMISED] == [
        "//:made", "cc_library rule", "deps", "1", "//:fast", "//:plain", "true", "", "defs.bzl:8",
        "lib (BUILD:7) > _inner (defs.bzl:6)",
    ]  # fmt: skip
    text = [row for row in rows if row["target"] == "//:text"]
    assert [(row["part"], row["value"]) for row in text] == [("2", '""'), ("2", "slow\\n|")]


def test_calls_that_cannot_be_evaluated_are_marked(written: dict[str, bytes]) -> None:
    marked = [row["condition"] for row in read_csv(written["csv"]) if row["condition_kind"] == "unknown"]
    assert marked == ["//:fast and if_cuda(...)", "if_cuda(...)"]


def test_json_and_jsonl_parse_back_to_the_rows_of_csv(written: dict[str, bytes]) -> None:
    rows = read_csv(written["csv"])
    document: dict[str, Any] = json.loads(written["json"])
    assert document["schema"] == "bzlgraph.select/1"
    assert list(document) == ["schema", "query", "rows", "summary", "problems", "gaps", "complete"]
    assert document["summary"]["values"] == len(rows) == ROWS
    assert document["rows"] == [json.loads(line) for line in written["jsonl"].splitlines()]
    for theirs, ours in zip(document["rows"], rows, strict=True):
        assert list(theirs) == list(ours)
        assert theirs["location"]["path"] + ":" + str(theirs["location"]["line"]) == ours["location"]
        assert (theirs["target"], theirs["condition"], str(theirs["part"])) == (
            ours["target"], ours["condition"], ours["part"],
        )  # fmt: skip
    assert [row["value"] for row in document["rows"] if row["attribute"] == "linkstatic"] == [True, False]
    assert [row["value"] for row in document["rows"] if row["attribute"] == "srcs"][2:] == [None, []]


def test_markdown_and_table_keep_one_line_per_row(written: dict[str, bytes]) -> None:
    markdown = written["markdown"].decode().splitlines()
    assert len(markdown) == ROWS + 2
    assert "slow\\\\n\\|" in written["markdown"].decode()
    assert len({line.replace("\\|", "").count("|") for line in markdown}) == 1
    table = written["table"].decode().splitlines()
    assert len(table) == ROWS + 1
    assert table[0].split() == [column.name for column in COLUMNS]


def test_parquet_reads_back(written: dict[str, bytes]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    read = parquet.read_table(io.BytesIO(written["parquet"])).to_pylist()
    rows = read_csv(written["csv"])
    assert [printable(row["value"]) for row in read] == [row["value"] for row in rows]
    assert [row["edge"] for row in read] == [row["edge"] == "true" for row in rows]
    assert {row["holds"] for row in read} == {None}


def test_html_stands_alone(written: dict[str, bytes]) -> None:
    page = written["html"].decode()
    rows = json.loads(page.split('id="rows">')[1].split("</script>")[0])
    texts = json.loads(page.split('id="texts">')[1].split("</script>")[0])
    assert [texts[row[5]] for row in rows] == [row["value"] for row in read_csv(written["csv"])]
    assert "http:" not in page
    assert "https:" not in page
