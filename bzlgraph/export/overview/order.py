"""A graph with cycles -> an order from top to bottom that few edges run against.

Components of cycles stay together; inside one the greedy heuristic of Eades, Lin and Smyth gives an order, which
moving single nodes improves. Weights are numbers of edges, damped, so that few lines run upwards, and thin ones first.

>>> downward({0: [1], 1: [2], 2: [0]}, {(0, 1): 9, (1, 2): 9, (2, 0): 1})
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from bzlgraph.graph.algorithms.components import strong_components

Pairs = Mapping[tuple[int, int], int]
Weights = dict[int, dict[int, float]]
ROUNDS = 8


def downward(successors: Mapping[int, Sequence[int]], counts: Pairs, first: frozenset[int] = frozenset()) -> list[int]:
    """The nodes from top to bottom; those of ``first`` stand above the others of their cycle."""
    _, members = strong_components(successors)
    order: list[int] = []
    for component in reversed(members):
        if len(component) == 1:
            order += component
            continue
        inside = set(component)
        ends = {
            node: {end: 1 + log(counts[node, end]) for end in successors[node] if end in inside}
            for node in sorted(component)
        }
        order += _improved(_greedy(ends, first), ends, first)
    return order


def _greedy(ends: Weights, first: frozenset[int]) -> list[int]:
    """Sinks to the bottom, sources to the top; else the node that gives most more than it takes."""
    starts: Weights = {node: {} for node in ends}
    for node, after in ends.items():
        for end, weight in after.items():
            starts[end][node] = weight
    left = dict.fromkeys(ends)
    top, bottom = [node for node in ends if node in first], list[int]()
    for node in top:
        del left[node]
    while left:
        sinks = [node for node in left if not any(end in left for end in ends[node])]
        sources = [node for node in left if not any(start in left for start in starts[node])]
        if sinks:
            taken, side = sinks[0], bottom
        elif sources:
            taken, side = sources[0], top
        else:
            taken, side = max(left, key=lambda node: _surplus(node, left, ends, starts)), top
        side.append(taken)
        del left[taken]
    return top + bottom[::-1]


def _surplus(node: int, left: Mapping[int, None], ends: Weights, starts: Weights) -> float:
    out = sum(weight for end, weight in ends[node].items() if end in left)
    return out - sum(weight for start, weight in starts[node].items() if start in left)


def _improved(order: list[int], ends: Weights, first: frozenset[int]) -> list[int]:
    """Single nodes go where fewest edges run up, until that helps no more."""
    for _ in range(ROUNDS):
        moved = False
        for node in list(order):
            if node in first:
                continue
            place = order.index(node)
            best, gain = place, 0.0
            for step in (-1, 1):
                at, change = place + step, 0.0
                while 0 <= at < len(order) and order[at] not in first:
                    other = order[at]
                    change += step * (ends[other].get(node, 0.0) - ends[node].get(other, 0.0))
                    if change > gain + 1e-9:
                        best, gain = at, change
                    at += step
            if best != place:
                order.insert(best, order.pop(place))
                moved = True
        if not moved:
            break
    return order
