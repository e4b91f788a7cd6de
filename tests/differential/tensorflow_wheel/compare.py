"""Traces of a real TensorFlow beside what bzlgraph reads in the sources: ``python -m ...compare TREE TRACES.jsonl``.

Const is left out of the count on both sides, as it is what Python values given as tensors become; the figure with it
is told too.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bzlgraph.ops.tensorflow.python.call_rules import IMPLIED
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.workspace.sources.source import DiskSource


@dataclass(frozen=True, slots=True)
class Row:
    """One function: the ops that its trace shows, and those that we name."""

    name: str
    traced: frozenset[str]
    named: frozenset[str]
    found: bool

    @property
    def missed(self) -> list[str]:
        """Traced ops that we do not name."""
        return sorted(self.traced - self.named - {IMPLIED})

    @property
    def ratio(self) -> float:
        """How many ops we name for each that is traced."""
        return len(self.named - {IMPLIED}) / max(1, len(self.traced - {IMPLIED}))

    @property
    def ratio_with_implied(self) -> float:
        """The same, Const counted."""
        return len(self.named | {IMPLIED}) / max(1, len(self.traced))


def traces(path: Path) -> list[dict[str, Any]]:
    """The functions that could be called."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    return [row for row in rows if isinstance(row.get("ops"), list)]


def compare(side: PythonSources, functions: Iterable[dict[str, Any]]) -> list[Row]:
    """Each traced function beside our answer."""
    made = []
    for each in functions:
        found = side.exports.find(each["name"])
        uses = side.uses(found[0], each["name"]) if found else []
        made.append(Row(each["name"], frozenset(each["ops"]), frozenset(use.op for use in uses), bool(found)))
    return made


def report(rows: list[Row]) -> str:
    """The figures, and every function of which an op is missed."""
    known = [row for row in rows if row.found]
    covered = [row for row in known if not row.missed]
    missed = Counter(op for row in known for op in row.missed)
    more = Counter(op for row in known for op in row.named - row.traced)
    share = 100 * len(covered) / max(1, len(rows))
    counted = median(row.ratio_with_implied for row in known)
    lines = [
        f"{len(rows)} functions traced, {len(known)} found, {len(covered)} with all their ops ({share:.1f} %)",
        f"median of named to traced ops {median(row.ratio for row in known):.2f} ({counted:.2f} with Const)",
        f"missed most: {missed.most_common(15)}",
        f"named beyond the trace most: {more.most_common(40)}",
        *(f"not found: {row.name}" for row in rows if not row.found),
        *(f"{row.name}: missed {', '.join(row.missed)}; {len(row.named)} named" for row in known if row.missed),
    ]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """TREE TRACES [CACHE]"""
    tree, recorded, *cache = arguments
    side = PythonSources(DiskSource(Path(tree)), Path(cache[0]) if cache else None)
    print(report(compare(side, traces(Path(recorded)))))


if __name__ == "__main__":
    main(sys.argv[1:])
