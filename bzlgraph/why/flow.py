"""A minimum cut between two nodes: arcs that cannot be cut, links that can be cut once each -> the fewest of these.

Ford and Fulkerson: each way from start to goal takes one link, and may give back what others took; when there is no way
any more, the links that lead to what still reaches the goal are the cut that is nearest to it. There are as many ways
as links in the cut, so that one look at the graph for each is all, where nobody wants a cut of more than a few.
(networkx has it too, and takes 0.2 s to be imported.)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

Arc = tuple[int, int]


def closest_cut(arcs: Iterable[Arc], links: Sequence[Arc], start: int, goal: int, most: int) -> list[Arc] | None:
    """Of the fewest links without which no way is left those nearest to ``goal``, in the order of ``links``; None where
    some way has no link, or more than ``most`` are needed.

    >>> closest_cut([(0, 1), (2, 3), (4, 5)], [(1, 2), (3, 4)], 0, 5, most=1)
    [(3, 4)]
    """
    network = _Network(arcs, links)
    for _ in range(most + 1):
        way = network.way(start, goal)
        if way is None:
            near = network.reaching(goal)
            return [(first, end) for first, end in links if end in near and first not in near]
        if not network.take(way):
            return None
    return None


class _Network:
    """Arcs, and how much flows along each."""

    def __init__(self, arcs: Iterable[Arc], links: Sequence[Arc]) -> None:
        self._ends: defaultdict[int, list[int]] = defaultdict(list)
        self._links: defaultdict[int, list[int]] = defaultdict(list)
        self._flow = Counter[Arc]()
        self._into: defaultdict[int, set[int]] = defaultdict(set)
        """Per node, from where something flows to it."""
        for first, end in arcs:
            self._ends[first].append(end)
        for first, end in links:
            self._links[first].append(end)

    def way(self, start: int, goal: int) -> list[int] | None:
        """A way on which more can flow. The next step is looked for first: where nearly everything leads to the goal,
        most is never looked at."""
        came_from = {start: start}
        waiting = [start]
        while waiting and goal not in came_from:
            node = waiting.pop()
            for end in self._open_from(node):
                if end not in came_from:
                    came_from[end] = node
                    waiting.append(end)
        if goal not in came_from:
            return None
        way = [goal]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return way[::-1]

    def _open_from(self, node: int) -> list[int]:
        """Where more can flow from a node: along its arcs, and back to where something comes from."""
        links = [end for end in self._links[node] if not self._flow[node, end]]
        return [*self._ends[node], *links, *self._into[node]]

    def take(self, way: Sequence[int]) -> bool:
        """Let one more flow on a way; False where any amount can."""
        bounded = False
        for first, end in pairwise(way):
            if end in self._into[first]:
                bounded = True
                self._change(end, first, -1)
            else:
                bounded |= end in self._links[first]
                self._change(first, end, 1)
        return bounded

    def _change(self, first: int, end: int, by: int) -> None:
        self._flow[first, end] += by
        change = set[int].add if self._flow[first, end] else set[int].discard
        change(self._into[end], first)

    def reaching(self, goal: int) -> set[int]:
        """The nodes from which more can flow to the goal."""
        before: defaultdict[int, list[int]] = defaultdict(list)
        for node in {*self._ends, *self._links, *self._into}:
            for end in self._open_from(node):
                before[end].append(node)
        found, waiting = {goal}, [goal]
        while waiting:
            for each in before[waiting.pop()]:
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return found
