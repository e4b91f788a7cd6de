"""The table of all ops of TensorFlow: a row for each op and kernel, with what else is known of the op.

stories -> ``OpTable``. A cell that lists things has spaces between them; a place is ``FILE:LINE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from bzlgraph.base.span import Location
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tracer import Cell, OpTable, OpTrace, columns

OP_COLUMNS: dict[str, Callable[[OpTrace], Cell]] = {
    "op": lambda op: op.op,
    "api_names": lambda op: " ".join(each.name for each in op.api_names),
    "generated_name": lambda op: op.generated_name,
    "registered_file": lambda op: op.registrations[0].location.path if op.registrations else None,
    "registered_line": lambda op: op.registrations[0].location.line if op.registrations else None,
    "op_target": lambda op: " ".join(op.registrations[0].targets) if op.registrations else None,
}
KERNEL_COLUMNS: dict[str, Callable[[KernelRegistration], Cell]] = {
    "device": lambda kernel: kernel.device,
    "kernel_class": lambda kernel: kernel.kernel_class,
    "kernel_file": lambda kernel: kernel.location.path,
    "kernel_line": lambda kernel: kernel.location.line,
    "through": lambda kernel: " > ".join(kernel.through),
    "compute_file": lambda kernel: kernel.compute.path if kernel.compute else None,
    "compute_line": lambda kernel: kernel.compute.line if kernel.compute else None,
    "kernel_target": lambda kernel: " ".join(kernel.targets),
    "condition": lambda kernel: kernel.when,
    "types": lambda kernel: " ".join(kernel.constraints),
    "device_files": lambda kernel: " ".join(kernel.device_files),
}
GRADIENTS = "gradients"
MENTIONED = ("grappler_passes", "onednn_rewrites", "tflite_converter", "tflite_kernels")
"""What mentions an op, in the order of ``mentions_of.ORDER``."""
TESTED = ("tests", "first_test")
MADE_OF_COLUMNS: dict[str, Callable[[OpTrace], Cell]] = {
    "wrapper_target": lambda op: op.wrappers[0].label if op.wrappers else None,
    "shape_function": lambda op: _short(op.registrations[0].shape_function) if op.registrations else None,
}
"""Columns about an op that came later: those that people read stay where they are."""
COMPUTED_BY = "compute_class"
COLUMNS = (
    *columns(" ".join((*OP_COLUMNS, *KERNEL_COLUMNS, GRADIENTS, *MENTIONED))),
    (TESTED[0], "integer"),
    *columns(" ".join((TESTED[1], *MADE_OF_COLUMNS, COMPUTED_BY))),
)


def op_table(
    stories: Iterable[OpTrace], mentioned: Mapping[str, tuple[Cell, ...]], tested: Mapping[str, tuple[Cell, ...]] | None
) -> OpTable:
    """All ops. ``mentioned`` has the cells of ``MENTIONED``, ``tested`` those of ``TESTED``, where there are any; None
    where tests are not searched."""
    unmentioned, untested = ("",) * len(MENTIONED), (0 if tested is not None else None, None)
    rows = [
        row
        for story in stories
        for row in _rows(story, (*mentioned.get(story.op, unmentioned), *(tested or {}).get(story.op, untested)))
    ]
    return OpTable(COLUMNS, rows)


def _rows(story: OpTrace, around: tuple[Cell, ...]) -> Iterator[tuple[Cell, ...]]:
    """``around``: what mentions the op and tests it."""
    start = [cell(story) for cell in OP_COLUMNS.values()]
    gradients = "; ".join(f"{each.function} at {each.location.short}" for each in story.gradients)
    rest = (gradients, *around, *(cell(story) for cell in MADE_OF_COLUMNS.values()))
    for kernel in story.kernels:
        yield (*start, *(cell(kernel) for cell in KERNEL_COLUMNS.values()), *rest, kernel.compute_class)
    if not story.kernels:
        yield (*start, *(None for _ in KERNEL_COLUMNS), *rest, None)


def _short(place: Location | None) -> Cell:
    return place.short if place is not None else None
