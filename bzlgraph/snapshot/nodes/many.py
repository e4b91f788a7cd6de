"""What very many nodes lead to, or what leads to them, found by numpy for a whole wave at once: ``Run`` goes on here
from ``NODES_WORTH_NUMPY`` nodes on. All columns are checked as a whole, as most of each is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from typing import TYPE_CHECKING

import numpy as np

from bzlgraph.graph.index import each_once, edges_of
from bzlgraph.snapshot.kept import PENDING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bzlgraph.graph.index import Numbers
    from bzlgraph.snapshot.kept import KeptGraph


def closure_of_many(
    graph: KeptGraph, reached: Set[int], wave: Set[int], excluded: int, waves: list[Collection[int]] | None
) -> tuple[bytearray, set[int], list[int]]:
    """The closure of which ``reached`` was found so far, and ``wave`` was not followed yet, a byte for each node of the
    graph; those of its nodes whose packages were never loaded, and the packages that were met. ``waves`` gets what is
    reached in one more step, in two, and so on."""
    edges = _Edges(graph, excluded, *_FORTH)
    pending = np.asarray(graph.package_status) == PENDING
    package_of, mask = np.asarray(graph.whole("package_of")), bytearray(edges.size)
    found, met = np.frombuffer(mask, bool), np.zeros(len(pending), bool)
    found[_numbers(reached)] = True
    fresh, lacking = _numbers(wave), set[int]()
    while len(fresh):
        packages = package_of[fresh]
        lacking.update(fresh[pending[packages]].tolist())
        met[packages] = True
        fresh = edges.fresh_ends(fresh, found)
        found[fresh] = True
        if waves is not None:
            waves.append(fresh.tolist())
    return mask, lacking, np.flatnonzero(met).tolist()


def behind(graph: KeptGraph, mask: memoryview | bytearray, excluded: int) -> set[int]:
    """What is named by nodes along edges with none of the flags excluded, and is none of them."""
    found = np.frombuffer(mask, bool)
    return set(_Edges(graph, excluded, *_FORTH).fresh_ends(np.flatnonzero(found), found).tolist())


def reaching_of_many(
    graph: KeptGraph, within: Set[int] | memoryview | bytearray, reached: Set[int], wave: Set[int], excluded: int
) -> bytearray:
    """What of ``within`` leads to a goal, a byte for each node of the graph: ``reached`` so far; what names the
    ``wave`` was not looked for yet."""
    edges = _Edges(graph, excluded, *_BACK)
    mask = bytearray(edges.size)
    found, passed = np.frombuffer(mask, bool), np.ones(edges.size, bool)
    passed[_numbers(within) if isinstance(within, Set) else np.flatnonzero(np.frombuffer(within, bool))] = False
    found[_numbers(reached)] = passed[_numbers(reached)] = True
    fresh = _numbers(wave)
    while len(fresh):
        fresh = edges.fresh_ends(fresh, passed)
        found[fresh] = passed[fresh] = True
    return mask


def runs_of_many(first: memoryview, mask: memoryview | bytearray) -> Iterable[tuple[int, int]]:
    """``run.runs`` of the nodes of a mask."""
    turns = np.flatnonzero(np.diff(np.frombuffer(mask, np.int8), prepend=0, append=0))
    begins_and_ends = np.asarray(first)[turns].tolist()
    return zip(begins_and_ends[::2], begins_and_ends[1::2], strict=True)


_FORTH, _BACK = ("first_edge", "edge_target", "edge_flags"), ("first_user", "users", "user_flags")


class _Edges:
    """Those that have none of the flags excluded, by columns: where those of each node begin, the ends, the flags."""

    def __init__(self, graph: KeptGraph, excluded: int, first: str, target: str, flags: str) -> None:
        whole = graph.whole
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
