"""The counter of crossings itself, on drawings whose crossings one can see."""

from __future__ import annotations

import numpy as np

from tests.export.crossings import Line, crossings, measure, polyline


def line(name: str, *points: tuple[float, float]) -> Line:
    source, target = name.split("-")
    return Line(source, target, np.array(points, dtype=float))


def test_lines_that_cross_and_such_that_only_touch() -> None:
    one, other = line("a-b", (0, 0), (10, 10)), line("c-d", (0, 10), (10, 0))
    assert crossings([one, other]) == 1
    assert crossings([one, line("a-d", (0, 10), (10, 0))]) == 0  # a common end
    assert crossings([one, line("c-d", (0, 0), (10, 10))]) == 0  # along each other
    assert crossings([one, line("c-d", (5, 5), (10, 0))]) == 0  # touches
    assert crossings([one, line("c-d", (20, 0), (30, 10))]) == 0
    assert crossings([one, other, line("e-f", (0, 9), (10, 1)), line("g-h", (5, 0), (5, 20))]) == 6


def test_curves_are_sixteen_points() -> None:
    points = polyline("M0,0C0,10 10,10 10,0")
    assert len(points) == 16
    assert points[0].tolist() == [0, 0]
    assert points[-1].tolist() == [10, 0]
    assert 7 < points[:, 1].max() <= 7.5


def test_parallel_lines_are_one_and_raw_counts_all() -> None:
    edges = [("a", "b", 0), ("b", "a", 1), ("c", "d", 0)]
    paths = {"ab": "M0,0C3,3 6,6 10,10", "ba": "M0,1C3,4 6,7 10,11", "cd": "M0,10C3,6 6,3 10,0"}
    groups = "".join(f'<g class="edge"><title>{a}-&gt;{b}</title><path d="{paths[a + b]}"/></g>' for a, b, _ in edges)
    found = measure(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{groups}</svg>')
    assert (found.raw_lines, found.lines, found.raw, found.merged) == (3, 2, 2, 1)
    assert found.edge_length == 14
