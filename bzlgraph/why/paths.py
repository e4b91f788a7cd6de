"""Which path to show, and how many there are.

Rules
- A step costs 10 and its reason a penalty (``path_graph.edge_penalty``): a plain ``deps`` beats a tool, an
  unconditional edge a branch of a select(), what somebody wrote what a default adds. Equal costs: shallower packages,
  then labels.
- Paths are told best first: what is left to the target costs what it costs, so the first part that is taken from the
  heap always begins the best of the paths that were not told yet. No path comes by a target twice.
- With few targets on the way (``FEW``) the cheapest path is the answer. With hundreds, the shortest path is an
  accident: some far corner has a short cut. Then the path starts with the *main* direct dependency, a big one that
  most targets on the way name, and follows the trunk (``dominators.trunk``), unless that is much longer.
"""

from __future__ import annotations

import heapq
from itertools import groupby

from bzlgraph.graph.algorithms.components import between, reachable, strong_components
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.why.path_graph import ROOT, steps_from

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bzlgraph.base.resolved_label import Label
    from bzlgraph.graph.algorithms.dominators import Places
    from bzlgraph.why.path_graph import Ways

    Costs = dict[int, int]
    Waiting = tuple[int, int | None, int]
    """A target, what it names by a link that was not looked at, how deep the packages lie behind it."""

STEP = 10
FEW = 64
MAX_STRETCH = 2
MAX_CANDIDATES = 48
MAX_BEGINNINGS = 500_000

_SPECIAL = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY | EdgeFlag.POSSIBLE | EdgeFlag.IMPLICIT)
_PLACES = 32
"""The bits for the depths of a path's packages: its cost and these are one number, the cost in front."""
_COSTS = (1 << _PLACES) - 1


def best_path(ways: Ways, trunk: Sequence[int]) -> list[int]:
    """The path to show, from a source to the target. ``trunk`` is given from the far end to the target's side."""
    direct = _cheapest(ways, ways.start, ways.target)
    if len(ways) > FEW and ways.start != ROOT and len(direct) > 2:
        main, most = _main_dependency(ways), MAX_STRETCH * (len(direct) - 1)
        if main is not None and main not in direct and ways.steps_to_target[main] < most:
            path = [ways.start, *_along(ways, main, trunk)]
            if len(path) - 1 <= most:
                return path
    return [number for number in direct if number != ROOT]


def _along(ways: Ways, start: int, trunk: Sequence[int]) -> list[int]:
    """From ``start`` by way of the trunk, as far as it is reached, to the target."""
    reached = reachable(ways.successors, [start]) if trunk else ()
    path = [start]
    for stop in (*(number for number in trunk if number in reached and number != start), ways.target):
        if stop in path:
            continue
        path += _cheapest(ways, path[-1], stop)[1:]
    return path


def _cheapest(ways: Ways, start: int, goal: int) -> list[int]:
    """The cheapest path between two targets on the way."""
    costs = _costs_to(ways, goal, start)
    path = [start]
    while path[-1] != goal:
        here = path[-1]
        ends = (end for end in ways.successors[here] if end in costs)
        path.append(min(ends, key=lambda end: (_add(ways, here, end, costs[end]), ways.graph.labels[end])))
    return path


def _costs_to(ways: Ways, goal: int, start: int | None = None) -> Costs:
    """The cost of the cheapest path to ``goal`` from every target, or at least from those on the cheapest paths from
    ``start``.

    Dijkstra's algorithm, all targets of one cost at once: no step is free, so none of them is on the way of another.
    With a ``start`` as A* has it: what is not as near to that as the goal is has at least as many steps to it.
    What a link costs beside its step is asked for when nothing is left that may be cheaper: of most it never is.
    """
    final: Costs = {}
    waiting: dict[int, list[Waiting]] = {0: [(goal, None, 0)]}  # by what is to be paid at least, then by costs
    ahead = [0]
    steps = steps_from(start, ways.successors, goal) if start is not None else {}
    far = steps[goal] if start is not None else 0

    while ahead and start not in final:
        key = heapq.heappop(ahead)
        alike: Costs = {}
        for target, named, deep in waiting.pop(key):
            if target in final:
                continue
            penalty = ways.penalty(target, named) if named is not None else 0
            if penalty:
                _wait(waiting, ahead, key + (penalty << _PLACES) + penalty, [(target, None, deep)])
            elif deep < alike.get(target, deep + 1):
                alike[target] = deep
        cost = key & _COSTS
        final.update((here, (cost << _PLACES) + deep) for here, deep in alike.items())
        further: dict[int, list[Waiting]] = {}  # by the steps that are left from the start
        for here, deep in alike.items():
            behind = deep + ways.graph.depth(here)
            for before in ways.predecessors[here]:
                if before not in final:
                    further.setdefault(steps.get(before, far), []).append((before, here, behind))
        for left, entries in further.items():
            _wait(waiting, ahead, (cost + STEP + STEP * left << _PLACES) + cost + STEP, entries)
    return final


def _wait(waiting: dict[int, list[Waiting]], ahead: list[int], key: int, entries: list[Waiting]) -> None:
    if key in waiting:
        waiting[key] += entries
    else:
        waiting[key] = entries
        heapq.heappush(ahead, key)


def _add(ways: Ways, source: int, target: int, rest: int) -> int:
    return rest + (STEP + ways.penalty(source, target) << _PLACES) + ways.graph.depth(target)


def _main_dependency(ways: Ways) -> int | None:
    """The direct dependency that most targets on the way name, of those that lead to more than half of them."""
    users, labels = ways.predecessors, ways.graph.labels
    usual = [number for number in ways.successors[ways.start] if _is_usual(ways, number)]
    usual.sort(key=lambda number: (-len(users[number]), labels[number]))
    for most, alike in groupby(usual[:MAX_CANDIDATES], key=lambda number: len(users[number])):
        coverage = {number: len(reachable(ways.successors, [number])) for number in alike}
        big = [number for number, reached in coverage.items() if reached * 2 > len(ways)]
        if big and most > 0:
            return max(big, key=lambda number: (coverage[number], labels[number]))
    return None


def _is_usual(ways: Ways, number: int) -> bool:
    """Named without a special condition: always, or in the default branch."""
    best, columns = ways.numbers(ways.start, number)[0], ways.graph.columns
    if columns.edge_flags[best] & _SPECIAL:
        return False
    return all(term.is_default for term in columns.conditions[columns.edge_condition[best]])


def count_shortest(ways: Ways) -> tuple[int, int]:
    """(steps of the shortest path, how many paths have that length)."""
    steps, wave = ways.steps_to_target, {ways.start: 1}
    for left in range(steps[ways.start] - 1, -1, -1):
        nearer: dict[int, int] = {}
        for here, count in wave.items():
            for end in ways.successors[here]:
                if steps[end] == left:
                    nearer[end] = nearer.get(end, 0) + count
        wave = nearer
    return steps[ways.start] - (ways.start == ROOT), wave[ways.target]


def count_all(ways: Ways, found: Places) -> tuple[int, bool]:
    """(how many paths there are, whether that is exact); a cycle counts as one target. ``found``: all targets on the
    way by their places."""
    if found.turns:
        return _count_between_cycles(ways)
    numbers = [1] * len(found.nodes)
    for place in range(len(numbers) - 2, -1, -1):
        numbers[place] = sum(map(numbers.__getitem__, found.named[place]))
    return numbers[found.nodes.index(ways.start)], True


def _count_between_cycles(ways: Ways) -> tuple[int, bool]:
    component, members = strong_components(ways.successors)
    counts: list[int] = []
    for here, below in enumerate(between(ways.successors, component, members)):  # sinks first
        counts.append(1 if component[ways.target] == here else sum(counts[end] for end in below))
    return counts[component[ways.start]], len(members) == len(ways.successors)


def best_paths(ways: Ways) -> Iterator[list[int]]:
    """All paths without cycles, the cheapest first; equally good ones in the order of their labels.

    Where cycles make too many beginnings that lead nowhere else (``MAX_BEGINNINGS``), those found until then.
    """
    labels, left = ways.graph.labels, _costs_to(ways, ways.target)
    beginnings = 1
    waiting: list[tuple[int, tuple[Label, ...], int, list[int]]]
    waiting = [(left[ways.start], (), 0, [ways.start])]
    while waiting and beginnings < MAX_BEGINNINGS:
        _, names, spent, path = heapq.heappop(waiting)
        here = path[-1]
        if here == ways.target:
            yield [number for number in path if number != ROOT]
            continue
        for end in ways.successors[here]:
            if end in left and end not in path:
                beginnings += 1
                cost = _add(ways, here, end, spent)
                heapq.heappush(waiting, (cost + left[end], (*names, labels[end]), cost, [*path, end]))
