"""Boxes with sizes, lines between them -> a placed drawing: rectangles, curves, frames, crossings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bzlgraph.export.layout.bundle import Net, net
from bzlgraph.export.layout.columns import Gaps, columns, spread
from bzlgraph.export.layout.layers import layers
from bzlgraph.export.layout.rank_order import ordered

Point = tuple[float, float]
Edge = tuple[int, int]
BOX_HEIGHT = 34.0
BOX_GAP, LINE_GAP = 18.0, 11.0
ROW_GAP, GAP_PER_LINK, WIDEST_ROW_GAP = 44.0, 1.3, 96.0
PORT_GAP, PORT_MARGIN = 9.0, 10.0
FRAME_SIDE, FRAME_TOP, FRAME_BOTTOM = 7.0, 17.0, 6.0
ALONE = "not connected"
BEND = 0.5
"""How far a curve keeps its direction between two rows."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """``x`` and ``y`` are the upper left corner; y grows downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def overlaps(self, other: Rectangle) -> bool:
        """Whether they have more than a border in common."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame around neighbours of one folder."""

    name: str
    area: Rectangle


@dataclass(frozen=True, slots=True)
class Route:
    """A line as Bézier curves: a start, then three points for each curve. ``own`` are the curves no other line uses."""

    points: tuple[Point, ...]
    own: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where everything stands; all of it is right of and below (0, 0)."""

    boxes: tuple[Rectangle, ...]
    routes: tuple[Route, ...]
    frames: tuple[Frame, ...]
    crossings: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is to be placed: boxes by their widths, and edges, every one of which leads down.

    Only edges of one of ``kinds`` may share a line; boxes of one of ``groups`` stand together; to ``roots``, which
    stand in the first row, nothing leads.
    """

    widths: Sequence[float]
    edges: Sequence[Edge]
    kinds: Sequence[object]
    groups: Mapping[int, str]
    roots: Sequence[int] = ()


def place(sketch: Sketch, room: float, widest: float) -> Placed:
    """Lay it out. Boxes of a row are at most ``room`` wide, all of it ``widest`` where lines allow it."""
    widths, edges = sketch.widths, sketch.edges
    made = net(layers(widths, edges, room, sketch.roots), edges, sketch.kinds)
    linked = {end for edge in edges for end in edge}
    alone = {box: ALONE for box in range(len(widths)) if box not in linked} if edges else {}
    groups = {**sketch.groups, **alone}
    rows, crossed = ordered(made, groups)
    x = columns(made, rows, widths, Gaps(BOX_GAP, LINE_GAP, widest - 2 * FRAME_SIDE))
    _align_left(rows, x, widths, linked)
    tops = _tops(made)
    boxes = [
        Rectangle(x[number] - width / 2, tops[made.layer[number]], width, BOX_HEIGHT)
        for number, width in enumerate(widths)
    ]
    frames = _frames(rows, boxes, groups)
    left = min((area.x for area in (*boxes, *(frame.area for frame in frames))), default=0.0)
    left = min([left, *x[made.boxes :]])
    routes = _routes(made, x, boxes, tops)
    right = max([*(area.right for area in (*boxes, *(frame.area for frame in frames))), *x[made.boxes :]], default=0.0)
    return Placed(
        tuple(_shifted(box, -left) for box in boxes),
        tuple(Route(tuple((a - left, b) for a, b in route.points), route.own) for route in routes),
        tuple(Frame(frame.name, _shifted(frame.area, -left)) for frame in frames),
        crossed,
        right - left,
        (tops[-1] if tops else 0.0) + BOX_HEIGHT + FRAME_BOTTOM,
    )


def _align_left(rows: Sequence[Sequence[int]], x: list[float], widths: Sequence[float], linked: set[int]) -> None:
    """Rows of boxes without lines begin where the drawing does."""
    left = min((x[point] - widths[point] / 2 for point in linked), default=0.0)
    for row in rows:
        if linked and row and row[0] < len(widths) and linked.isdisjoint(row):
            by = left + FRAME_SIDE - (x[row[0]] - widths[row[0]] / 2)
            for point in row:
                x[point] += by


def _shifted(area: Rectangle, by: float) -> Rectangle:
    return Rectangle(area.x + by, area.y, area.width, area.height)


def _tops(made: Net) -> list[float]:
    """Where each row begins: the more links between two rows, the more room they get."""
    count = Counter(made.layer[upper] for upper, _ in made.links)
    tops = [FRAME_TOP]
    for level in range(max(made.layer, default=0)):
        gap = min(ROW_GAP + GAP_PER_LINK * count[level], WIDEST_ROW_GAP)
        tops.append(tops[-1] + BOX_HEIGHT + gap)
    return tops


def _frames(rows: Sequence[Sequence[int]], boxes: Sequence[Rectangle], groups: Mapping[int, str]) -> list[Frame]:
    """A frame for each run of boxes of one group; what has no lines fills rows, which are named once."""
    found: list[Frame] = []
    for row in rows:
        run: list[int] = []
        for point in [*row, -1]:
            if run and groups.get(point) != groups[run[0]]:
                if len(run) > 1:
                    name = groups[run[0]]
                    again = name == ALONE and any(frame.name == ALONE for frame in found)
                    found.append(_frame("" if again else name, [boxes[each] for each in run]))
                run = []
            if point in groups:
                run.append(point)
    return found


def _frame(name: str, inside: Sequence[Rectangle]) -> Frame:
    x, y = inside[0].x - FRAME_SIDE, inside[0].y - FRAME_TOP
    area = Rectangle(x, y, inside[-1].right + FRAME_SIDE - x, inside[0].bottom + FRAME_BOTTOM - y)
    return Frame(name, area)


def _routes(made: Net, x: Sequence[float], boxes: Sequence[Rectangle], tops: Sequence[float]) -> list[Route]:
    """The curves of each line."""
    links = made.links
    leaving = _ports([(upper, lower) for upper, lower in links if upper < made.boxes], boxes, x)
    entering = _ports([(lower, upper) for upper, lower in links if lower < made.boxes], boxes, x)
    used = Counter(link for way in made.ways for link in pairwise(way))
    routes = []
    for way in made.ways:
        points: list[Point] = []
        own: list[int] = []
        for link in pairwise(way):
            upper, lower = link
            start = leaving.get((upper, lower), x[upper]), tops[made.layer[upper]] + BOX_HEIGHT
            end = entering.get((lower, upper), x[lower]), tops[made.layer[lower]]
            if not points:
                points.append(start)
            elif points[-1] != start:
                points += [points[-1], start, start]
            if used[link] == 1:
                own.append((len(points) - 1) // 3)
            bend = (end[1] - start[1]) * BEND
            points += [(start[0], start[1] + bend), (end[0], end[1] - bend), end]
        routes.append(Route(tuple(points), tuple(own)))
    return routes


def _ports(links: Sequence[Edge], boxes: Sequence[Rectangle], x: Sequence[float]) -> dict[Edge, float]:
    """Where links touch the side of their box: straight towards the other end where there is room."""
    by_box: dict[int, list[int]] = {}
    for box, other in links:
        by_box.setdefault(box, []).append(other)
    found: dict[Edge, float] = {}
    for box, others in by_box.items():
        others.sort(key=lambda other: x[other])
        area = boxes[box]
        low, high = area.x + PORT_MARGIN, area.right - PORT_MARGIN
        gap = min(PORT_GAP, (high - low) / max(len(others) - 1, 1))
        wanted = [min(max(x[other], low), high) for other in others]
        # From both sides: what is pushed out on the right is pushed back in from there.
        offsets = [number * gap for number in range(len(others))]
        ports = spread(wanted, offsets, [1.0] * len(others))
        last = len(others) - 1
        for number, (other, port) in enumerate(zip(others, ports, strict=True)):
            found[box, other] = min(max(port, low + offsets[number]), high - (last - number) * gap)
    return found
