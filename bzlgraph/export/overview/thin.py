"""Bundles between parts -> lines: one between two parts, down or up or both, those left out that a longer way implies.

Reachability stays as it is: what lines and ways along them connect is what bundles connected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bzlgraph.export.overview.model import Bundle, Line
from bzlgraph.export.overview.order import downward
from bzlgraph.export.pictures.reduce import reduce
from bzlgraph.graph.algorithms.components import reachable

Bundles = Mapping[tuple[int, int], Bundle]


@dataclass(frozen=True, slots=True)
class Thinned:
    """The parts from top to bottom, the lines, and the bundles that no line shows."""

    order: list[int]
    levels: dict[int, int]
    lines: list[Line]
    implied: list[tuple[int, int, Bundle]]


def thin(parts: Sequence[int], bundles: Bundles, roots: frozenset[int], *, reduced: bool = True) -> Thinned:
    """Lines for these parts, as few as say it all; with ``reduced=False`` one for each pair.

    Two parts that depend on each other always have their line.
    """
    successors = _successors(parts, bundles)
    order = downward(successors, {pair: bundle.count for pair, bundle in bundles.items()}, roots)
    place = {part: number for number, part in enumerate(order)}
    down = {pair for pair in bundles if place[pair[0]] < place[pair[1]]}
    up = bundles.keys() - down
    kept_down, kept_up = down, up
    if reduced:
        mutual = {(a, b) for a, b in down if (b, a) in up}
        kept_down = {(a, b) for a, ends in reduce(_successors(order, down)).items() for b in ends} | mutual
        kept_up = {(b, a) for a, b in mutual} | _needed_upwards(kept_down, up, place)
    drawn = sorted({(a, b) for a, b in kept_down} | {(b, a) for a, b in kept_up}, key=lambda pair: _places(pair, place))
    lines = [Line(a, b, bundles.get((a, b)), bundles.get((b, a))) for a, b in drawn]
    shown = {pair for line in lines for pair in ((line.upper, line.lower), (line.lower, line.upper))}
    implied = [(a, b, bundle) for (a, b), bundle in bundles.items() if (a, b) not in shown]
    return Thinned(order, _levels(order, down), lines, implied)


def _needed_upwards(
    down: set[tuple[int, int]], up: set[tuple[int, int]], place: Mapping[int, int]
) -> set[tuple[int, int]]:
    """The upward pairs that no other way replaces, the longest given up first."""
    kept = set(up)
    for pair in sorted(up, key=lambda pair: (place[pair[1]] - place[pair[0]], pair)):
        rest = down | (kept - {pair})
        if pair[1] in reachable(_successors(sorted(place), rest), [pair[0]]):
            kept.discard(pair)
    return kept


def _levels(order: Sequence[int], down: set[tuple[int, int]]) -> dict[int, int]:
    """The longest way down from each part."""
    ends = _successors(order, down)
    levels: dict[int, int] = {}
    for part in reversed(order):
        levels[part] = 1 + max((levels[end] for end in ends[part]), default=-1)
    return levels


def _places(pair: tuple[int, int], place: Mapping[int, int]) -> tuple[int, int]:
    return place[pair[0]], place[pair[1]]


def _successors(
    parts: Sequence[int], pairs: Mapping[tuple[int, int], object] | set[tuple[int, int]]
) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {part: [] for part in parts}
    for a, b in sorted(pairs):
        found[a].append(b)
    return found
