"""Lines between layers -> a net of short links from one layer to the next, in which lines share what they can.

A line that passes layers does so through way points. All lines to one target share theirs, like roads that join, or
all lines from one source: whichever end has more of them. So twenty long lines to one box are one stem with branches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Edge = tuple[int, int]
MOST_LINKS = 5_000
"""What is laid out with all tries: about forty times a picture of 60 boxes."""


@dataclass(slots=True)
class Net:
    """Boxes come first, way points after them. ``ways`` has the points of each line, its two boxes included."""

    layer: list[int]
    boxes: int
    ways: list[list[int]] = field(default_factory=list)

    @property
    def links(self) -> list[Edge]:
        """Each link once, from the upper point to the lower."""
        return sorted({link for way in self.ways for link in pairwise(way)})

    def rows(self) -> list[list[int]]:
        """The points of each layer."""
        found: list[list[int]] = [[] for _ in range(max(self.layer, default=-1) + 1)]
        for point, level in enumerate(self.layer):
            found[level].append(point)
        return found


def tries(most: int, links: int, fewest: int = 1) -> int:
    """How often a net is gone through that may be ``most`` times, so that large ones cost seconds, not minutes.

    >>> [tries(6, links) for links in (0, 119, 5_000, 10_000, 1_000_000)]
    [6, 6, 6, 3, 1]
    """
    return max(fewest, min(most, most * MOST_LINKS // max(links, 1)))


def net(layer: Sequence[int], edges: Sequence[Edge], kinds: Sequence[object]) -> Net:
    """Way points for the lines that pass a layer. Lines of different kinds, being drawn differently, share none."""
    made = Net(list(layer), len(layer))
    out = Counter((source, kind) for (source, _), kind in zip(edges, kinds, strict=True))
    into = Counter((target, kind) for (_, target), kind in zip(edges, kinds, strict=True))
    points: dict[tuple[object, bool, int, int], int] = {}
    for (source, target), kind in zip(edges, kinds, strict=True):
        by_target = into[target, kind] >= out[source, kind]
        shared = target if by_target else source
        way = [source]
        for level in range(layer[source] + 1, layer[target]):
            key = kind, by_target, shared, level
            if key not in points:
                points[key] = len(made.layer)
                made.layer.append(level)
            way.append(points[key])
        made.ways.append([*way, target])
    return made
