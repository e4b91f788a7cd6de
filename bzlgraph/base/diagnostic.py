"""Diagnostics: one problem, where it is, and what to do next, as data; text is made once, by ``render``.

Bazel prints ``path:line:col: message``; we add the source line, a caret and a hint.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bzlgraph.base.span import Frame, Location, Span
from bzlgraph.base.words import printable

TAB_WIDTH = 4
CONTEXT_WIDTH = 160


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that belongs to a diagnostic ("the list was opened here")."""

    message: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem.

    ``location`` is where it is (None: nowhere in particular), ``span`` its extent when known, ``source_line`` the
    text of its first line, ``stack`` the Starlark call stack, innermost frame first.
    """

    message: str
    location: Location | None = None
    span: Span | None = None
    source_line: str | None = None
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    stack: tuple[Frame, ...] = ()
    severity: str = "error"

    @property
    def headline(self) -> str:
        """``path:line:col: error: message``; what a ``fail()`` says may have more lines, and empty ones around it."""
        where = f"{self.location}: " if self.location else ""
        return f"{where}{self.severity}: {self.message.strip()}"

    def with_source(self, text: str) -> Diagnostic:
        """The same diagnostic with its source line taken from the whole ``text`` of the file."""
        if self.location is None or self.location.line < 1:
            return self
        lines = text.split("\n", self.location.line)
        index = self.location.line - 1
        return replace(self, source_line=lines[index].rstrip("\r")) if index < len(lines) else self

    def render(self) -> str:
        """The text for people: headline, source line with caret, notes, call stack, hint."""
        lines = [_indented(self.headline), *_excerpt(self)]
        for note in self.notes:
            told = f"{note.location}: note: {note.message}" if note.location else f"note: {note.message}"
            lines.append(_indented(told))
        if len(self.stack) > 1:
            lines.append("called from (innermost first):")
            lines += [f"  {frame.location}: in {frame.function}" for frame in self.stack]
        if self.hint:
            lines.append(_indented(f"hint: {self.hint}"))
        return "\n".join(printable(line) for text in lines for line in text.split("\n"))


def _indented(text: str) -> str:
    """Further lines of a message, which may be those of a ``fail()``, cannot pass for messages of ours."""
    return text.replace("\n", "\n  ")


def _excerpt(diagnostic: Diagnostic) -> list[str]:
    """The source line (cut to a readable width) and a caret under the column."""
    source, location = diagnostic.source_line, diagnostic.location
    if source is None or location is None or location.column < 1 or not source.strip():
        return []
    column = min(location.column - 1, len(source))
    first = max(0, column - CONTEXT_WIDTH // 2)
    shown = source[first : first + CONTEXT_WIDTH]
    lead = "".join("\t" if char == "\t" else " " for char in shown[: column - first])
    printable = "".join(char if char.isprintable() or char == "\t" else "?" for char in shown)
    return [f"  {printable}".expandtabs(TAB_WIDTH), f"  {lead}^".expandtabs(TAB_WIDTH)]
