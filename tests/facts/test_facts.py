"""Facts that change between versions."""

from __future__ import annotations

import subprocess
import sys

from bzlgraph.facts import for_version, known_versions


def test_default_is_the_newest_and_tolerant() -> None:
    facts = for_version()
    assert facts.tolerant
    assert facts.version == known_versions()[-1]
    assert not for_version(facts.version).tolerant


def test_values_in_force() -> None:
    assert [for_version(v).label_main_prefix for v in ("0.19.1", "5.4.0", "6.0.0", "7.7.1")] == ["", "", "@", "@@"]
    assert [for_version(v).column_of_parenthesis for v in ("2.1.0", "4.2.3")] == [False, True]
    assert [for_version(v).glob_allow_empty for v in ("7.7.1", "8.0.0")] == [True, False]


def test_facts_load_lazily() -> None:
    code = (
        "import bzlgraph.facts.native as n; assert n.table.cache_info().currsize == 0; assert n.rule('4.2.3', 'alias')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
