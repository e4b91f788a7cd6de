"""Everything that is known about what can be switched in a workspace, read once: the material of a trace.

``read_knowledge`` reads the configure scripts, the workspace's rc files, all settings and the flags of the programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location
from bzlgraph.config.arguments import ConfigArguments, option_table, workspace_bazelrc
from bzlgraph.config.bazelrc import Bazelrc
from bzlgraph.config.option_use import BAZELRC, OptionToken, Origin, read_uses
from bzlgraph.facts.options import OptionTable
from bzlgraph.flags.configure.questions import Configure, configure
from bzlgraph.flags.mentions import Line, Mention, mention_of, read_line
from bzlgraph.flags.runtime.runtime_flags import RuntimeFlags, runtime_flags
from bzlgraph.flags.settings.rows import SettingsAnswer, settings
from bzlgraph.graph.view import GraphView
from bzlgraph.workspace.sources.source import Source
from bzlgraph.workspace.tree import RepositoryTree
from bzlgraph.workspace.workspace import Workspace

_DEFINITION = re.compile(r"def\s+(\w+)\s*\(")


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


@dataclass
class Knowledge:
    """All four kinds, and how they refer to each other."""

    table: OptionTable
    configure: Configure
    rc: Bazelrc
    settings: SettingsAnswer
    runtime: RuntimeFlags
    gaps: tuple[Gap, ...] = ()
    read_file: Callable[[str], str] = lambda path: ""
    starlark_files: Callable[[], list[str]] = list
    _texts: dict[str, str] = field(default_factory=dict, init=False)

    def function_at(self, location: Location) -> str:
        """The function of a .bzl file that a place lies in, "" for none."""
        if location.path not in self._texts:
            self._texts[location.path] = self.read_file(location.path)
        return enclosing_function(self._texts[location.path], location.line)

    def naming(self, variable: str) -> tuple[NamingLine, ...]:
        """The lines of .bzl files that hold the name of an environment variable as a text."""
        quoted = (f'"{variable}"', f"'{variable}'")
        return tuple(
            NamingLine(path, number, line.strip())
            for path in self.starlark_files()
            for number, line in enumerate(self.read_file(path).splitlines(), 1)
            if any(each in line for each in quoted) and not line.lstrip().startswith("#")
        )

    @cached_property
    def rc_uses(self) -> tuple[RcUse, ...]:
        """The options of all lines of the rc files, in order."""
        return tuple(self._rc_uses())

    def _rc_uses(self) -> Iterator[RcUse]:
        for section in self.rc.sections:
            tokens = (OptionToken(token.text, Origin(BAZELRC, token.location)) for token in section.tokens)
            for use in read_uses(tokens, self.table):
                mention = mention_of(use)
                if mention is not None:
                    yield RcUse(section.command, section.config, mention, use.written or str(use), use.origin.location)

    @cached_property
    def written(self) -> tuple[ConfigureLine, ...]:
        """The lines that configure scripts may write."""
        return tuple(self._written())

    def _written(self) -> Iterator[ConfigureLine]:
        for row in self.configure.rows:
            yes = "yes" if row.writes_if_no or row.question.endswith(("[Y/n]", "[y/N]")) else "set"
            for answer, lines in ((yes, row.writes_if_yes), ("no", row.writes_if_no)):
                for text in lines:
                    line = read_line(text, self.table)
                    if line is not None:
                        yield ConfigureLine(line, text, row.variable, answer, row.place, row.written_to)
        for always in self.configure.always:
            line = read_line(always.text, self.table)
            if line is not None:
                place = f"{always.file}:{always.line}"
                yield ConfigureLine(line, always.text, "", always.condition, place, always.written_to)


def read_written(workspace: Workspace, arguments: ConfigArguments | None = None) -> Knowledge:
    """What scripts and rc files say, no package and no source; ``arguments`` choose the rc files.

    Raises UsageProblem for rc files that cannot be read.
    """
    tree = workspace.repository("").tree
    found = configure(tree.source, workspace.options.cache_folder)
    rc = workspace_bazelrc(workspace, arguments or ConfigArguments())
    read = partial(_text_of, tree.source)
    return Knowledge(
        option_table(workspace), found, rc, SettingsAnswer((), {}, ()), RuntimeFlags((), ()), found.gaps, read,
        lambda: list(_starlark_files(tree)),
    )  # fmt: skip


def read_knowledge(workspace: Workspace, graph: GraphView, written: Knowledge) -> Knowledge:
    """Everything: ``written`` is what ``read_written`` gives of the workspace."""
    tree = workspace.repository("").tree
    listed = settings(graph, written.table)
    flags = runtime_flags(tree.source, tree.entries, workspace.options.cache_folder)
    gaps = (*written.gaps, *listed.gaps, *flags.gaps)
    return replace(written, settings=listed, runtime=flags, gaps=gaps)


def _starlark_files(tree: RepositoryTree, folder: str = "") -> Iterator[str]:
    """The .bzl files of a repository."""
    files, folders = tree.entries(folder)
    inside = f"{folder}/" if folder else ""
    yield from (inside + name for name in files if name.endswith(".bzl"))
    for name in folders:
        yield from _starlark_files(tree, inside + name)


def _text_of(source: Source, path: str) -> str:
    """A file of the main repository, "" when it cannot be read."""
    try:
        return source.read(path).decode("utf-8", "replace")
    except OSError:
        return ""


def enclosing_function(text: str, line: int) -> str:
    """The function of a .bzl file that a line lies in, "" at the top level: the ``def`` above it in the first column.

    >>> enclosing_function("def a():\\n  x\\n\\ndef b(y):\\n  z\\n", 5), enclosing_function("x = 1\\n", 1)
    ('b', '')
    """
    for above in reversed(text.splitlines()[:line]):
        found = _DEFINITION.match(above)
        if found:
            return found[1]
        if above[:1].isalpha() and not above.startswith(("def", "else", "elif")):
            return ""
    return ""
