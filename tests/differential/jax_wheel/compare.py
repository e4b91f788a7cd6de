"""Traces of a real JAX beside what bzlgraph reads in the sources.

``python -m tests.differential.jax_wheel.compare TREE TRACES.jsonl [CACHE]``
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bzlgraph.ops.jax.index import JaxIndex
from bzlgraph.workspace.sources.source import DiskSource


@dataclass(frozen=True, slots=True)
class Row:
    """One function: the primitives that its trace shows, and those that we name."""

    name: str
    traced: frozenset[str]
    named: frozenset[str]
    found: bool

    @property
    def missed(self) -> list[str]:
        """Traced primitives that we do not name."""
        return sorted(self.traced - self.named)

    @property
    def ratio(self) -> float:
        """How many primitives we name for each that is traced."""
        return len(self.named) / max(1, len(self.traced))


def traces(path: Path) -> list[dict[str, Any]]:
    """The functions that could be called."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    return [row for row in rows if isinstance(row.get("primitives"), list)]


def compare(index: JaxIndex, functions: list[dict[str, Any]]) -> list[Row]:
    """Each traced function beside our answer."""
    made = []
    for each in functions:
        found = index.follower.symbol(each["name"]) is not None
        named = frozenset(use.primitive.name for use in index.follower.from_name(each["name"]))
        made.append(Row(each["name"], frozenset(each["primitives"]), named, found))
    return made


def report(rows: list[Row]) -> str:
    """The figures, and every function of which a primitive is missed."""
    covered = [row for row in rows if not row.missed]
    missed = Counter(name for row in rows for name in row.missed)
    more = Counter(name for row in rows for name in row.named - row.traced)
    share = 100 * len(covered) / max(1, len(rows))
    lines = [
        f"{len(rows)} functions traced, {len(covered)} with all their primitives ({share:.1f} %)",
        f"median of named to traced primitives {median(row.ratio for row in rows if row.found):.2f}",
        f"missed most: {missed.most_common(15)}",
        f"named beyond the trace most: {more.most_common(40)}",
        *(f"not found: {row.name}" for row in rows if not row.found),
        *(f"{row.name}: missed {', '.join(row.missed)}; {len(row.named)} named" for row in rows if row.missed),
    ]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """TREE TRACES [CACHE]"""
    tree, recorded, *cache = arguments
    index = JaxIndex(DiskSource(Path(tree)), Path(cache[0]) if cache else None)
    print(report(compare(index, traces(Path(recorded)))))


if __name__ == "__main__":
    main(sys.argv[1:])
