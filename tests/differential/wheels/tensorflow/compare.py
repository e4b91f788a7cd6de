"""Traces of a real TensorFlow beside what bzlgraph reads in the sources.

``python -m tests.differential.wheels.tensorflow.compare TREE TRACES.jsonl [CACHE]``

Ops that are only possible count as not named. Const is left out of the count on both sides, as it is what Python values
given as tensors become; the figure with it is told too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bzlgraph.ops.tensorflow.python.call_rules import IMPLIED
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.workspace.sources.source import DiskSource
from tests.differential.wheels.traces import Row, report, traces

OPS = "ops"


def compare(side: PythonSources, functions: Iterable[dict[str, Any]]) -> list[Row]:
    """Each traced function beside our answer."""
    made = []
    for each in functions:
        found = side.exports.find(each["name"])
        uses = side.uses(found[0], each["name"]) if found else []
        named = frozenset(use.op for use in uses if not use.possible)
        made.append(Row(each["name"], frozenset(each[OPS]), named, bool(found), frozenset({IMPLIED})))
    return made


def main(arguments: list[str]) -> None:
    """TREE TRACES [CACHE]"""
    tree, recorded, *cache = arguments
    side = PythonSources(DiskSource(Path(tree)), Path(cache[0]) if cache else None)
    print(report(compare(side, traces(Path(recorded), OPS)), OPS))


if __name__ == "__main__":
    main(sys.argv[1:])
