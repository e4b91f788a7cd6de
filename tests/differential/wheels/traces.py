"""Functions of a real framework with what their traces show, beside what bzlgraph names: what ``tensorflow`` and
``jax`` share.

``report(rows, "ops")`` -> the shares, and every function of which something is missed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One function: what its trace shows, and what we name. ``implied`` is left out of the count on both sides."""

    name: str
    traced: frozenset[str]
    named: frozenset[str]
    found: bool
    implied: frozenset[str] = frozenset()

    @property
    def missed(self) -> list[str]:
        """What is traced and not named."""
        return sorted(self.traced - self.named - self.implied)

    @property
    def ratio(self) -> float:
        """How many we name for each that is traced."""
        return len(self.named - self.implied) / max(1, len(self.traced - self.implied))

    @property
    def ratio_with_implied(self) -> float:
        """The same, what is implied counted."""
        return len(self.named | self.implied) / max(1, len(self.traced))


def traces(path: Path, key: str) -> list[dict[str, Any]]:
    """The functions that could be called: those that have a list under ``key``."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    return [row for row in rows if isinstance(row.get(key), list)]


def report(rows: Sequence[Row], what: str) -> str:
    """The figures, and every function of which something is missed."""
    known = [row for row in rows if row.found]
    covered = [row for row in known if not row.missed]
    missed = Counter(name for row in known for name in row.missed)
    more = Counter(name for row in known for name in row.named - row.traced)
    share = 100 * len(covered) / max(1, len(rows))
    implied = sorted({name for row in rows for name in row.implied})
    counted = f" ({median(row.ratio_with_implied for row in known):.2f} with {', '.join(implied)})" if implied else ""
    lines = [
        f"{len(rows)} functions traced, {len(known)} found, {len(covered)} with all their {what} ({share:.1f} %)",
        f"median of named to traced {what} {median(row.ratio for row in known):.2f}{counted}",
        f"missed most: {missed.most_common(15)}",
        f"named beyond the trace most: {more.most_common(40)}",
        *(f"not found: {row.name}" for row in rows if not row.found),
        *(f"{row.name}: missed {', '.join(row.missed)}; {len(row.named)} named" for row in known if row.missed),
    ]
    return "\n".join(lines)
