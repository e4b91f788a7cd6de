"""What a symbolic run of a configure script saw: questions, and lines written to files."""

from __future__ import annotations

from dataclasses import dataclass, field

from bzlgraph.flags.script.guard import Guard
from bzlgraph.flags.script.values import Cases


@dataclass(frozen=True, slots=True)
class Question:
    """A question on the terminal: its text, the environment variable that answers it beforehand, and when it is asked.

    ``line`` is that of the call that names the variable.
    """

    variable: str
    text: str
    line: int
    guard: Guard


@dataclass(frozen=True, slots=True)
class Write:
    """A line that may be written to ``file``, and when."""

    file: str
    text: str
    line: int
    guard: Guard


@dataclass(slots=True)
class Transcript:
    """All of it. ``reads`` are the variables that are looked up, with the line of the first look-up; ``defaults`` what
    the asking function returns, per variable; ``incomplete`` says where the reading stopped, "" when it did not."""

    questions: list[Question] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    reads: dict[str, int] = field(default_factory=dict)
    defaults: dict[str, Cases] = field(default_factory=dict)
    incomplete: str = ""
