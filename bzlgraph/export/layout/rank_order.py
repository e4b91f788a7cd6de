"""A net -> the order of the points in each layer, with few crossings.

Sugiyama's way: each layer in turn is sorted by where its neighbours stand, down and up again; neighbours in a layer
change places where that helps. Several starts, the best counts. The starts are drawn from a fixed seed, so a picture is
the same each time. Large nets, which nobody sees as a whole, get fewer starts.
"""

from __future__ import annotations

import random
from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence

from bzlgraph.export.layout.bundle import Net, tries

STARTS = 6
SWEEPS = 10
MOST_EXCHANGED = 20_000
"""Rows with more links in all are sorted only: trying each pair of neighbours costs ten times that."""
Rows = list[list[int]]
Neighbours = list[list[int]]


def ordered(net: Net, groups: Mapping[int, str]) -> tuple[Rows, int]:
    """The rows from left to right and how many links cross. ``groups`` of boxes stay together in a row."""
    above: Neighbours = [[] for _ in net.layer]
    below: Neighbours = [[] for _ in net.layer]
    links = net.links
    for upper, lower in links:
        below[upper].append(lower)
        above[lower].append(upper)
    chance = random.Random(1)
    best: tuple[int, Rows] | None = None
    for start in range(tries(STARTS, len(links))):
        rows = net.rows()
        if start:
            for row in rows:
                chance.shuffle(row)
        exchange = len(links) <= MOST_EXCHANGED
        found = _sweep(rows, above, below, groups, downwards=start % 2 == 0, exchange=exchange)
        if best is None or found[0] < best[0]:
            best = found
        if not best[0]:
            break
    assert best is not None
    return best[1], best[0]


def _sweep(
    rows: Rows, above: Neighbours, below: Neighbours, groups: Mapping[int, str], *, downwards: bool, exchange: bool
) -> tuple[int, Rows]:
    best, kept, idle = crossings(rows, below), [list(row) for row in rows], 0
    for turn in range(SWEEPS):
        down = (turn % 2 == 0) == downwards
        levels = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for level in levels:
            beside = rows[level - 1] if down else rows[level + 1]
            place = {point: number for number, point in enumerate(beside)}
            _sort(rows[level], above if down else below, place, groups)
        if turn >= 1 and exchange:
            _exchange(rows, above, below, groups)
        count = crossings(rows, below)
        if count < best:
            best, kept, idle = count, [list(row) for row in rows], 0
        else:
            idle += 1
            if idle > 3:
                break
    return best, kept


def _sort(row: list[int], neighbours: Neighbours, place: Mapping[int, int], groups: Mapping[int, str]) -> None:
    """By the mean place of the neighbours; what has none keeps its own. A group stands where its mean is."""
    wanted: dict[int, float] = {}
    for number, point in enumerate(row):
        near = [place[other] for other in neighbours[point]]
        wanted[point] = sum(near) / len(near) if near else number * len(place) / max(len(row), 1)
    means: dict[str, list[float]] = {}
    for point in row:
        if point in groups:
            means.setdefault(groups[point], []).append(wanted[point])
    block = {name: sum(found) / len(found) for name, found in means.items()}
    row.sort(
        key=lambda point: (
            block[groups[point]] if point in groups else wanted[point],
            groups.get(point, ""),
            wanted[point],
        )
    )


def _exchange(rows: Rows, above: Neighbours, below: Neighbours, groups: Mapping[int, str]) -> None:
    """Neighbours in a row change places while that makes crossings fewer."""
    for level, row in enumerate(rows):
        up = {point: number for number, point in enumerate(rows[level - 1])} if level else {}
        down = {point: number for number, point in enumerate(rows[level + 1])} if level + 1 < len(rows) else {}
        sides = {
            point: (sorted([up[each] for each in above[point]]), sorted([down[each] for each in below[point]]))
            for point in row
        }
        better: dict[tuple[int, int], bool] = {}  # the rows beside stay as they are: each pair is judged once
        improved, rounds = True, 0
        while improved and rounds < 8:
            improved, rounds = False, rounds + 1
            for at in range(len(row) - 1):
                left, right = pair = row[at], row[at + 1]
                if groups.get(left) != groups.get(right) and _splits(row, at, groups):
                    continue
                if pair not in better:
                    gained = sum(_gained(a, b) for a, b in zip(sides[left], sides[right], strict=True))
                    better[left, right], better[right, left] = gained > 0, gained < 0
                if better[pair]:
                    row[at], row[at + 1] = right, left
                    improved = True


def _splits(row: Sequence[int], at: int, groups: Mapping[int, str]) -> bool:
    """Whether changing places there would tear a group apart."""
    left, right = groups.get(row[at]), groups.get(row[at + 1])
    before = groups.get(row[at - 1]) if at else None
    after = groups.get(row[at + 2]) if at + 2 < len(row) else None
    return (left is not None and before == left) or (right is not None and after == right)


def _gained(left: Sequence[int], right: Sequence[int]) -> int:
    """How many crossings fewer there are when two points change places; both lead to sorted places on one side."""
    if not left or not right or left[-1] < right[0]:
        return -len(left) * len(right) if left and right else 0
    if right[-1] < left[0]:
        return len(left) * len(right)
    return sum(bisect_left(right, place) for place in left) - sum(bisect_left(left, place) for place in right)


def crossings(rows: Rows, below: Neighbours) -> int:
    """How many links cross, all layers together."""
    total = 0
    for level in range(len(rows) - 1):
        place = {point: number for number, point in enumerate(rows[level + 1])}
        seen: list[int] = []
        for point in rows[level]:
            ends = sorted(place[end] for end in below[point])
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total
