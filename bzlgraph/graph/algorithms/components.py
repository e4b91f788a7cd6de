"""Strongly connected components: the cycles of a graph, each as one.

>>> strong_components({1: [2], 2: [1, 3], 3: []})
({3: 0, 2: 1, 1: 1}, [[3], [2, 1]])
"""

from __future__ import annotations

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
    from typing import TypeVar

    T = TypeVar("T", bound=Hashable)


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


def reachable(successors: Mapping[T, Sequence[T]], roots: Iterable[T], met: Set[T] = frozenset()) -> set[T]:
    """The roots, and all that edges lead to from them without entering what was ``met`` before."""
    found = set(roots)
    wave = found
    while wave:
        fresh: set[T] = set()
        fresh.update(*(successors.get(node, ()) for node in wave))
        wave = fresh - found - met
        found |= wave
    return found


def between(
    successors: Mapping[int, Sequence[int]], component: Mapping[int, int], members: Sequence[object]
) -> list[set[int]]:
    """For each component of ``strong_components`` those that an edge leads to from it."""
    after: list[set[int]] = [set() for _ in members]
    for node, ends in successors.items():
        here = component[node]
        after[here].update(there for end in ends if (there := component[end]) != here)
    return after


def _pop_component(root: int, stack: list[int], component: dict[int, int], members: list[list[int]]) -> None:
    found = []
    while True:
        node = stack.pop()
        component[node] = len(members)
        found.append(node)
        if node == root:
            break
    members.append(found)
