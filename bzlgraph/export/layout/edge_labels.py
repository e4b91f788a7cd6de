"""Lines and what is to be written on them -> places where no word lies on a box or on another word.

A word stands on a part of its line that no other line shares; one that fits nowhere is left out (its tooltip has it).
"""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.export.layout.placed import Point, Rectangle, Route
from bzlgraph.export.pictures.text_width import text_width

LABEL_SIZE = 9.5
AIR = 2.0
WHERE = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)


def label_places(texts: Sequence[str], routes: Sequence[Route], boxes: Sequence[Rectangle]) -> tuple[Point | None, ...]:
    """The middle of each text, or None."""
    taken = list(boxes)
    found: list[Point | None] = []
    for text, route in zip(texts, routes, strict=True):
        place = _place(text, route, taken) if text else None
        if place is not None:
            taken.append(_area(text, place))
        found.append(place)
    return tuple(found)


def label_size(text: str) -> tuple[float, float]:
    """Width and height of a text of one or more lines."""
    lines = text.split("\n")
    return max(text_width(line, LABEL_SIZE) for line in lines) + 2 * AIR, len(lines) * LABEL_SIZE * 1.25 + AIR


def _area(text: str, middle: Point) -> Rectangle:
    width, height = label_size(text)
    return Rectangle(middle[0] - width / 2, middle[1] - height / 2, width, height)


def _place(text: str, route: Route, taken: Sequence[Rectangle]) -> Point | None:
    for curve in route.own:
        for at in WHERE:
            middle = point_at(route.points[3 * curve : 3 * curve + 4], at)
            area = _area(text, middle)
            if not any(area.overlaps(other) for other in taken):
                return middle
    return None


def point_at(curve: Sequence[Point], at: float) -> Point:
    """A point of a cubic Bézier curve."""
    weights = ((1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at**2 * (1 - at), at**3)
    return (
        sum(weight * point[0] for weight, point in zip(weights, curve, strict=True)),
        sum(weight * point[1] for weight, point in zip(weights, curve, strict=True)),
    )
