"""The attributes of rules made by rule(): the table is whole, and versions differ where Bazel does."""

from __future__ import annotations

import pytest

from bzlgraph.facts import predeclared
from bzlgraph.facts.versioned import table as facts_table


@pytest.mark.parametrize("version", ["0.17.2", "0.24.1", "2.1.0", "4.2.3", "7.7.1", "9.0.0"])
@pytest.mark.parametrize("kind", ["base", "executable", "test"])
def test_every_name_is_described(version: str, kind: str) -> None:
    found = predeclared.implicit_attributes(version, kind)
    assert found[0].name == "name"
    assert len({each.name for each in found}) == len(found)
    wide = predeclared.implicit_attributes(version, kind, True)
    assert {each.name for each in found} <= {each.name for each in wide}


def test_versions_differ() -> None:
    def names(version: str) -> set[str]:
        return {each.name for each in predeclared.implicit_attributes(version, "base")}

    assert "exec_properties" not in names("0.24.1")
    assert [v for v in ("0.24.1", "0.25.1", "0.26.1") if "$config_dependencies" in names(v)] == ["0.25.1", "0.26.1"]
    assert "exec_compatible_with" in names("0.26.1")
    assert "$resolved_toolchains_internal" not in names("0.26.1")
    assert "exec_properties" in names("2.1.0")
    assert "aspect_hints" not in names("4.2.3")
    assert "package_metadata" in names("8.1.0")


def test_nothing_is_described_in_vain() -> None:
    table = facts_table("starlark_rules")
    used = {name for sets in table["versions"].values() for names in sets.values() for name in names}
    assert used | set(table["accepted"]) == set(table["attributes"])
