"""What is known of ops as data: the answer of ``Workspace.op()``, its JSON (``bzlgraph.op/1``), and tables of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import Location
from bzlgraph.export.op_formats.gdb import gdb_text
from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.export.plain_data import Shape, record
from bzlgraph.export.row_formats.row_table import Column, RowTable
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tracer import Answer, OpTable, OpTrace

if TYPE_CHECKING:
    import pandas


SCHEMA = "bzlgraph.op/1"
_SHAPES: Mapping[type, Shape] = {Location: lambda place: {"file": place.path, "line": place.line or None}}


@dataclass(frozen=True, slots=True)
class OpResult:
    """What a word leads to: functions, ops, registrations, kernels, targets."""

    answer: Answer
    completeness: Completeness

    @property
    def ops(self) -> tuple[str, ...]:
        """The names of all ops, nearest first."""
        return tuple(self.to_dict()["ops"])

    @property
    def stories(self) -> tuple[OpTrace, ...]:
        """The ops that the answer is about, each with its registrations, kernels and gradients."""
        return self.answer.stories

    @property
    def gdb(self) -> str:
        """Breakpoints where the kernels compute, as a script for gdb."""
        return gdb_text(self.answer)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``--output=json`` prints it."""
        return to_dict(self.answer)

    def to_frame(self) -> pandas.DataFrame:
        """A row per kernel: op, device, kernel_class, registered, compute, targets, condition."""
        import pandas

        from bzlgraph.export.row_formats.json_text import completeness_data

        rows = [_row(story, kernel) for story in self.answer.stories for kernel in story.kernels]
        columns = ["op", "device", "kernel_class", "registered", "compute", "targets", "condition"]
        made = pandas.DataFrame(rows, columns=columns)
        made.attrs.update(completeness_data(self.completeness))
        return made

    def __str__(self) -> str:
        return answer_text(self.answer)

    def __repr__(self) -> str:
        return str(self).rstrip()


def _row(story: OpTrace, kernel: KernelRegistration) -> tuple[str, ...]:
    compute = kernel.compute.short if kernel.compute is not None else ""
    targets = " ".join(kernel.targets)
    return story.op, kernel.device, kernel.kernel_class, kernel.location.short, compute, targets, kernel.when


def to_dict(answer: Answer) -> dict[str, Any]:
    """``ops`` are the names of all ops that the word leads to, nearest first, without those that are only possible; the
    rest has the evidence."""
    ops = [use.op for use in answer.uses if not use.possible] or [story.op for story in answer.stories]
    return {"schema": SCHEMA, "asked": answer.asked, "found": answer.found, "ops": ops, **record(answer, None, _SHAPES)}


TITLES = {
    "ops": "ops",
    "xla_ops": "ops that XLA compiles",
    "op_needs": "dependencies of the ops",
    "op_slice": "targets and files that build the ops",
    "op_tests": "tests that call the ops",
    "op_mentions": "passes that mention the ops",
    "bindings": "names that C++ exposes to Python",
    "registrations": "registrations",
}
"""Kind of a table of ops -> its title: all ops by kernel; what XLA compiles; what the ops' libraries depend on; the
least that builds them; the tests that call them; what C++ gives to Python; uses of one macro."""


def ops_table(kind: str, table: OpTable) -> RowTable:
    """A table of one of the kinds of ``TITLES``."""
    columns = tuple(Column(*each) for each in table.columns)
    return RowTable(TITLES[kind], columns, lambda: iter(table.rows), f"bzlgraph.{kind}/1")
