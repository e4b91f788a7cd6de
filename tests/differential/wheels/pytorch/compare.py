"""Traces of a real PyTorch beside what ``op`` finds in the sources.

``python -m tests.differential.wheels.pytorch.compare TREE TRACES.jsonl [CACHE]``

The profiler tells names without overloads, so names alone are compared. An innermost operator has a kernel when the
answer shows a function for it that stands in the tree, or that is generated. Which operator runs which is compared,
too: a step that is lost is seen though another way to the same operator is told.
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

OPERATORS, INNERMOST, PAIRS = "operators", "innermost", "pairs"


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


def missed_pairs(tracer: PytorchTracer, calls: Iterable[dict[str, Any]]) -> tuple[int, list[tuple[str, str, str]]]:
    """How many pairs of an operator and one that it ran on a CPU there are, and those of which no overload tells the
    step, each with a public name that ran it."""
    overloads: dict[str, list[str]] = {}
    for name in tracer.steps:
        overloads.setdefault(name.partition(".")[0], []).append(name)
    ran = {(*pair,): each["name"] for each in calls for pair in each.get(PAIRS, ()) if pair[0] in overloads}
    told = {
        (above, step.op.partition(".")[0])
        for above in {above for above, _ in ran}
        for name in overloads[above]
        for step in tracer.steps[name]
        if step.device in ("", "CPU")
    }
    return len(ran), [(*pair, name) for pair, name in ran.items() if pair not in told]


def _plain(names: Iterable[str]) -> frozenset[str]:
    return frozenset(each.partition(".")[0] for each in names)


def main(arguments: list[str]) -> None:
    """TREE TRACES [CACHE]"""
    tree, recorded, *cache = arguments
    tracer = PytorchTracer(DiskSource(Path(tree)), lambda _path: (), Path(cache[0]) if cache else None)
    calls = traces(Path(recorded), OPERATORS)
    rows = list(compare(tracer, calls))
    print(report([row for row, _ in rows], OPERATORS))
    print(report([row for _, row in rows], "innermost kernels"))
    pairs, missed = missed_pairs(tracer, calls)
    print(f"{pairs} pairs of an operator and one that it runs, {len(missed)} missed")
    print("\n".join(" ".join(each) for each in missed))


if __name__ == "__main__":
    main(sys.argv[1:])
