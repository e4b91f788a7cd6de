"""The packages of an exploration in folders, as the page groups them (``web/src/tree.ts``).

A group is known by its key: ``//a/...`` a folder, ``@r//...`` a repository, ``//a/b`` a package. A folder or repository
of one group is that group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple


class Unit(NamedTuple):
    """What one node stands for: a folder (``path`` "" is a repository) or a package."""

    repository: str
    path: str
    folder: bool


class Units(NamedTuple):
    """Units, and the number of that which each package is part of."""

    units: list[Unit]
    unit_of_package: list[int]


@dataclass(slots=True)
class _Group:
    unit: Unit
    packages: list[int] = field(default_factory=list)
    children: dict[str, _Group] = field(default_factory=dict)


class Folders:
    """Packages by number, those of their targets that stand in a row."""

    def __init__(self, homes: Sequence[tuple[str, str]]) -> None:
        """``homes`` are repository and package of each target, by label."""
        numbers: dict[tuple[str, str], int] = {}
        self.package_of = [numbers.setdefault(home, len(numbers)) for home in homes]
        self.packages = list(numbers)
        self._first: list[int] = []
        for place, number in enumerate(self.package_of):
            if number == len(self._first):
                self._first.append(place)
        self._first.append(len(homes))
        self._root = _Group(Unit("", "", True))
        for number, home in enumerate(self.packages):
            self._add(number, *home)
        self._number = {_key(Unit(*home, False)): number for number, home in enumerate(self.packages)}
        self.keys = [*dict.fromkeys(_key(group.unit) for group in self._groups(self._root))]
        """Those of all groups but the whole."""

    def _add(self, number: int, repo: str, path: str) -> None:
        group = self._root
        chain = [Unit(repo, "", True)] if repo else []
        parts = path.split("/") if path else []
        chain += [Unit(repo, "/".join(parts[: end + 1]), True) for end in range(len(parts))]
        for unit in (*chain, Unit(repo, path, False)):
            group.packages.append(number)
            group = group.children.setdefault(_key(unit), _Group(unit))
        group.packages.append(number)

    def _groups(self, group: _Group) -> Iterator[_Group]:
        waiting = list(group.children.values())
        while waiting:
            each = waiting.pop()
            yield each
            waiting += each.children.values()

    def open_packages(self, keys: Iterable[str]) -> Iterator[tuple[int, int]]:
        """Where the targets of the packages among these keys begin and end."""
        for key in keys:
            number = self._number.get(key)
            if number is not None:
                yield self._first[number], self._first[number + 1]

    def units(self, opened: Set[str]) -> Units:
        """Closed folders and, in open ones, packages."""
        units, numbers = list[Unit](), [0] * len(self.packages)
        waiting = list(self._root.children.values())
        while waiting:
            group = waiting.pop()
            while len(group.children) == 1:
                (group,) = group.children.values()
            if group.children and _key(group.unit) in opened:
                waiting += group.children.values()
                continue
            for number in group.packages:
                numbers[number] = len(units)
            units.append(group.unit)
        return Units(units, numbers)


def _key(unit: Unit) -> str:
    home = f"@{unit.repository}//" if unit.repository else "//"
    if not unit.folder:
        return home + unit.path
    return f"{home}{unit.path}/..." if unit.path else f"{home}..."
