"""Everything that is known about what can be switched in a workspace: the material of a trace, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location
from bzlgraph.flags.mentions import CONFIG, VARIABLE, Line, Mention, SettingNames
from bzlgraph.flags.rows import Configure, RuntimeFlags
from bzlgraph.flags.settings.table import SettingsAnswer


@dataclass(frozen=True, slots=True)
class RcUse:
    """One option of a line of a .bazelrc."""

    command: str
    config: str
    mention: Mention
    text: str
    location: Location | None

    @property
    def section(self) -> str:
        """``build`` or ``build:cuda``."""
        return f"{self.command}:{self.config}" if self.config else self.command


@dataclass(frozen=True, slots=True)
class ConfigureLine:
    """A line that a configure script may write: for which variable, on which answer ("" for always), and where."""

    line: Line
    text: str
    variable: str
    answer: str
    place: str
    written_to: str


class NamingLine(NamedTuple):
    """A line of a file."""

    file: str
    line: int
    text: str


class Texts(Protocol):
    """What the texts of a checkout say of its functions and variables."""

    def function_at(self, location: Location) -> str:
        """The function of a .bzl file that a place lies in, "" for none."""

    def naming(self, kind: str, name: str) -> tuple[NamingLine, ...]:
        """The lines that may read a variable or a define: a .bzl file has the name of a variable as a text, or takes a
        define from ``ctx.var``; any file may hold a define as ``$(NAME)``."""

    def about(self, places: Iterable[Location], named: Iterable[tuple[str, str]]) -> KeptTexts:
        """What they say of these places, and of names with their kind."""


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """What they say of some places and names, without the texts."""

    functions: Mapping[tuple[str, int], str]
    """By file and line; what lies in no function is left out."""
    lines: Mapping[tuple[str, str], tuple[NamingLine, ...]]
    """By kind and name."""

    def function_at(self, location: Location) -> str:
        """The function that a place lies in, "" for none."""
        return self.functions.get((location.path, location.line), "")

    def naming(self, kind: str, name: str) -> tuple[NamingLine, ...]:
        """The lines that may read a variable or a define."""
        return self.lines.get((kind, name), ())

    def about(self, _places: Iterable[Location], _named: Iterable[tuple[str, str]]) -> KeptTexts:
        """The same."""
        return self


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All four kinds, and how they refer to each other. Of the rc files: those that were read, their configs, and the
    options of all their lines, in order; ``written`` are the lines that configure scripts may write. ``names``:
    how these call build settings."""

    configure: Configure
    rc_files: tuple[str, ...]
    configs: tuple[str, ...]
    rc_uses: tuple[RcUse, ...]
    written: tuple[ConfigureLine, ...]
    settings: SettingsAnswer
    runtime: RuntimeFlags
    gaps: tuple[Gap, ...]
    texts: Texts
    names: SettingNames


def mentioned(known: Knowledge) -> Iterator[tuple[str, str]]:
    """What can be switched, as (kind, name), in all places that mention it."""
    for row in known.configure.rows:
        yield VARIABLE, row.variable
    for use in known.rc_uses:
        yield use.mention.kind, use.mention.name
        if use.config:
            yield CONFIG, use.config
    for line in known.written:
        for each in line.line.mentions:
            yield each.kind, each.name
        if line.line.config:
            yield CONFIG, line.line.config
    for setting in known.settings.rows:
        for read in setting.mentions:
            yield read.kind, read.name
