"""Answers about ops as rows: a row per piece of evidence; with ``--why`` a row per step to each target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bzlgraph.base.gap import Completeness
from bzlgraph.base.span import Location
from bzlgraph.export.row_formats.row_table import Column, Row, RowTable, columns
from bzlgraph.export.why_formats.rows import COLUMNS as STEPS
from bzlgraph.export.why_formats.rows import step_rows
from bzlgraph.ops.binding import Binding
from bzlgraph.ops.needs import shared_object
from bzlgraph.ops.python.walk.conditions import told
from bzlgraph.ops.tracer import Answer, OpTrace
from bzlgraph.why.answer import WhyAnswer

COLUMNS = columns("asked op role name file line targets condition", line="integer", targets="texts")
DECIDED = "the arguments decide"


def evidence_table(answers: Sequence[Answer], completeness: Completeness) -> RowTable:
    """``role``: symbol, use, possible use (nobody knows whether it is one), wrapper, registration, kernel, compute,
    run (an operator inside), gradient or gradient kernel; of what C++ exposes to Python binding, function, call (one
    that the function leads on to) and used by; ``name`` is what stands at the place."""
    return RowTable(
        *("op", COLUMNS, lambda: (row for each in answers for row in _evidence(each)), "bzlgraph.op.evidence/1"),
        completeness=completeness,
    )


def found_rows(answers: Iterable[Answer], completeness: Completeness) -> list[Row]:
    """The evidence of those of several answers that found something."""
    return list(evidence_table([each for each in answers if each.found], completeness).rows())


def paths_table(found: Sequence[tuple[Answer, Sequence[WhyAnswer]]], completeness: Completeness) -> RowTable:
    """The columns of ``why``, with what was asked and the target that is built in front, and the shared object that it
    is in at the end."""
    listed = (Column("asked"), Column("target"), *STEPS, Column("shared_object"))
    return RowTable(
        *("op --why", listed, lambda: _paths(found), "bzlgraph.op.paths/1"),
        completeness=completeness,
    )


def _paths(found: Sequence[tuple[Answer, Sequence[WhyAnswer]]]) -> Iterator[Row]:
    for answer, paths in found:
        for path in paths:
            carried = carried_by(path)
            yield from ((answer.asked, str(path.target.label), *row, carried) for row in step_rows(path))


def carried_by(path: WhyAnswer) -> str | None:
    """The shared object that a target gets into a product in, None when it does not, or in none."""
    return shared_object([step.node.label for step in path.steps]) if path.no_way is None else None


def _evidence(answer: Answer) -> Iterator[Row]:
    asked = answer.asked
    if answer.symbol is not None:
        yield asked, None, "symbol", answer.symbol.name, *_place(answer.symbol.location), [], None
    for use in answer.uses:
        role = "possible use" if use.possible else "use"
        when = told(use.conditions) or (None if use.certain else DECIDED)
        yield asked, use.op, role, use.generated or None, *_place(use.location), [], when
    for rule in answer.python_rules:
        yield asked, None, rule.kind, f"{rule.function} of {rule.op}", *_place(rule.location), [], None
    for story in answer.stories:
        yield from ((asked, story.op, *row) for row in _of_op(story))
    for binding in answer.bindings:
        yield from ((asked, None, *row) for row in _of_binding(binding))
    for python in answer.python_uses:
        yield asked, None, "used by", python.text, *_place(python.location), [], None


def _of_binding(binding: Binding) -> Iterator[Row]:
    rest = list(binding.targets), binding.condition or None
    yield "binding", binding.full_name, *_place(binding.location), *rest
    if binding.defined is not None:
        yield "function", binding.function, *_place(binding.defined), *rest
    for call in binding.calls:
        name, _, place = call.rpartition(" ")
        path, _, line = place.rpartition(":")
        yield "call", name, path, int(line), [], None


def _of_op(story: OpTrace) -> Iterator[Row]:
    for wrapper in story.wrappers:
        yield "wrapper", story.generated_name or None, *_place(wrapper.location), [wrapper.label], None
    for each in story.registrations:
        yield "registration", None, *_place(each.location), list(each.targets), each.condition or None
    for kernel in story.kernels:
        name = f"{kernel.device} {kernel.kernel_class}"
        yield "kernel", name, *_place(kernel.location), list(kernel.targets), kernel.when or None
        if kernel.compute is not None:
            yield "compute", name, *_place(kernel.compute), list(kernel.targets), kernel.when or None
    for run in story.runs:
        targets = [label for kernel in run.kernels[:1] for label in kernel.targets]
        needed = [f"on {run.device}" if run.device else "", run.condition]
        others = ", or under others" if run.otherwise else ""
        yield "run", run.op, *_place(run.location), targets, " and ".join(filter(None, needed)) + others or None
    for gradient in story.gradients:
        yield "gradient", gradient.function, *_place(gradient.location), [], None
        for kernel in gradient.kernels:
            name = f"{kernel.op} {kernel.device} {kernel.kernel_class}"
            place = _place(kernel.compute or kernel.location)
            yield "gradient kernel", name, *place, list(kernel.targets), kernel.when or None
    for rule in story.python_rules:
        yield rule.kind, rule.function, *_place(rule.location), [], None


def _place(location: Location | None) -> tuple[str | None, int | None]:
    return (location.path, location.line or None) if location is not None else (None, None)
