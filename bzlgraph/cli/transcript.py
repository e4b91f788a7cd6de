"""What a command printed, and whether it may be printed again when the same question is asked.

``begin()`` before a command, ``finish()`` after it; in between ``outcome`` notes what it prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.base.gap import Completeness
from bzlgraph.cache import answers, looks

REPEATED = frozenset({"query", "why", "graph", "select", "diff-config", "flags", "op", "expand", "mod"})
"""The commands whose answers are kept. ``doctor`` tells of the cache itself, the others take no time."""


@dataclass(slots=True)
class Transcript:
    """What was printed by one command."""

    key: bytes
    out: list[bytes] = field(default_factory=list)
    size: int = 0
    told: list[str] = field(default_factory=list)
    folder: Path | None = None
    """The cache folder, once a checkout was opened with one."""
    whole: bool = False
    """Whether it ended as an answer that may be given again."""

    def printed(self, piece: bytes) -> None:
        """Note a piece of the answer."""
        self.size += len(piece)
        if self.size <= answers.MAX_BYTES:
            self.out.append(piece)

    def ends_with(self, completeness: Completeness) -> None:
        """Note how complete the answer is: one with a problem, or that a limit cut short, is made anew."""
        cut_short = looks.limits_broken() > 0
        self.whole = not completeness.problems and not cut_short and self.size <= answers.MAX_BYTES


_current: list[Transcript] = []


def begin(arguments: Sequence[str]) -> None:
    """Note what is printed and looked at from now on."""
    if answers.folder_named(arguments) is None:
        return
    try:
        key = answers.question(arguments)
    except OSError:  # the current folder is gone
        return
    looks.record()
    _current[:] = [Transcript(key)]


def current() -> Transcript | None:
    """The transcript of the command that runs."""
    return _current[0] if _current else None


def finish() -> None:
    """Keep the answer for the next time."""
    transcript, seen = current(), looks.recorded()
    _current.clear()
    looks.stop()
    if transcript is not None and seen is not None and transcript.whole and transcript.folder is not None:
        told = "".join(f"{each}\n" for each in transcript.told).encode("utf-8", "backslashreplace")
        answers.keep(str(transcript.folder), transcript.key, seen, b"".join(transcript.out), told)
