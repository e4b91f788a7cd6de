"""`bzlgraph select --output=csv` on the fixture workspaces has every branch that real Bazel recorded, and no other."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.differential.explained import assert_explained
from tests.differential.facts.records import Attribute, Select, TargetFacts
from tests.differential.facts.rules_text import read_rules
from tests.differential.fixtures import VERSIONS, workspaces
from tests.differential.real.stubs import read_stubs, write_stubs
from tests.differential.selects import compare_rows

CASES = [
    pytest.param(workspace, version, id=f"{workspace.name}-{version}")
    for workspace in workspaces()
    for version in VERSIONS
    if "select(" in (workspace / "expected" / f"rules-{version}.txt").read_text(encoding="utf-8")
]


def test_there_are_fixtures_with_selects() -> None:
    assert len(CASES) >= 4


@pytest.fixture(scope="module")
def overrides(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stubs")
    return write_stubs(read_stubs("bazel_rules", folder), folder / "repositories")


@pytest.mark.parametrize(("workspace", "version"), CASES)
def test_every_branch_is_a_row(workspace: Path, version: str, overrides: dict[str, Path]) -> None:
    recorded = read_rules((workspace / "expected" / f"rules-{version}.txt").read_text(encoding="utf-8"))
    rows = _rows(workspace, version, overrides)
    assert_explained(compare_rows(recorded, rows), f"workspaces/{workspace.name}", version)


def _rows(workspace: Path, version: str, overrides: dict[str, Path]) -> list[tuple[str, ...]]:
    from bzlgraph.cli.main import main

    given = [f"--override_repository={name}={path}" for name, path in overrides.items()]
    arguments = ["--no_cache", "--jobs=1", f"--bazel_version={version}", "-C", str(workspace), *given]
    with CliRunner().isolation() as (out, _err, _mixed):
        with pytest.raises(SystemExit):
            main([*arguments, "select", "--output=csv", "-k", "//...:*"])
        text = out.getvalue().decode("utf-8")
    header, *rows = csv.reader(io.StringIO(text))
    assert header[:10] == (
        ["target", "kind", "attribute", "part", "condition", "value", "edge", "holds", "location", "macro"]
    )
    return [tuple(row) for row in rows]


def test_what_is_missing_or_too_much_is_a_difference() -> None:
    value = Select(((("//:fast", ["a", "b"]), ("//conditions:default", [])),))
    answer = {"//:x": TargetFacts("//:x", "cc_library rule", "", {"copts": Attribute("string_list", value, True)})}
    head = ("//:x", "cc_library rule", "copts", "1")
    rows = [(*head, "//:fast", "a"), (*head, "//:fast", "b"), (*head, "//conditions:default", "[]")]
    assert list(compare_rows(answer, rows)) == []
    for number in range(len(rows)):
        assert len(list(compare_rows(answer, rows[:number] + rows[number + 1 :]))) == 1
    assert len(list(compare_rows(answer, [*rows, (*head, "//:slow", "c")]))) == 1
    assert len(list(compare_rows(answer, [*rows, ("//:x", "cc_library rule", "deps", "1", "//:fast", "//:y")]))) == 1


def test_what_is_copied_from_another_attribute_is_not_compared() -> None:
    """A cc_test of Bazel 7 has its deps a second time, as an attribute that counts as written."""
    select = Select(((("//:a", ["//:x"]), ("//:b", [])),))
    copied = {"$deps_analyzed_by_graph_structure_aspect": Attribute("label_list", select, explicit=True)}
    assert not list(compare_rows({"//:t": TargetFacts("//:t", "cc_test rule", "BUILD:1:1", copied)}, []))
