"""What every command returns. docs/exit_codes.md is the table of exit codes for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from bzlgraph.base.gap import Completeness, Gap


class ExitCode(IntEnum):
    """How a command ends."""

    ANSWERED = 0  # an empty answer, and one with gaps, too
    SAYS_NO = 1  # a check, or a program, that the user asked for failed
    USAGE = 2  # command line, -C, regular expression, query syntax
    PARTIAL = 3  # problems under --keep_going, gaps under --strict
    FAILED = 7  # something is broken or does not exist; stdout is closed or full
    BUG = 37
    INTERRUPTED = 130
    UNREAD = 141  # the reader of stdout has gone: what shells tell of a program that SIGPIPE (13) ended


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pieces of an answer, for stdout or ``output_file``, and how complete it is.

    ``notes`` are lines for stderr. ``told_gaps``: those that the pieces tell of by themselves.
    ``all_problems``: all are told, however many there are.
    ``says_no``: a check or a program that the user asked for failed.
    """

    pieces: Iterable[bytes]
    completeness: Completeness = Completeness()  # noqa: RUF009 - frozen
    notes: tuple[str, ...] = ()
    output_file: Path | None = None
    keep_going: bool = False
    told_gaps: Collection[Gap] = ()
    all_problems: bool = False
    says_no: bool = False
    code: ExitCode | None = None
    """The exit code, where the notes tell of all problems and gaps."""
