"""What configure scripts ask and what flags programs read, as data: a row for each question, and for each flag."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.gap import Gap

Row = TypeVar("Row")

CONFIGURE_COLUMNS = (
    *("variable", "question", "default", "writes_if_yes", "writes_if_no"),
    *("file", "line", "asked_if", "written_to"),
)
"""The stable columns of ``flags configure``."""
RUNTIME_COLUMNS = ("name", "group", "type", "default", "description", "file", "line")
"""The stable columns of ``flags runtime``."""
SEPARATOR = "; "


@dataclass(frozen=True, slots=True)
class ConfigureRow:
    """One question (or variable) of a configure script."""

    variable: str
    question: str
    default: str
    writes_if_yes: tuple[str, ...]
    writes_if_no: tuple[str, ...]
    file: str
    line: int
    asked_if: str = ""
    written_to: str = ""

    def cells(self) -> tuple[object, ...]:
        """The cells of ``CONFIGURE_COLUMNS``."""
        values = (getattr(self, name) for name in CONFIGURE_COLUMNS)
        return tuple(SEPARATOR.join(each) if isinstance(each, tuple) else each for each in values)

    @property
    def place(self) -> str:
        """``configure.py:1203``."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class UnconditionalLine:
    """A line that a configure script writes whatever is answered."""

    text: str
    file: str
    line: int
    written_to: str
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Configure:
    """All configure scripts of a workspace: their questions, the lines written in any case, and what was not read."""

    files: tuple[str, ...]
    rows: tuple[ConfigureRow, ...]
    always: tuple[UnconditionalLine, ...]
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True, order=True)
class RuntimeFlag:
    """``group`` is the environment variable that carries the flag, or the mechanism that reads it.

    ``default`` is None when the source does not say it in a place that can be found; ``""`` is an empty text.
    """

    name: str
    group: str
    type: str | None
    default: str | None
    description: str
    file: str
    line: int

    @property
    def variable(self) -> str:
        """The environment variable that carries the flag among others, such as ``XLA_FLAGS``; empty when none does."""
        return self.group if self.group.isupper() else ""  # mechanisms are words: "absl", "command line"


@dataclass(frozen=True, slots=True)
class RuntimeFlags:
    """The rows, sorted by group and name, and the files that could not be read."""

    rows: tuple[RuntimeFlag, ...]
    gaps: tuple[Gap, ...]


def rows_naming(name: str, rows: Sequence[Row], texts: Callable[[Row], Iterable[object]]) -> list[Row]:
    """The rows that have a name in one of their texts. Raises LoadProblem when there are rows, and none has."""
    wanted = name.lstrip("-").lower()
    found = [row for row in rows if wanted in " ".join(map(str, texts(row))).lower()]
    if name and rows and not found:
        raise LoadProblem(Diagnostic(f"no row contains '{name}'"))
    return found
