"""Problems while parsing: offsets and words, turned into diagnostics once the file is read.

Problem (offsets) -> ``base.Diagnostic`` (lines, columns, the source line).
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.base.diagnostic import Diagnostic, Note
from bzlgraph.base.span import Location, Span
from bzlgraph.syntax.ast import File

MAX_PROBLEMS = 20
"""The most problems of one file: a reader has seen enough then, and a binary file would make thousands."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule at ``[start, end)``; ``notes`` are further places: (offset, message)."""

    start: int
    end: int
    message: str
    hint: str | None = None
    notes: tuple[tuple[int, str], ...] = ()


def diagnostics(problems: list[Problem], file: File) -> tuple[Diagnostic, ...]:
    """The problems in file order; of several at one place only the first that was noticed."""
    first: dict[int, Problem] = {}
    for problem in problems:
        first.setdefault(problem.start, problem)
    return tuple(_diagnostic(first[start], file) for start in sorted(first)[:MAX_PROBLEMS])


def _diagnostic(problem: Problem, file: File) -> Diagnostic:
    start = file.position(min(problem.start, file.end))
    end = file.position(min(max(problem.end, problem.start), file.end))
    first = file.line_starts[start.line - 1]
    last = file.text.find("\n", first)
    return Diagnostic(
        message=problem.message,
        location=Location(file.path, start.line, start.column),
        span=Span(start, end),
        source_line=file.text[first : last if last >= 0 else None].rstrip("\r"),
        hint=problem.hint,
        notes=tuple(Note(message, _location(file, offset)) for offset, message in problem.notes),
    )


def _location(file: File, offset: int) -> Location:
    position = file.position(min(offset, file.end))
    return Location(file.path, position.line, position.column)
