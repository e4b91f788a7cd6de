"""What very many nodes lead to, or what leads to them, found by numpy for a whole wave at once: ``Run`` goes on here
from ``WORTH_NUMPY`` nodes on. All columns are checked as a whole, as most of each is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bzlgraph.graph.index import each_once, edges_of
from bzlgraph.snapshot.evaluation.run import Many, NotLoaded
from bzlgraph.snapshot.kept import PENDING

if TYPE_CHECKING:
    from collections.abc import Set

    from numpy.typing import NDArray

    from bzlgraph.graph.index import Numbers
    from bzlgraph.snapshot.evaluation.run import Run


def closure_of_many(run: Run, reached: Set[int], wave: Set[int], lacking: Set[int], excluded: int) -> Many:
    """The closure of which ``reached`` was found so far, and ``wave`` was not followed yet; ``lacking``: of nodes whose
    packages were never loaded those that were met. Raises NotLoaded."""
    edges = _Edges(run, excluded, *_FORTH)
    pending = np.asarray(run.graph.package_status) == PENDING
    package_of, mask = np.asarray(run.graph.whole("package_of")), bytearray(edges.size)
    found, met = np.frombuffer(mask, bool), np.zeros(len(pending), bool)
    found[_numbers(reached)] = True
    fresh, lacks = _numbers(wave), set(lacking)
    while len(fresh):
        packages = package_of[fresh]
        lacks.update(fresh[pending[packages]].tolist())
        met[packages] = True
        fresh = edges.fresh_ends(fresh, found)
        found[fresh] = True
    if lacks:
        raise NotLoaded((), lacks, behind=True)
    for package in np.flatnonzero(met).tolist():
        run.touched[package] = run.told[package] = 1
    return Many(run.graph, mask)


def behind(run: Run, nodes: Many, excluded: int) -> set[int]:
    """What is named by nodes along edges with none of the flags excluded, and is none of them."""
    found = np.frombuffer(nodes.mask, bool)
    return set(_Edges(run, excluded, *_FORTH).fresh_ends(np.flatnonzero(found), found).tolist())


def reaching_of_many(run: Run, within: set[int] | Many, reached: Set[int], wave: Set[int]) -> Many:
    """What of ``within`` leads to a goal: ``reached`` so far; what names the ``wave`` was not looked for yet."""
    edges = _Edges(run, run.excluded, *_BACK)
    mask = bytearray(edges.size)
    found, passed = np.frombuffer(mask, bool), np.ones(edges.size, bool)
    passed[np.flatnonzero(np.frombuffer(within.mask, bool)) if isinstance(within, Many) else _numbers(within)] = False
    found[_numbers(reached)] = passed[_numbers(reached)] = True
    fresh = _numbers(wave)
    while len(fresh):
        fresh = edges.fresh_ends(fresh, passed)
        found[fresh] = passed[fresh] = True
    return Many(run.graph, mask)


_FORTH, _BACK = ("first_edge", "edge_target", "edge_flags"), ("first_user", "users", "user_flags")


class _Edges:
    """Those that have none of the flags excluded, by columns: where those of each node begin, the ends, the flags."""

    def __init__(self, run: Run, excluded: int, first: str, target: str, flags: str) -> None:
        whole = run.graph.whole
        self._first, self._target = np.asarray(whole(first)), np.asarray(whole(target))
        self._followed = (np.asarray(whole(flags)) & excluded) == 0 if excluded else None
        self.size = len(self._first) - 1

    def fresh_ends(self, nodes: Numbers, found: NDArray[np.bool_]) -> Numbers:
        """What nodes lead to that is not found yet, each once."""
        edges, _ = edges_of(self._first, nodes)
        if self._followed is not None:
            edges = edges[self._followed[edges]]
        ends = self._target[edges]
        return each_once(ends[~found[ends]])


def _numbers(nodes: Set[int]) -> Numbers:
    return np.fromiter(nodes, np.int32, len(nodes))
