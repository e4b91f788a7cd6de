"""How many edges of a picture cross: counted in its SVG, whoever laid it out.

A pair of edges crosses when their drawn lines do, every curve being read as 16 points; pairs with a common end do not
count. Lines between the same two boxes, in either direction, are one line (``merged``) or all of them (``raw``).
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

SVG = "{http://www.w3.org/2000/svg}"
POINTS = 16
Points = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """One drawn edge."""

    source: str
    target: str
    points: Points

    @property
    def ends(self) -> frozenset[str]:
        return frozenset((self.source, self.target))

    @property
    def length(self) -> float:
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())


@dataclass(frozen=True)
class Measured:
    """What is counted in one picture; ``edge_length`` is the mean of the merged lines, in px."""

    raw_lines: int
    raw: int
    lines: int
    merged: int
    edge_length: float
    width: float
    height: float


def measure(svg: str) -> Measured:
    """Count and measure the lines of a picture."""
    root = ElementTree.fromstring(svg)
    lines = lines_of(root)
    merged = list({line.ends: line for line in reversed(lines)}.values())
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    length = sum(line.length for line in merged) / max(len(merged), 1)
    return Measured(len(lines), crossings(lines), len(merged), crossings(merged), round(length), width, height)


def lines_of(root: ElementTree.Element) -> list[Line]:
    """The edges of an SVG that Graphviz wrote: groups of the class edge, titled ``source->target``."""
    found = []
    for group in root.iter(f"{SVG}g"):
        if group.get("class", "").split()[:1] != ["edge"]:
            continue
        source, _, target = group.findtext(f"{SVG}title", "").partition("->")
        points = [polyline(path.attrib["d"]) for path in group.iter(f"{SVG}path")]
        if points:
            found.append(Line(source, target, np.concatenate(points)))
    return found


def polyline(path: str) -> Points:
    """The points of a path of Graphviz: ``Mx,y Cx,y x,y x,y ...``; each curve gives 16."""
    numbers = np.array([float(each) for each in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", path)]).reshape(-1, 2)
    at = np.linspace(0, 1, POINTS)[:, None]
    curves = []
    for start in range(0, len(numbers) - 1, 3):
        a, b, c, d = numbers[start : start + 4]
        curves.append((1 - at) ** 3 * a + 3 * at * (1 - at) ** 2 * b + 3 * at**2 * (1 - at) * c + at**3 * d)
    return np.concatenate(curves)


def crossings(lines: Sequence[Line]) -> int:
    """Pairs of lines without a common end that cross."""
    boxes = [(*line.points.min(axis=0), *line.points.max(axis=0)) for line in lines]
    count = 0
    for one, other in combinations(range(len(lines)), 2):
        a, b = boxes[one], boxes[other]
        apart = a[0] > b[2] or b[0] > a[2] or a[1] > b[3] or b[1] > a[3]
        if not apart and not lines[one].ends & lines[other].ends:
            count += cross(lines[one].points, lines[other].points)
    return count


def cross(one: Points, other: Points) -> bool:
    """Whether two polylines cross; touching or running along each other is no crossing."""
    a, b = one[:-1, None], one[1:, None]
    c, d = other[None, :-1], other[None, 1:]
    through_one = _side(a, b, c) * _side(a, b, d) < 0
    through_other = _side(c, d, a) * _side(c, d, b) < 0
    return bool((through_one & through_other).any())


def _side(start: Points, end: Points, point: Points) -> Points:
    """On which side of the line from start to end a point is."""
    ahead, aside = end - start, point - start
    return ahead[..., 0] * aside[..., 1] - ahead[..., 1] * aside[..., 0]
