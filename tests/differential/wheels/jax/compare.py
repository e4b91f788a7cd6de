"""Traces of a real JAX beside what bzlgraph reads in the sources.

``python -m tests.differential.wheels.jax.compare TREE TRACES.jsonl [CACHE]``

What only lifts values of Python into a trace (``stage``) is left out of the count on both sides, as no jaxpr holds it;
the figure with it is told too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bzlgraph.ops.jax.index import JaxIndex
from bzlgraph.workspace.sources.source import DiskSource
from tests.differential.wheels.traces import Row, report, traces

PRIMITIVES = "primitives"


def compare(index: JaxIndex, functions: Iterable[dict[str, Any]]) -> list[Row]:
    """Each traced function beside our answer."""
    made = []
    implied = frozenset(each.primitive.name for each in index.primitives if each.primitive.lifts)
    for each in functions:
        found = index.follower.symbol(each["name"]) is not None
        named = frozenset(use.primitive.name for use in index.follower.from_name(each["name"]))
        made.append(Row(each["name"], frozenset(each[PRIMITIVES]), named, found, implied))
    return made


def main(arguments: list[str]) -> None:
    """TREE TRACES [CACHE]"""
    tree, recorded, *cache = arguments
    index = JaxIndex(DiskSource(Path(tree)), Path(cache[0]) if cache else None)
    print(report(compare(index, traces(Path(recorded), PRIMITIVES)), PRIMITIVES))


if __name__ == "__main__":
    main(sys.argv[1:])
