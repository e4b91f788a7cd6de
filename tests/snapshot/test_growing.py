"""What a kept graph lacks is loaded and added to it; nothing of what it knows is loaded again."""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

import pytest

from bzlgraph.cache import answers
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.view import PackageKey
from bzlgraph.snapshot import command_line
from bzlgraph.snapshot.answer import open_kept
from bzlgraph.snapshot.making import keep, numbers, users
from bzlgraph.snapshot.making.numbers import moved
from tests.snapshot.asking import full, graph_of, kept, plain
from tests.snapshot.edits import EDITS, FILES, QUESTIONS, asked
from tests.written_files import write_files

EVERYTHING = ("deps(//...)", "buildfiles(//...)")
SMALL = ("//d", "//a:all", "deps(//b)", "//e/f:all", "rdeps(//..., //d)", "deps(//g)", "deps(//i)", "deps(//:top)")


@pytest.fixture
def checkout(tmp_path: Path, private_cache: None) -> Path:
    write_files(
        tmp_path / "tree", {**FILES, "e/f/BUILD": "filegroup(name = 'f', srcs = ['//d', '//:top', '//a:none'])\n"}
    )
    return tmp_path / "tree"


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[PackageKey]:
    """The packages that are loaded, by any graph."""
    found: list[PackageKey] = []
    load = BuildGraph.load

    def noted(self: BuildGraph, keys: Iterable[PackageKey]) -> None:
        wanted = list(keys)
        found.extend(wanted)
        load(self, wanted)

    monkeypatch.setattr(BuildGraph, "load", noted)
    return found


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("first", ["//d", "//..."])
def test_the_answer_is_that_of_the_full_way(question: str, first: str, checkout: Path) -> None:
    full(asked(checkout, first))
    right = full(asked(checkout, question, "--no_cache"))
    assert full(asked(checkout, question)) == right
    assert kept(asked(checkout, question)) in (None, right)


@pytest.mark.parametrize("seed", range(4))
def test_a_graph_that_has_grown_is_that_of_all_at_once(
    seed: int, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = random.Random(seed).sample(SMALL, len(SMALL))
    if seed % 2:  # as with a million targets
        monkeypatch.setattr(numbers, "NUMBERS_WORTH_NUMPY", 0)
        monkeypatch.setattr(users, "EDGES_WORTH_NUMPY", 0)
    for question in (*steps, *EVERYTHING):
        full(asked(checkout, question))
    grown = plain(graph_of(checkout))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    for question in EVERYTHING:
        full(asked(checkout, question))
    at_once = plain(graph_of(checkout))
    assert sorted(grown) == sorted(at_once)
    assert grown == at_once


def test_what_the_graph_knows_is_not_loaded_again(checkout: Path, loaded: list[PackageKey]) -> None:
    full(asked(checkout, "//... - //e/..."))
    assert ("", "a") in loaded
    loaded.clear()
    right = full(asked(checkout, "deps(//:top)", "--no_cache"))
    loaded.clear()
    assert kept(asked(checkout, "deps(//:top)")) is None  # //a needs another repository, which nobody has asked for
    assert full(asked(checkout, "deps(//:top)")) == right
    assert set(loaded) == {("lib", "")}
    assert kept(asked(checkout, "deps(//:top)")) == right


def test_a_package_that_is_not_there_is_told_of(checkout: Path) -> None:
    full(asked(checkout, "//d"))
    for question in ("//nowhere", "//nowhere:x + //d", "deps(//a:none)", "//d:all + //c:none"):
        right = full(asked(checkout, question, "--no_cache"))
        assert right.code
        assert full(asked(checkout, question)) == right


def test_a_question_that_always_lacks_more_goes_the_full_way(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full(asked(checkout, "//d"))
    right = full(asked(checkout, "deps(//:top)", "--no_cache"))
    monkeypatch.setattr(keep, "TURNS", 0)
    assert full(asked(checkout, "deps(//:top)")) == right
    assert kept(asked(checkout, "deps(//:top)")) == right


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edges_lead_both_ways_after_an_edit(edit: Callable[[Path], object], checkout: Path) -> None:
    for question in QUESTIONS:
        full(asked(checkout, question))
    time.sleep(0.02)
    edit(checkout)
    for question in ("//b", *EVERYTHING):
        full(asked(checkout, question))
        line = command_line.read(asked(checkout, question))
        graph = open_kept(answers.folder_named(asked(checkout, question)), line) if line is not None else None
        if graph is None:
            continue  # nothing is kept of a checkout with links out of it
        first, ends, flags = map(graph.whole, ("first_edge", "edge_target", "edge_flags"))
        first_user, users, user_flags = map(graph.whole, ("first_user", "users", "user_flags"))
        sources = [node for node in range(len(first) - 1) for _ in range(first[node], first[node + 1])]
        turned = sorted(zip(ends, sources, range(len(ends)), strict=True))
        assert [source for _, source, _ in turned] == list(users)
        assert [flags[edge] for *_, edge in turned] == list(user_flags)
        assert list(first_user) == [sum(end < node for end in ends) for node in range(len(first))]


def test_pieces_are_moved_without_looking_through_the_whole_table() -> None:
    """An edit moves the users of each target that the package names by a table as long as the graph."""

    class Table(array):  # type: ignore[type-arg]
        asked = 0

        def __getitem__(self, number: int) -> int:  # type: ignore[override]
            self.asked += 1
            return number + (number > 500)

        def __iter__(self) -> NoReturn:
            raise AssertionError("the table is walked")

    table = Table("i", bytes(4 * 1000))
    found = [list(moved(array("i", [number, 999]), table)) for number in range(0, 1000, 100)]
    assert found[0] == [0, 1000]
    assert found[-1] == [901, 1000]
    assert table.asked == 20
