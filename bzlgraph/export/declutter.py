"""What a picture can leave out without losing its sense, before it has to be collapsed.

- Conditions of selects and package groups of visibilities: an arrow already says under which condition it holds.
- Files that only one target names, when they are many: one box says how many.
Both are told below the picture. A target that the question asked for alone is never left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import EdgeFlag, NodeKind

MANY_FILES = 5
_NOT_A_DEPENDENCY = EdgeFlag.KEY | EdgeFlag.VISIBILITY
_FILES = (NodeKind.SOURCE, NodeKind.GENERATED)

Adjacency = dict[int, list[int]]


def without_conditions(graph: BuildGraph, full: Mapping[int, Sequence[int]], without: int) -> tuple[Adjacency, int]:
    """(the graph without nodes that are reached only as conditions or by visibility, how many there were)."""
    depended: set[int] = set()
    named: set[int] = set()
    for number, ends in full.items():
        for end in ends:
            edges = graph.edges_between(number, end, without)
            (depended if any(not edge.flags & _NOT_A_DEPENDENCY for edge in edges) else named).add(end)
    # What a condition needs (constraint values, flags) goes with it.
    hidden = named - depended
    while more := _only_from(full, hidden) - hidden:
        hidden |= more
    kept = {n: [end for end in ends if end not in hidden] for n, ends in full.items() if n not in hidden}
    return kept, len(hidden)


def _only_from(full: Mapping[int, Sequence[int]], hidden: set[int]) -> set[int]:
    """Nodes that only hidden nodes lead to."""
    below = {end for number in hidden for end in full[number]}
    kept = {end for number, ends in full.items() if number not in hidden for end in ends}
    return below - kept


def bundles(graph: BuildGraph, reduced: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """target -> the files that it alone names and that lead nowhere, where they are many."""
    users: dict[int, list[int]] = {}
    for number, ends in reduced.items():
        for end in ends:
            users.setdefault(end, []).append(number)
    found: dict[int, list[int]] = {}
    for number, ends in reduced.items():
        if graph.kinds[number] in _FILES and not ends and len(users.get(number, ())) == 1:
            found.setdefault(users[number][0], []).append(number)
    return {number: files for number, files in found.items() if len(files) > MANY_FILES}


def names(graph: BuildGraph, numbers: Iterable[int]) -> str:
    """Labels, one per line, for a tooltip."""
    return "\n".join(str(graph.labels[number]) for number in numbers)
