"""Traces of a real PyTorch beside what ``op`` finds in the sources.

``python -m tests.differential.wheels.pytorch.compare TREE TRACES.jsonl [CACHE]``

The profiler tells names without overloads, so names alone are compared. An innermost operator has a kernel when the
answer shows a function for it that stands in the tree, or that is generated.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bzlgraph.ops.pytorch.kernels import GENERATED
from bzlgraph.ops.pytorch.tracer import PytorchTracer
from bzlgraph.ops.tracer import Answer
from bzlgraph.workspace.sources.source import DiskSource
from tests.differential.wheels.traces import Row, report, traces

OPERATORS, INNERMOST = "operators", "innermost"


def compare(tracer: PytorchTracer, calls: Iterable[dict[str, Any]]) -> Iterator[tuple[Row, Row]]:
    """Each call beside our answer: all operators, and the innermost ones with their kernels."""
    for each in calls:
        answer = tracer.explain(each["name"])
        operators, kernels = named(answer)
        found = bool(answer.stories)
        yield (
            Row(each["name"], frozenset(each[OPERATORS]), operators, found),
            Row(each["name"], frozenset(each[INNERMOST]), kernels, found),
        )


def named(answer: Answer) -> tuple[frozenset[str], frozenset[str]]:
    """The operators that an answer names, without overloads, and those that have a kernel in it."""
    shown = [(each.op, each.kernels) for each in answer.stories]
    shown += [(run.op, run.kernels) for each in answer.stories for run in each.runs]
    has = [op for op, kernels in shown if any(each.location.line or GENERATED in each.through for each in kernels)]
    return _plain(op for op, _ in shown), _plain(has)


def _plain(names: Iterable[str]) -> frozenset[str]:
    return frozenset(each.partition(".")[0] for each in names)


def main(arguments: list[str]) -> None:
    """TREE TRACES [CACHE]"""
    tree, recorded, *cache = arguments
    tracer = PytorchTracer(DiskSource(Path(tree)), lambda _path: (), Path(cache[0]) if cache else None)
    rows = list(compare(tracer, traces(Path(recorded), OPERATORS)))
    print(report([row for row, _ in rows], OPERATORS))
    print(report([row for _, row in rows], "innermost kernels"))


if __name__ == "__main__":
    main(sys.argv[1:])
