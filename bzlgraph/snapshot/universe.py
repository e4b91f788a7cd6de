"""What ``//...`` reaches, found once: ``rdeps(//..., X)`` asks that of every X.

The rules of all packages of the main repository, and everything that they depend on, whichever edges lead there.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bzlgraph.snapshot.kept import LOADED, PENDING, RULE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bzlgraph.snapshot.mapped import Column

NOTHING: dict[str, Column] = {"universe": ("|u1", b""), "universe_packages": ("|u1", b"")}
"""The columns where it is not known."""


def universe_columns(columns: Mapping[str, Column], names: Sequence[str] | None) -> dict[str, Column]:
    """Whether each node is reached, and whether each package is loaded for that. ``names``: all packages of the main
    repository, None when nobody has listed them. Empty columns where something was never loaded."""
    if names is None:
        return NOTHING
    repositories, of_package, package_names = marshal.loads(bytes(columns["packages"][1]))
    keys = zip(of_package, package_names, strict=True)
    number_of = {name: number for number, (repo, name) in enumerate(keys) if not repositories[repo]}
    status, package_of = _array(columns, "package_status"), _array(columns, "package_of")
    packages = np.array([number_of.get(name, -1) for name in names], np.int64)
    if (packages < 0).any() or (status[packages] == PENDING).any():
        return NOTHING
    roots = np.zeros(len(status), bool)
    roots[packages[status[packages] == LOADED]] = True
    reached = roots[package_of] & (_array(columns, "kinds") == RULE)
    _follow(reached, _array(columns, "first_edge"), _array(columns, "edge_target"))
    loaded = roots
    loaded[package_of[reached]] = True
    if (status[loaded] == PENDING).any():
        return NOTHING
    return {
        "universe": ("|u1", reached.astype(np.uint8).data),
        "universe_packages": ("|u1", loaded.astype(np.uint8).data),
    }


def _follow(reached: NDArray[np.bool_], first: NDArray[np.int32], targets: NDArray[np.int32]) -> None:
    """Add what nodes lead to, in any number of steps."""
    counts = np.diff(first)
    fresh = reached.copy()
    while fresh.any():
        ends = np.zeros_like(reached)
        ends[targets[np.repeat(fresh, counts)]] = True
        fresh = ends & ~reached
        reached |= fresh


def _array(columns: Mapping[str, Column], name: str) -> NDArray[np.int32]:
    kind, numbers = columns[name]
    return np.frombuffer(memoryview(numbers), np.dtype(kind)).astype(np.int32, copy=False)
