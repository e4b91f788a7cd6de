"""Rows that are kept: given again while nothing has changed, made anew as soon as something has."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Completeness, Gap
from bzlgraph.base.span import Frame, Location
from bzlgraph.cache import looks
from bzlgraph.ops.kept_table import Made, kept_table
from bzlgraph.ops.tracer import OpTable

GAP = Gap("file", "a.cc", "cannot be read")


class Maker:
    """A table of the lines of a file; counts how often it was made."""

    def __init__(self, source: Path, completeness: Completeness) -> None:
        self.source, self.completeness, self.times = source, completeness, 0

    def __call__(self) -> Made:
        self.times += 1
        looks.look(str(self.source))
        rows = [(line, number, None) for number, line in enumerate(self.source.read_text().split())]
        return OpTable((("op", "text"), ("line", "integer"), ("x", "text")), rows), self.completeness


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "ops.txt"
    path.write_text("Abs Neg")
    time.sleep(0.1)  # what has just changed may change again unseen
    yield path
    looks.stop()


def asked(make: Maker, tmp_path: Path, *words: str) -> tuple[list[object], Completeness]:
    """The answer of a process of its own."""
    looks.record()
    table, completeness = kept_table(tmp_path / "cache", words, make)
    return list(table.rows), completeness


def test_rows_are_made_once(source: Path, tmp_path: Path) -> None:
    make = Maker(source, Completeness(gaps=(GAP,)))
    (tmp_path / "cache").mkdir(mode=0o700)
    first = asked(make, tmp_path, "ops")
    assert first == ([("Abs", 0, None), ("Neg", 1, None)], Completeness(gaps=(GAP,)))
    assert asked(make, tmp_path, "ops") == first
    assert make.times == 1
    seen = looks.recorded()
    assert seen is not None
    assert str(source) in seen.states, "the answer is kept with all that its rows were made from"


def test_another_question_or_an_edit_makes_them_anew(source: Path, tmp_path: Path) -> None:
    make = Maker(source, Completeness())
    (tmp_path / "cache").mkdir(mode=0o700)
    asked(make, tmp_path, "ops")
    asked(make, tmp_path, "bindings")
    assert make.times == 2
    source.write_text("Abs Sub")
    time.sleep(0.1)
    assert asked(make, tmp_path, "ops")[0] == [("Abs", 0, None), ("Sub", 1, None)]
    assert make.times == 3


def test_rows_with_a_problem_are_kept_with_it(source: Path, tmp_path: Path) -> None:
    frame = Frame("f", Location("x.bzl", 2, 1))
    broken = Diagnostic("broken", Location("BUILD", 1, 2), hint="repair it", stack=(frame,))
    make = Maker(source, Completeness((broken,)))
    (tmp_path / "cache").mkdir(mode=0o700)
    first = asked(make, tmp_path, "ops")
    assert (asked(make, tmp_path, "ops"), first[1].problems, make.times) == (first, (broken,), 1)


def test_rows_of_no_recording_are_not_kept(source: Path, tmp_path: Path) -> None:
    make = Maker(source, Completeness())
    (tmp_path / "cache").mkdir(mode=0o700)
    kept_table(tmp_path / "cache", ("ops",), make)
    kept_table(tmp_path / "cache", ("ops",), make)
    assert make.times == 2
