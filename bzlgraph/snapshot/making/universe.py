"""What ``//...`` reaches, found once: ``rdeps(//..., X)`` asks that of every X.

The rules of all packages of the main repository, and everything that they depend on, whichever edges lead there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bzlgraph.graph.index import EDGES_WORTH_NUMPY
from bzlgraph.snapshot.kept import LOADED, PENDING, RULE
from bzlgraph.snapshot.mapped import FORMATS

if TYPE_CHECKING:
    from bzlgraph.snapshot.mapped import Column

NOTHING: dict[str, Column] = {"universe": ("|u1", b""), "universe_packages": ("|u1", b"")}
"""The columns where it is not known."""


def universe_columns(
    columns: Mapping[str, Column], keys: Sequence[tuple[str, str]], names: Sequence[str] | None
) -> dict[str, Column]:
    """Whether each node is reached, and whether each package is loaded for that. ``keys``: repository and name of each
    package; ``names``: all packages of the main repository, None when nobody has listed them. Empty columns where
    something was never loaded."""
    if names is None:
        return NOTHING
    number_of = {name: number for number, (repo, name) in enumerate(keys) if not repo}
    status = _numbers(columns, "package_status")
    packages = [number_of.get(name) for name in names]
    if any(number is None or status[number] == PENDING for number in packages):
        return NOTHING
    first, kinds = _numbers(columns, "package_first"), bytes(_numbers(columns, "kinds"))
    loaded, reached = bytearray(len(keys)), bytearray(len(kinds))
    rules = bytes(kind == RULE for kind in range(256))
    for number in packages:
        if number is not None and status[number] == LOADED:
            loaded[number] = 1
            own = slice(first[number], first[number + 1])
            reached[own] = kinds[own].translate(rules)
    _follow(reached, _numbers(columns, "first_edge"), _numbers(columns, "edge_target"))
    for number in range(len(keys)):
        loaded[number] |= 1 in reached[first[number] : first[number + 1]]
    if any(each and status[number] == PENDING for number, each in enumerate(loaded)):
        return NOTHING
    return {"universe": ("|u1", reached), "universe_packages": ("|u1", loaded)}


def _follow(reached: bytearray, first: Sequence[int], targets: Sequence[int]) -> None:
    """Add what nodes lead to, in any number of steps."""
    if len(targets) >= EDGES_WORTH_NUMPY:
        _follow_many(reached, first, targets)
        return
    waiting = [node for node, each in enumerate(reached) if each]
    while waiting:
        node = waiting.pop()
        for end in targets[first[node] : first[node + 1]]:
            if not reached[end]:
                reached[end] = 1
                waiting.append(end)


def _follow_many(reached: bytearray, first: Sequence[int], targets: Sequence[int]) -> None:
    import numpy as np

    found, counts, ends_of = np.frombuffer(reached, bool), np.diff(np.asarray(first)), np.asarray(targets)
    fresh = found.copy()
    while fresh.any():
        ends = np.zeros(len(found), bool)
        ends[ends_of[np.repeat(fresh, counts)]] = True
        fresh = ends & ~found
        found |= fresh


def _numbers(columns: Mapping[str, Column], name: str) -> memoryview:
    kind, numbers = columns[name]
    return memoryview(numbers).cast("B").cast(FORMATS[kind])
