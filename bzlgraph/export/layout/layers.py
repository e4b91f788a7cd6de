"""Boxes and lines without a cycle -> layers, none wider than a page.

After Coffman and Graham: from the bottom up, each box in the lowest layer that is above all it leads to and has room.
Then boxes move to where their lines are shortest.

>>> layers([10, 10, 10], [(0, 1), (1, 2)], room=100)
[0, 1, 2]
>>> layers([10, 10, 10], [(0, 1), (0, 2)], room=15)
[0, 2, 1]
"""

from __future__ import annotations

from collections.abc import Sequence

Edge = tuple[int, int]
GAP = 18.0
ROUNDS = 12


def layers(widths: Sequence[float], edges: Sequence[Edge], room: float, roots: Sequence[int] = ()) -> list[int]:
    """The layer of each box, 0 at the top. A line leads from a lower number of a layer to a higher one; ``roots``, to
    which none leads, are at the top."""
    ends: list[list[int]] = [[] for _ in widths]
    starts: list[list[int]] = [[] for _ in widths]
    for source, target in edges:
        ends[source].append(target)
        starts[target].append(source)
    alone = [node for node in range(len(widths)) if not ends[node] and not starts[node]]
    height = _heights(widths, ends, starts, room)
    _shorten(height, widths, ends, starts, room)
    _below(height, alone, widths, room)
    top = max(height, default=0)
    for root in roots:
        height[root] = top
    used = {level: number for number, level in enumerate(sorted(set(height), reverse=True))}
    return [used[level] for level in height]


def _below(height: list[int], alone: Sequence[int], widths: Sequence[float], room: float) -> None:
    """Boxes without lines fill rows of their own below the others."""
    level, filled = -1, 0.0
    for node in alone:
        if filled and filled + widths[node] + GAP > room:
            level, filled = level - 1, 0.0
        filled += widths[node] + GAP
        height[node] = level


def _heights(widths: Sequence[float], ends: list[list[int]], starts: list[list[int]], room: float) -> list[int]:
    """Layers counted from the bottom."""
    from_top = _depths(ends, starts)
    height = [-1] * len(widths)
    filled: list[float] = []
    waiting = [len(each) for each in ends]
    ready = [node for node, count in enumerate(waiting) if not count and starts[node]]
    while ready:
        # What is deepest below the roots must be placed first; among equals those with many users.
        node = max(ready, key=lambda node: (from_top[node], len(starts[node]), -node))
        ready.remove(node)
        level = max((height[end] + 1 for end in ends[node]), default=0)
        while level < len(filled) and filled[level] and filled[level] + widths[node] + GAP > room:
            level += 1
        while level >= len(filled):
            filled.append(0.0)
        filled[level] += widths[node] + GAP
        height[node] = level
        for start in starts[node]:
            waiting[start] -= 1
            if not waiting[start]:
                ready.append(start)
    return height


def _depths(ends: list[list[int]], starts: list[list[int]]) -> list[int]:
    """The longest way to each box from above."""
    depth = [0] * len(ends)
    waiting = [len(each) for each in starts]
    ready = [node for node, count in enumerate(waiting) if not count]
    while ready:
        node = ready.pop()
        for end in ends[node]:
            depth[end] = max(depth[end], depth[node] + 1)
            waiting[end] -= 1
            if not waiting[end]:
                ready.append(end)
    return depth


def _shorten(
    height: list[int], widths: Sequence[float], ends: list[list[int]], starts: list[list[int]], room: float
) -> None:
    """Move boxes within the layers that their lines allow, to where these are shortest."""
    filled: dict[int, float] = {}
    for node, level in enumerate(height):
        filled[level] = filled.get(level, 0.0) + widths[node] + GAP
    top = max(height, default=0)
    for _ in range(ROUNDS):
        moved = False
        for node in range(len(height)):
            here, size = height[node], widths[node] + GAP
            lowest = max((height[end] + 1 for end in ends[node]), default=0)
            highest = min((height[start] - 1 for start in starts[node]), default=top)
            if not starts[node]:
                highest = max(lowest, here)
            if not ends[node] and not starts[node]:
                continue
            pull = len(starts[node]) - len(ends[node])
            better = range(here + 1, highest + 1) if pull > 0 else range(lowest, here) if pull < 0 else range(0)
            for level in sorted(better, reverse=pull > 0):
                if filled.get(level, 0.0) + size <= room:
                    filled[here] -= size
                    filled[level] = filled.get(level, 0.0) + size
                    height[node] = level
                    moved = True
                    break
        if not moved:
            return
