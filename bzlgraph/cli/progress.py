"""How far loading has come, on a terminal: a line on stderr that is wiped when the work is done."""

from __future__ import annotations

import sys
import time

_PATIENCE, _PAUSE = 1.5, 0.1
"""Seconds until the line appears, and between two of it."""
_WIDTH = 30
_WIPE = "\r\033[K"


class ProgressLine:
    """``Loading packages [######......] 4,512 of 10,000, 31 s left``. Nothing is shown of what takes no time."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._next = self._begun + _PATIENCE
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """So many of so many packages are loaded; wiped when that is all."""
        if done >= total:
            if self._shown:
                self._write("")
                self._shown = False
        elif (now := time.monotonic()) >= self._next:
            filled = _WIDTH * done // total
            left = (now - self._begun) * (total - done) / max(done, 1)
            after = f", {left:.0f} s left" if done else ""
            self._write(f"Loading packages [{'#' * filled:.<{_WIDTH}}] {done:,} of {total:,}{after}")
            self._next, self._shown = now + _PAUSE, True

    def _write(self, text: str) -> None:
        sys.stderr.write(_WIPE + text)
        sys.stderr.flush()


def progress_line(quiet: bool) -> ProgressLine | None:
    """The line, where stderr is a terminal that somebody looks at."""
    return ProgressLine() if not quiet and sys.stderr is not None and sys.stderr.isatty() else None
