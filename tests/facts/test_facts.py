"""Facts that change between versions."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.facts import for_version, known_versions
from bzlgraph.facts.behaviour import behaviours
from bzlgraph.facts.versioned import version_key


def test_default_is_the_newest_and_tolerant() -> None:
    facts = for_version()
    assert facts.tolerant
    assert facts.version == known_versions()[-1]
    assert not for_version(facts.version).tolerant


def test_values_in_force() -> None:
    assert [for_version(v).labels_unambiguous for v in ("0.19.1", "5.4.0", "6.0.0")] == [False, False, True]
    assert [for_version(v).column_of_parenthesis for v in ("2.1.0", "3.1.0", "4.2.3")] == [False, False, True]
    assert [for_version(v).glob_allow_empty for v in ("7.7.1", "8.0.0")] == [True, False]


def test_what_was_seen_in_one_bazel_of_a_major_version_holds_for_all_of_it() -> None:
    """As its native rules do: in 7.3.2 java_binary is the macro that it is in 7.7.1, which names a launcher."""
    assert [bool(for_version(v).java_launcher) for v in ("4.2.3", "6.5.0", "7.0.0", "7.3.2", "7.7.1")] == [
        False, False, True, True, True,
    ]  # fmt: skip
    assert [for_version(v).reexports for v in ("0.24.1", "0.25.1")] == [True, False]


def test_facts_load_lazily() -> None:
    code = (
        "import bzlgraph.facts.native as n; assert n.table.cache_info().currsize == 0; assert n.rule('4.2.3', 'alias')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


ASKED = (
    "0.17.2", "0.18.0", "0.19.1", "0.20.0", "0.21.0", "0.22.0", "0.23.2", "0.24.1", "0.25.1", "0.26.1", "0.27.0",
    "0.28.1", "0.29.0", "1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0", "4.2.3", "7.7.1",
)  # fmt: skip
"""The Bazels that were asked (``tools/ask_behaviour.py``)."""
CHANGES = [(name, since) for name, fact in behaviours().items() for since in fact["values"] if since != "0"]


def minor(version: str) -> tuple[int, ...]:
    return version_key(version)[:2]


@pytest.mark.parametrize(("name", "since"), CHANGES)
def test_a_change_is_where_it_was_seen_or_a_release_is_named(name: str, since: str) -> None:
    change = behaviours()[name]["changes"][since]
    assert change.keys() <= {"seen", "flag", "off", "notes"}
    named = change.get("flag", "").startswith("--") or change.get("notes")
    if "seen" not in change:
        assert named
        assert version_key(since) > version_key(ASKED[-1]), "it lies between Bazels that can be asked"
        return
    before, after = change["seen"]
    assert (before, after) in pairwise(ASKED)
    assert minor(before) < minor(since) <= minor(after)
    assert named or minor(since) == minor(after), f"who says that it was not in {after}?"


def test_each_change_has_a_value() -> None:
    for fact in behaviours().values():
        assert fact["values"].keys() == {"0", *fact["changes"]}
        values = list(fact["values"].values())
        assert all(before != after for before, after in pairwise(values))


def test_every_fact_is_used() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(bzlgraph.__file__).parent.rglob("*.py")
        if path.name != "facts.py"
    )
    assert [name for name in behaviours() if f".{name}" not in code] == []
