"""A line on a terminal says how far loading has come; elsewhere there is none."""

from __future__ import annotations

import io

import pytest

from bzlgraph.cli import progress
from bzlgraph.cli.progress import ProgressLine, progress_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A stderr that people look at; pytest puts its own there when a test begins."""
    made = Terminal()
    monkeypatch.setattr("sys.stderr", made)
    return made


def test_the_line_grows_and_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    monkeypatch.setattr(progress, "_PAUSE", 0)
    shown, line = terminal(monkeypatch), ProgressLine()
    for done in (0, 1000, 2000):
        line(done, 2000)
    wiped, first, half, end = shown.getvalue().split("\r\033[K")
    assert (wiped, end) == ("", "")
    assert first == f"Loading packages [{'.' * 30}] 0 of 2,000"
    assert half == f"Loading packages [{'#' * 15}{'.' * 15}] 1,000 of 2,000, 0 s left"


def test_what_takes_no_time_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, line = terminal(monkeypatch), ProgressLine()
    for done in range(11):
        line(done, 10)
    assert shown.getvalue() == ""


def test_there_is_one_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    assert progress_line(quiet=False) is not None
    assert progress_line(quiet=True) is None
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress_line(quiet=False) is None
