"""Groups instead of targets, when a picture would have too many edges: packages, then folders, then repositories.

>>> from bzlgraph.base.label import Label
>>> [level.key(Label("", "a/b/c", "d")) for level in LEVELS]
['', '//a/b/c', '//a/b/...', '//a/...', '//...']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bzlgraph.base.label import Label


@dataclass(frozen=True, slots=True)
class Level:
    """One degree of collapse: ``key`` gives the group of a label ("" for the target itself)."""

    name: str
    words: str
    key: Callable[[Label], str]


def _folder(depth: int) -> Callable[[Label], str]:
    """The package cut to ``depth`` folders; other repositories are one group each."""

    def key(label: Label) -> str:
        if label.repo:
            return f"@{label.repo}"
        parts = label.package.split("/")
        return f"//{'/'.join(parts[:depth])}/..." if len(parts) > depth else f"//{label.package}"

    return key


LEVELS = (
    Level("none", "targets", lambda label: ""),
    Level("package", "packages", lambda label: label.package_label),
    Level("folder2", "folders (depth 2)", _folder(2)),
    Level("folder1", "top folders", _folder(1)),
    Level("repo", "repositories", lambda label: f"@{label.repo}" if label.repo else "//..."),
)
BY_NAME = {level.name: level for level in LEVELS}


@dataclass(frozen=True, slots=True)
class Grouped:
    """A quotient graph: ``names[g]`` of each group, ``members[g]``, edges between groups with their number."""

    names: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    edges: Mapping[tuple[int, int], int]

    def successors(self) -> dict[int, list[int]]:
        """The edges as an adjacency."""
        adjacency: dict[int, list[int]] = {group: [] for group in range(len(self.names))}
        for source, target in self.edges:
            adjacency[source].append(target)
        return adjacency


def group(successors: Mapping[int, Sequence[int]], labels: Sequence[Label], level: Level) -> Grouped:
    """Put nodes of one key together; edges inside a group vanish. Groups are sorted by name."""
    keys = {number: level.key(labels[number]) for number in successors}
    names = tuple(sorted(set(keys.values())))
    position = {name: place for place, name in enumerate(names)}
    members: list[list[int]] = [[] for _ in names]
    edges: dict[tuple[int, int], int] = {}
    for number, ends in successors.items():
        here = position[keys[number]]
        members[here].append(number)
        for end in ends:
            pair = (here, position[keys[end]])
            if pair[0] != pair[1]:
                edges[pair] = edges.get(pair, 0) + 1
    return Grouped(names, tuple(map(tuple, members)), dict(sorted(edges.items())))
