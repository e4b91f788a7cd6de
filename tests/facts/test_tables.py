"""The shipped tables: one form, the one that the tools write, and what the reader of versioned entries does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bzlgraph.facts import versioned
from bzlgraph.facts.versioned import in_force, in_force_or, near_to_far
from tools.table_text import table_text

TABLES = sorted(Path(versioned.__file__).parent.glob("*.json"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_has_one_entry_a_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert table_text(json.loads(text)) == text


def test_long_values_are_spread_and_rows_of_numbers_are_not() -> None:
    assert table_text({"a": list(range(200))}).count("\n") == 3
    assert table_text({"a": ["label"] * 60, "b": []}).splitlines()[:3] == ["{", ' "a": [', '  "label",']


def test_the_newest_entry_that_is_not_newer_is_in_force() -> None:
    entries = {"0.17.2": "a", "0.24": "b", "4.2.3": "c"}
    versions = ("0.5", "0.23.2", "0.24.0", "4.2", "99")
    assert [in_force(entries, version) for version in versions] == ["a", "a", "b", "b", "c"]
    assert [in_force_or("", entries, version) for version in versions] == ["", "a", "b", "b", "c"]
    assert in_force_or(0, {}, "1.0") == 0


def test_newer_versions_come_before_older_ones() -> None:
    assert near_to_far(["1.0", "2.0", "3.0", "4.0"], "3.0") == ["3.0", "4.0", "2.0", "1.0"]
