"""``overview`` of the kept graph says what the full way says, to the byte, and evaluates no BUILD file."""

from __future__ import annotations

import time
from itertools import cycle
from pathlib import Path

import pytest

from bzlgraph.cache import answers, counters
from bzlgraph.cli.commands.overview import FORMATS
from bzlgraph.questions import overview
from bzlgraph.snapshot import command_line
from tests.differential.fixtures import Fixture
from tests.snapshot.asking import FIXTURES, VERSIONS, about, example, full
from tests.snapshot.edits import FILES
from tests.written_files import write_files

pytestmark = pytest.mark.usefixtures("private_cache")


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked the full way for an overview."""
    found, ask = list[str](), overview.ask_query
    monkeypatch.setattr(
        overview, "ask_query", lambda session, text, *more: found.append(text) or ask(session, text, *more)
    )  # type: ignore[func-returns-value]
    return found


@pytest.mark.parametrize(
    ("form", "version"),
    list(zip((name for name in FORMATS if name not in ("parquet", "sqlite")), cycle(VERSIONS), strict=False)),
)
def test_the_example(form: str, version: str, loaded: list[str]) -> None:
    question = [*example(version), "overview", f"--output={form}"]
    right = full([*question, "--no_cache"])
    full([*example(version), "query", "-k", "deps(//...)"])
    loaded.clear()
    counters.start()
    assert full(question) == right
    assert loaded == []
    assert counters.lines("way")[1] == "profile: packages evaluated: 0"


@pytest.mark.parametrize(("fixture", "version"), FIXTURES)
def test_fixtures(fixture: Fixture, version: str, tmp_path: Path) -> None:
    question = [*about(fixture, version, tmp_path), "overview"]
    right = full([*question, "--no_cache"])
    assert full(question) == right
    assert full(question) == right


def test_it_leaves_a_graph_and_is_given_again_until_something_changes(tmp_path: Path, loaded: list[str]) -> None:
    write_files(tmp_path / "tree", {**FILES, "g/BUILD": ""})
    start = ["-C", str(tmp_path / "tree"), "--jobs=1"]
    first = full(start)
    assert loaded == ["//..."]
    assert full([*start, "overview"]) == first
    assert loaded == ["//..."]
    found = answers.find([*start, "overview"])
    assert found is not None
    assert found[0].decode() == first.out
    time.sleep(0.02)
    (tmp_path / "tree" / "b" / "BUILD").write_text("filegroup(name = 'x')\nfilegroup(name = 'b')\n", encoding="utf-8")
    assert answers.find([*start, "overview"]) is None
    assert full([*start, "overview"]) == full([*start, "overview", "--no_cache"]) != first


def test_what_is_wrong_is_told_by_the_kept_graph_too(tmp_path: Path, loaded: list[str]) -> None:
    broken = "filegroup(name = 'x', srcs = ['//b:nowhere'])\nfilegroup(nme = 'y')\nfail('here')\n"
    write_files(tmp_path / "tree", {**FILES, "broken/BUILD": broken})
    start = ["-C", str(tmp_path / "tree"), "--jobs=1"]
    right = full([*start, "overview", "--no_cache"])
    assert "broken/BUILD:2:10: error:" in right.told
    full([*start, "query", "-k", "//..."])
    loaded.clear()
    assert full([*start, "overview"]) == right
    assert loaded == []


def test_forms_are_those_of_the_command() -> None:
    assert set(command_line.OUTPUTS["overview"]) == set(FORMATS)
    asked = command_line.read(["-C", "x"])
    assert asked is not None
    assert asked.command == "overview"
    assert command_line.read(["overview", "x"]) is None
