"""What a picture can leave out without losing its sense, before it has to be collapsed.

- Edges to conditions of selects and to package groups, and the targets that only those lead to: an arrow already says
  under which condition it holds.
- Files that only one target names, when they are many: one box says how many.
- Bazel's own repositories, which it brings along in every build, and those of toolchains that nobody writes.
All are told beside the picture. A target that the question asked for alone is never left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.graph.view import GraphView

MANY_FILES = 5
NO_DEPENDENCY = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY)
_FILES = (NodeKind.SOURCE, NodeKind.GENERATED)

Adjacency = dict[int, list[int]]


def only_named(full: Mapping[int, Sequence[int]], plain: Mapping[int, Sequence[int]]) -> set[int]:
    """Nodes of ``full`` that nothing depends on in ``plain`` (without edges to conditions), but something names.

    What only those lead to (constraint values, flags) belongs to them.
    """
    named = {end for ends in full.values() for end in ends}
    users = Counter(end for ends in plain.values() for end in ends)
    waiting = [number for number in full if number in named and not users[number]]
    hidden: set[int] = set()
    while waiting:
        number = waiting.pop()
        hidden.add(number)
        for end in plain[number]:
            users[end] -= 1
            if not users[end]:
                waiting.append(end)
    return hidden


def bundles(graph: GraphView, reduced: Mapping[int, Sequence[int]]) -> dict[tuple[int, tuple[int, ...]], list[int]]:
    """(target, what the files lead to) -> files that this target alone names, where they are many."""
    users: dict[int, list[int]] = {}
    for number, ends in reduced.items():
        for end in ends:
            users.setdefault(end, []).append(number)
    found: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for number, ends in reduced.items():
        if graph.kinds[number] in _FILES and len(users.get(number, ())) == 1:
            found.setdefault((users[number][0], tuple(ends)), []).append(number)
    return {key: files for key, files in found.items() if len(files) > MANY_FILES}
