"""The ways among very many targets, found by numpy for a whole wave at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bzlgraph.graph.index import each_once, edges_of

if TYPE_CHECKING:
    from collections.abc import Set

    from numpy.typing import NDArray

    from bzlgraph.graph.index import Numbers, SparseRows

    Lists = dict[int, list[int]]

_BITS = 32
"""A pair of nodes is one number: so they are sorted and told apart at once."""
_LOW = (1 << _BITS) - 1


def named_between(dependents: SparseRows, target: int, within: Set[int]) -> tuple[Lists, Lists, bool]:
    """What each on the way to the target is named by of those ``within``, what it names, and whether any of that leads
    back: ``path_graph.find_ways`` of few."""
    first, users = np.asarray(dependents.offsets), np.asarray(dependents.values)
    left = np.zeros(len(dependents), bool)
    left[np.fromiter(within, np.int32, len(within))] = True
    inside = left.copy()
    left[target] = False
    pairs: list[Numbers] = []
    fresh: Numbers = np.array([target])
    may_turn = False
    while len(fresh):
        edges, counts = edges_of(first, fresh)
        named_by = users[edges]
        nodes = np.repeat(fresh, counts)
        nodes, named_by = nodes[inside[named_by]], named_by[inside[named_by]]
        turns = (named_by == nodes) | (named_by == target)
        may_turn |= bool(turns.any())
        pairs.append(nodes[~turns].astype(np.int64) << _BITS | named_by[~turns])
        fresh = each_once(named_by[left[named_by]])
        left[fresh] = False
    found = each_once(np.concatenate(pairs))
    ends, sources = found >> _BITS, found & _LOW
    met = inside & ~left
    return _lists(ends, sources, met), _lists(*_sorted_pairs(sources, ends), met), may_turn


def _sorted_pairs(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
    pairs = np.sort(first << _BITS | second)
    return pairs >> _BITS, pairs & _LOW


def _lists(heads: Numbers, tails: Numbers, met: NDArray[np.bool_]) -> Lists:
    """Per node that was met the tails of pairs, which are sorted by their heads. Equal numbers are one object: whoever
    looks for one in a dictionary finds it sooner."""
    nodes = np.flatnonzero(met)
    place, numbers = np.cumsum(met) - 1, np.array(nodes.tolist(), object)
    named = numbers[place[tails]].tolist()
    bounds = [*np.searchsorted(heads, nodes).tolist(), len(named)]
    return {node: named[begin:end] for node, begin, end in zip(numbers, bounds, bounds[1:], strict=False)}
