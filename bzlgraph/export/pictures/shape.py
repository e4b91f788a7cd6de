"""Which way a picture should run: boxes are wide and flat, so deep graphs run downwards and broad ones to the right.

>>> is_deep({n: [n + 1] for n in range(20)} | {20: []})
True
>>> is_deep({0: list(range(1, 20))} | {n: [] for n in range(1, 20)})
False
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from bzlgraph.graph.components import between, strong_components

BOX_WIDTH, BOX_HEIGHT = 180, 45
RANK_GAP = 45
GOOD_ASPECT = 1.5


def is_deep(successors: Mapping[int, Sequence[int]]) -> bool:
    """Whether drawing it downwards comes nearer to the shape of a page than drawing it to the right."""
    layers = _layers(successors)
    depth, breadth = len(layers), max(layers, default=1)
    downwards = breadth * (BOX_WIDTH + RANK_GAP / 3), depth * (BOX_HEIGHT + RANK_GAP)
    rightwards = depth * (BOX_WIDTH + RANK_GAP), breadth * (BOX_HEIGHT + RANK_GAP / 3)
    return _distance(*downwards) < _distance(*rightwards)


def _distance(width: float, height: float) -> float:
    return abs(log(width / max(height, 1) / GOOD_ASPECT)) if width else 0.0


def _layers(successors: Mapping[int, Sequence[int]]) -> list[int]:
    """How many boxes stand in each layer, a layer being the longest way to a leaf; a cycle stands in one layer."""
    component, members = strong_components(successors)
    height: list[int] = []
    for below in between(successors, component, members):  # sinks first
        height.append(1 + max((height[other] for other in below), default=-1))
    counts = [0] * (max(height, default=-1) + 1)
    for number in successors:
        counts[height[component[number]]] += 1
    return counts
