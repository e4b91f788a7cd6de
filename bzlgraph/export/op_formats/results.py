"""The answer of ``Workspace.op()``: data that prints itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bzlgraph.export.op_formats.as_json import to_dict
from bzlgraph.export.op_formats.gdb import gdb_text
from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tracer import Answer, OpTrace

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class OpResult:
    """What a word leads to: functions, ops, registrations, kernels, targets."""

    answer: Answer

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

        rows = [_row(story, kernel) for story in self.answer.stories for kernel in story.kernels]
        columns = ["op", "device", "kernel_class", "registered", "compute", "targets", "condition"]
        return pandas.DataFrame(rows, columns=columns)

    def __str__(self) -> str:
        return answer_text(self.answer)

    def __repr__(self) -> str:
        return str(self).rstrip()


def _row(story: OpTrace, kernel: KernelRegistration) -> tuple[str, ...]:
    compute = kernel.compute.short if kernel.compute is not None else ""
    targets = " ".join(kernel.targets)
    return story.op, kernel.device, kernel.kernel_class, kernel.location.short, compute, targets, kernel.when
