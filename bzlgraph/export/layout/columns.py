"""Ordered rows -> the horizontal place of each point: lines straight where they can be, boxes that never overlap.

Each row in turn goes to where its neighbours want it, which is a least squares problem with gaps to keep; pooling
adjacent violators solves it exactly.

>>> spread([5.0, 5.0], [0.0, 10.0], [1.0, 1.0])
[0.0, 10.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bzlgraph.export.layout.bundle import Net, tries

SWEEPS, FEWEST_SWEEPS = 64, 8
FAR = 1e9
STRAIGHT = (1.0, 3.0, 24.0)
"""How much a link with no, one or two way points wants to be straight."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """How far apart boxes are, how far way points are from what is beside, how wide all may be where rows allow it."""

    boxes: float
    lines: float
    widest: float


def columns(net: Net, rows: Sequence[Sequence[int]], widths: Sequence[float], gaps: Gaps) -> list[float]:
    """The middle of each point. ``widths`` are those of boxes."""
    neighbours: tuple[list[list[int]], list[list[int]]] = ([[] for _ in net.layer], [[] for _ in net.layer])
    links = net.links
    for upper, lower in links:
        neighbours[0][lower].append(upper)
        neighbours[1][upper].append(lower)
    offsets = [_offsets(row, net.boxes, widths, gaps.boxes, gaps.lines) for row in rows]
    x = [0.0] * len(net.layer)
    for row, places in zip(rows, offsets, strict=True):
        for point, place in zip(row, places, strict=True):
            x[point] = place - (places[-1] / 2 if places else 0)
    sweeps = tries(SWEEPS, len(links), FEWEST_SWEEPS)
    for sweep in range(sweeps):
        levels = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        sides = neighbours if sweep >= sweeps // 2 else (neighbours[sweep % 2],)
        for level in levels:
            row = rows[level]
            wanted, weights = [], []
            for point in row:
                near = [
                    (x[other], STRAIGHT[(point >= net.boxes) + (other >= net.boxes)])
                    for side in sides
                    for other in side[point]
                ]
                weight = sum(each for _, each in near)
                wanted.append(sum(at * each for at, each in near) / weight if near else x[point])
                weights.append(weight if near else 0.05)
            for point, place in zip(row, spread(wanted, offsets[level], weights), strict=True):
                x[point] = place
    _squeeze(rows, offsets, x, gaps.widest - max(widths, default=0.0))
    _straighten(net, rows, offsets, x)
    return x


def _squeeze(rows: Sequence[Sequence[int]], offsets: Sequence[Sequence[float]], x: list[float], widest: float) -> None:
    """Draw in what stands out at either side, so that the middles are within ``widest``, or as far as rows allow."""
    low, high = min(x, default=0.0), max(x, default=0.0)
    needed = max((places[-1] for places in offsets if places), default=0.0)
    room = max(widest, needed)
    if high - low <= room:
        return
    middle = sum(x) / len(x)
    low, high = middle - room / 2, middle + room / 2
    for row, places in zip(rows, offsets, strict=True):
        for point, place in zip(row, places, strict=True):
            x[point] = min(max(x[point], low + place), high - (places[-1] - place))


def _straighten(net: Net, rows: Sequence[Sequence[int]], offsets: Sequence[Sequence[float]], x: list[float]) -> None:
    """Way points of one line go below each other as far as what stands beside them allows."""
    spot = {point: (level, number) for level, row in enumerate(rows) for number, point in enumerate(row)}

    def room(point: int) -> tuple[float, float]:
        level, number = spot[point]
        row, places = rows[level], offsets[level]
        low = x[row[number - 1]] + places[number] - places[number - 1] if number else -FAR
        high = x[row[number + 1]] - places[number + 1] + places[number] if number + 1 < len(row) else FAR
        return low, high

    done: set[int] = set()
    for way in net.ways:
        run: list[int] = []
        low, high = -FAR, FAR
        for point in [*way[1:-1], None]:
            mine = (x[point], x[point]) if point in done else room(point) if point is not None else (FAR, -FAR)
            if run and max(low, mine[0]) > min(high, mine[1]):
                _put(run, low, high, x)
                run, low, high = [], -FAR, FAR
            if point is not None:
                run.append(point)
                low, high = max(low, mine[0]), min(high, mine[1])
        done.update(way[1:-1])


def _put(run: Sequence[int], low: float, high: float, x: list[float]) -> None:
    middle = sum(x[point] for point in run) / len(run)
    for point in run:
        x[point] = min(max(middle, low), high)


def _offsets(row: Sequence[int], boxes: int, widths: Sequence[float], gap: float, thin: float) -> list[float]:
    """How far each point of a row is at least from its first."""
    found: list[float] = []
    for before, point in zip([None, *row[:-1]], row, strict=True) if row else ():
        if before is None:
            found.append(0.0)
            continue
        halves = sum(widths[each] / 2 for each in (before, point) if each < boxes)
        air = gap if before < boxes and point < boxes else thin
        found.append(found[-1] + halves + air)
    return found


def spread(wanted: Sequence[float], offsets: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The places nearest to those wanted (least squares) that keep the order and the distances of ``offsets``."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many
    for want, offset, weight in zip(wanted, offsets, weights, strict=True):
        mean, count = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, heavy, more = blocks.pop()
            mean = (mean * weight + before * heavy) / (weight + heavy)
            weight, count = weight + heavy, count + more
        blocks.append((mean, weight, count))
    means = [mean for mean, _, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
