"""What takes long shows on a terminal what it does: a line on stderr, wiped before anything else is printed.

``Progress.begin()`` sets a timer of the system, whose signal draws: the work itself knows nothing of it, no thread
stands in the way of processes that are started, and quick commands import nothing for it. Where there are no such
timers (Windows), and off terminals, nothing is shown.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bzlgraph.base import phase

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE, PAUSE = 0.25, 0.1
"""Seconds until the line appears, and between two of it: within half a second one sees that it runs."""


class Progress:
    """The line of one command."""

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._before: Any = None
        self._begun = 0.0
        self._drawing = False

    def begin(self, quiet: bool = False) -> None:
        """Show what takes long from now on, where stderr is a terminal that somebody looks at."""
        if quiet or not hasattr(signal, "setitimer") or sys.stderr is None or not sys.stderr.isatty():
            return
        if os.environ.get("TERM") == "dumb":
            return
        self._begun = time.monotonic()
        with suppress(ValueError):  # not the main thread
            self._before = signal.signal(signal.SIGALRM, self._draw)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE, PAUSE)

    def end(self) -> None:
        """Wipe the line; it comes back only with ``begin``."""
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            self._before = None
        self.hide()

    def hide(self) -> None:
        """Wipe the line; the next tick of the timer draws it anew."""
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.stop()

    def _draw(self, *_signal: object) -> None:
        if self._drawing:  # the next signal comes while rich is imported, on a machine that has much to do
            return
        self._drawing = True
        try:
            if self._bar is None:
                self._bar = _line()
                self._bar.start()
            told = phase.now()
            total, seconds = told.total or None, time.monotonic() - self._begun
            self._bar.update(
                self._bar.task_ids[0], description=told.text, total=total, completed=told.done, count=told.count
            )
            self._bar.update(self._bar.task_ids[0], seconds=f"{seconds:.0f} s", refresh=True)
        except Exception:  # a line that cannot be drawn never stops the work
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            self._drawing = False


def _line() -> Bar:
    """A spinner, what is done, a bar, how far, and how long it has taken so far."""
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(30),
        TextColumn("{task.fields[count]}", markup=False),
        TextColumn("{task.fields[seconds]}", markup=False),
    )
    # A file of its own: the signal may come while the work writes to stderr.
    console = Console(file=open(os.dup(2), "w", encoding="utf-8", errors="replace"))  # noqa: SIM115
    bar = Bar(
        *columns, console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )
    bar.add_task("", total=None, count="", seconds="")
    return bar


LINE = Progress()
"""The line of this process's command."""
