"""A minimum cut between two nodes: arcs that cannot be cut, links that can be cut once each -> the fewest of these.

Ford and Fulkerson, from the goal back to the start: each way takes one link, and may give back what others took; when
there is no way any more, the links that lead to what still reaches the goal are the cut that is nearest to it. There
are as many ways as links in the cut, and what leads to a node is asked for when a search comes by it: where the cut is
near to the goal, or larger than anybody wants, most of a graph is never looked at.
(networkx has it too, takes 0.2 s to be imported, and wants all of the graph.)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Into = Callable[[int], tuple[Sequence[int], Sequence[int]]]
    """Node -> where the arcs come from that lead to it, and where the links do. Those that come last are tried first.
    """


def closest_cut(into: Into, start: int, goal: int, most: int) -> list[tuple[int, int]] | None:
    """Of the fewest links without which no way is left those nearest to ``goal``; None where some way has no link, or
    more than ``most`` are needed.

    >>> arcs, links = {1: [0], 3: [2], 5: [4]}, {2: [1], 4: [3]}
    >>> closest_cut(lambda node: (arcs.get(node, []), links.get(node, [])), 0, 5, most=1)
    [(3, 4)]
    """
    network = _Network(into)
    for _ in range(most + 1):
        way, near = network.way(start, goal)
        if not way:
            return [(first, end) for end in near for first in network.into(end)[1] if first not in near]
        if not network.take(way):
            return None
    return None


class _Network:
    """What leads to the nodes that were come by, and how much flows along it."""

    def __init__(self, into: Into) -> None:
        self._into = into
        self._known: dict[int, tuple[Sequence[int], Sequence[int]]] = {}
        self._flow = Counter[tuple[int, int]]()
        self._onward: defaultdict[int, dict[int, None]] = defaultdict(dict)
        """Per node, to where something flows from it."""

    def into(self, node: int) -> tuple[Sequence[int], Sequence[int]]:
        """Where arcs and links come from that lead to a node, asked for once."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._into(node)
        return found

    def way(self, start: int, goal: int) -> tuple[list[int], dict[int, int]]:
        """A way on which more can flow, [] when there is none; and all from which more can flow to the goal, as far as
        they were looked at: all of them where there is no way."""
        leads_to = {goal: goal}
        waiting = [goal]
        while waiting and start not in leads_to:
            node = waiting.pop()
            arcs, links = self.into(node)
            for before in self._open_into(node, arcs, links) if links or node in self._onward else arcs:
                if before not in leads_to:
                    leads_to[before] = node
                    waiting.append(before)
        if start not in leads_to:
            return [], leads_to
        way = [start]
        while way[-1] != goal:
            way.append(leads_to[way[-1]])
        return way, leads_to

    def _open_into(self, node: int, arcs: Sequence[int], links: Sequence[int]) -> list[int]:
        """From where more can flow to a node: along its arcs, and back from where something of it flows to."""
        return [*self._onward[node], *(first for first in links if not self._flow[first, node]), *arcs]

    def take(self, way: Sequence[int]) -> bool:
        """Let one more flow on a way; False where any amount can."""
        bounded = False
        for first, end in pairwise(way):
            if first in self._onward[end]:
                bounded = True
                self._change(end, first, -1)
            else:
                bounded |= first in self.into(end)[1]
                self._change(first, end, 1)
        return bounded

    def _change(self, first: int, end: int, by: int) -> None:
        self._flow[first, end] += by
        if self._flow[first, end]:
            self._onward[first][end] = None
        else:
            del self._onward[first][end]
