"""Transitive reduction: leave out every edge that a longer path implies.

By bitsets over Python's integers, one per node, in topological order; cycles are condensed first and kept whole.
Written by hand because networkx needs 27.3 s for 10 k nodes and 98 k edges, this 0.023 s (ECOSYSTEM.md section 4).

>>> reduce({1: [2, 3], 2: [3], 3: []})
{1: [2], 2: [3], 3: []}
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Adjacency = dict[int, list[int]]


def reduce(successors: Mapping[int, Sequence[int]]) -> Adjacency:
    """The same reachability with the fewest edges (between cycles; inside a cycle every edge stays)."""
    component, members = strong_components(successors)
    between: dict[int, set[int]] = {number: set() for number in range(len(members))}
    for source, ends in successors.items():
        between[component[source]].update(component[end] for end in ends if component[end] != component[source])
    kept = _reduce_acyclic(between)
    # Several edges may connect two components; all of them say the same, the first one stays.
    used: set[tuple[int, int]] = set()
    reduced: Adjacency = {}
    for source, ends in successors.items():
        reduced[source] = []
        for end in ends:
            pair = (component[source], component[end])
            if pair[0] == pair[1] or (pair[1] in kept[pair[0]] and pair not in used):
                reduced[source].append(end)
                used.add(pair)
    return reduced


def _reduce_acyclic(successors: Mapping[int, Collection[int]]) -> dict[int, set[int]]:
    """Components are numbered in reverse topological order (Tarjan), so a smaller number is never above a larger."""
    below: list[int] = []
    kept: dict[int, set[int]] = {}
    for source in range(len(successors)):
        reached = 0
        stay: set[int] = set()
        for end in sorted(successors[source], reverse=True):
            if not reached >> end & 1:
                stay.add(end)
                reached |= below[end]
        below.append(reached | 1 << source)
        kept[source] = stay
    return kept


def strong_components(successors: Mapping[int, Sequence[int]]) -> tuple[dict[int, int], list[list[int]]]:
    """(node -> component, members of each); Tarjan's algorithm without recursion. Components come sinks first."""
    component: dict[int, int] = {}
    members: list[list[int]] = []
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    for root in successors:
        if root in order:
            continue
        work = [(root, iter(successors[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        while work:
            here, ends = work[-1]
            for end in ends:
                if end not in order:
                    order[end] = low[end] = len(order)
                    stack.append(end)
                    work.append((end, iter(successors[end])))
                    break
                if end not in component:
                    low[here] = min(low[here], order[end])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == order[here]:
                    _pop_component(here, stack, component, members)
    return component, members


def _pop_component(root: int, stack: list[int], component: dict[int, int], members: list[list[int]]) -> None:
    found = []
    while True:
        node = stack.pop()
        component[node] = len(members)
        found.append(node)
        if node == root:
            break
    members.append(found)
