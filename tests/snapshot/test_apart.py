"""A graph is kept by a process of its own while the answer is written; what that one does not do is done afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bzlgraph.cli import transcript
from bzlgraph.loading.executors import local
from tests.snapshot.asking import full, graph_of, kept, plain
from tests.snapshot.edits import FILES, asked
from tests.written_files import write_files

EVERYTHING = "deps(//...)"


@pytest.fixture
def checkout(tmp_path: Path, private_cache: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(transcript, "WORTH_A_PROCESS", 0)
    write_files(tmp_path / "tree", FILES)
    return tmp_path / "tree"


def as_xml(checkout: Path, *options: str) -> list[str]:
    """A question whose answer takes long to be written."""
    return [*asked(checkout, EVERYTHING, *options), "--output=xml"]


def test_another_process_keeps_the_same(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = list[Path]()
    keep = transcript.keep_graph

    def counted(folder: Path, *rest: object) -> None:
        here.append(folder)
        keep(folder, *rest)  # type: ignore[arg-type]  # as they were given

    monkeypatch.setattr(transcript, "keep_graph", counted)
    alone = full(as_xml(checkout, "--jobs=1"))
    assert len(here) == 1
    graph = plain(graph_of(checkout))
    for each in (checkout.parent / "cache").rglob("*"):
        if each.is_file():
            each.unlink()
    assert full(as_xml(checkout, "--jobs=2")) == alone
    assert len(here) == 1, "not in this process"
    assert plain(graph_of(checkout)) == graph
    assert kept(as_xml(checkout)) == alone


@pytest.mark.parametrize("done", [True, False])
def test_what_another_process_does_not_keep_is_kept_here(
    done: bool, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_work: Callable[[], object], _jobs: int) -> Callable[[], bool]:
        return lambda: done

    monkeypatch.setattr(local, "start_apart", start)
    said = full(as_xml(checkout, "--jobs=2"))
    assert kept(as_xml(checkout)) == (None if done else said)


def test_what_is_loaded_while_the_answer_is_written_is_kept(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_work: Callable[[], object], _jobs: int) -> Callable[[], bool]:
        current = transcript.current()
        assert current is not None
        current.packages -= 1
        return lambda: True

    monkeypatch.setattr(local, "start_apart", start)
    said = full(as_xml(checkout, "--jobs=2"))
    assert kept(as_xml(checkout)) == said


def test_labels_are_written_before_the_graph_is_kept_here(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "start_apart", lambda *_: pytest.fail("in another process"))
    said = full(asked(checkout, EVERYTHING, "--jobs=2"))
    assert kept(asked(checkout, EVERYTHING)) == said
