"""Answers of ``Workspace.flags()``: tables per kind, and the trace of a name that prints itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bzlgraph.base.gap import Completeness
from bzlgraph.export.flags_formats.rows import flags_table, overview_table
from bzlgraph.export.flags_formats.text import overview_text
from bzlgraph.export.flags_formats.trace_text import trace_text
from bzlgraph.export.row_formats.columnar import frame
from bzlgraph.flags import bazelrc_table
from bzlgraph.flags.knowledge import Knowledge
from bzlgraph.flags.trace import Trace
from bzlgraph.workspace.workspace import Workspace

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class FlagsResult:
    """What can be switched in a workspace: a DataFrame per kind."""

    known: Knowledge
    workspace: Workspace
    completeness: Completeness

    @property
    def settings(self) -> pandas.DataFrame:
        """Every config_setting and build setting: what it reads, which selects use it, what they add."""
        return frame(flags_table("settings", self.known.settings.rows), self.completeness)

    @property
    def configure(self) -> pandas.DataFrame:
        """The questions of the configure script, and what each answer writes."""
        return frame(flags_table("configure", self.known.configure.rows), self.completeness)

    @property
    def runtime(self) -> pandas.DataFrame:
        """The flags that the programs read."""
        return frame(flags_table("runtime", self.known.runtime.rows), self.completeness)

    @property
    def bazelrc(self) -> pandas.DataFrame:
        """The options that the workspace's rc files set, config by config."""
        return frame(
            flags_table("bazelrc", list(bazelrc_table.rows(bazelrc_table.bazelrc_view(self.workspace)))),
            self.completeness,
        )

    def __str__(self) -> str:
        return "".join(overview_text(self.known))

    def __repr__(self) -> str:
        return str(self).rstrip()

    def _repr_html_(self) -> str:
        return str(frame(overview_table(self.known)).to_html(index=False))


@dataclass(frozen=True, slots=True)
class TraceResult:
    """One name, from the question that asks for it to the dependencies that it adds."""

    trace: Trace
    known: Knowledge
    completeness: Completeness

    def to_frame(self) -> pandas.DataFrame:
        """A row per step: step, name, detail, file, line."""
        return frame(flags_table("trace", list(self.trace.steps())), self.completeness)

    def __str__(self) -> str:
        return "".join(trace_text(self.trace, self.known))

    def __repr__(self) -> str:
        return str(self).rstrip()
