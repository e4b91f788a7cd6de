"""Nodes -> groups, each a box: targets, packages, or folders, as many as a budget allows.

Folders are folded one by one, those with the fewest targets first, so that what is large stays in sight:

>>> from bzlgraph.base.label import Label
>>> labels = [Label("", package, "x") for package in ("a", "a/b", "a/c", "d", "d/e")] + [Label("", "d", "y")]
>>> [group.name for group in by_folder(range(6), labels, 3)]
['//a/...', '//d', '//d/e']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from bzlgraph.base.label import Label

EXTERNAL_SHARE = 3
"""At most one in three boxes is for other repositories; the smallest of them share one."""
PARTS = 2
"""The rest of a folder stays folded: parts with less than one in so many of their share of the room."""
Path = tuple[str, ...]
_EVERYTHING: Path = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A box to be: the nodes that it stands for. ``folder`` is what it is listed under; ``detail`` says more of it than
    how many there are."""

    name: str
    members: tuple[int, ...]
    folder: str = ""
    detail: str = ""


def by_target(nodes: Iterable[int], labels: Sequence[Label]) -> list[Group]:
    """Each node by itself."""
    return [Group(str(labels[node]), (node,), labels[node].package_label) for node in nodes]


def by_package(nodes: Iterable[int], labels: Sequence[Label]) -> list[Group]:
    """A group for each package."""
    found: dict[Label, list[int]] = {}
    for node in nodes:
        found.setdefault(labels[node]._replace(name=""), []).append(node)
    return sorted(
        (Group(key.package_label, tuple(members), _folder(key)) for key, members in found.items()),
        key=lambda group: group.name,
    )


def by_repository(nodes: Iterable[int], labels: Sequence[Label]) -> list[Group]:
    """A group for each repository."""
    found: dict[str, list[int]] = {}
    for node in nodes:
        repo = labels[node].repo
        found.setdefault(f"@{repo}" if repo else "//...", []).append(node)
    return [Group(name, tuple(members)) for name, members in sorted(found.items())]


def by_folder(nodes: Iterable[int], labels: Sequence[Label], budget: int) -> list[Group]:
    """Packages, folded into folders and repositories until there are at most ``budget`` groups."""
    packages: dict[Path, list[int]] = {}
    for node in nodes:
        packages.setdefault(_path(labels[node]), []).append(node)
    sizes: Counter[Path] = Counter()
    for path, members in packages.items():
        for depth in range(1, len(path) + 1):
            sizes[path[:depth]] += len(members)
    home = {path: path for path in packages}
    _fold_repositories(home, sizes, budget // EXTERNAL_SHARE)
    _fold_folders(home, sizes, budget)
    _open_folders(home, sizes, budget)
    grouped: dict[Path, list[int]] = {}
    for path, members in packages.items():
        grouped.setdefault(home[path], []).extend(members)
    kinds = {path: {each for each in packages if home[each] == path} for path in grouped}
    return [
        Group(_name(path, kinds[path], rest=_is_rest(path, grouped)), tuple(grouped[path]), _parent(path))
        for path in sorted(grouped, key=lambda path: (path[:1] != ("",), path))
    ]


def _path(label: Label) -> Path:
    return (label.repo, *(label.package.split("/") if label.package else ()))


def _fold_repositories(home: dict[Path, Path], sizes: Counter[Path], budget: int) -> None:
    """Other repositories become one group each when there are too many packages of them, the smallest share one."""
    external = [path for path in home if path[0]]
    if len(external) <= budget:
        return
    repos = sorted({path[:1] for path in external}, key=lambda repo: (-sizes[repo], repo))
    single = set(repos if len(repos) <= budget else repos[: max(budget - 1, 0)])
    for path in external:
        home[path] = path[:1] if path[:1] in single else ("\0",)


def _fold_folders(home: dict[Path, Path], sizes: Counter[Path], budget: int) -> None:
    """The folder with the fewest targets first, until the budget holds; at last everything is one group."""
    count = len(set(home.values()))
    prefixes = sorted(sizes, key=lambda path: (sizes[path], -len(path), path))
    below: dict[Path, list[Path]] = {}
    for path in home:
        for depth in range(1, len(path) + 1):
            below.setdefault(path[:depth], []).append(path)
    for prefix in prefixes:
        if count <= budget:
            return
        inside = {home[path] for path in below[prefix]}
        if len(inside) > 1:
            count -= len(inside) - 1
            home.update(dict.fromkeys(below[prefix], prefix))
    if count > budget:
        home.update(dict.fromkeys(list(home), _EVERYTHING))


def _open_folders(home: dict[Path, Path], sizes: Counter[Path], budget: int) -> None:
    """The last folder that was folded may have had far more in it than was too much. Where that leaves less than half
    of the budget in use, the largest folders are opened again, one level at a time: wholly where there is room for
    that, else their largest parts.

    With half of it in use, more boxes bring too many crossings: 22 become 74 for TensorFlow's pip package.
    """
    inside: dict[Path, list[Path]] = {}
    for path, group in home.items():
        inside.setdefault(group, []).append(path)
    if len(inside) * 2 >= budget:
        return
    room = budget - len(inside)
    waiting = [(-sizes[group], group) for group in inside if group and not group[0]]
    heapify(waiting)
    while waiting and room > 0:
        _, group = heappop(waiting)
        parts = _parts(group, inside[group])
        if len(parts) == 1:
            continue
        opened = list(parts)
        if len(parts) > room + 1:
            opened = [prefix for prefix in parts if sizes[prefix] * room * PARTS >= sizes[group]]
            opened = sorted(opened, key=lambda prefix: (-sizes[prefix], prefix))[:room]
        room -= len(opened) - (len(opened) == len(parts))
        for prefix in opened:
            part = parts[prefix][0] if len(parts[prefix]) == 1 else prefix
            inside[part] = parts[prefix]
            home.update(dict.fromkeys(parts[prefix], part))
            heappush(waiting, (-sizes[part], part))


def _parts(group: Path, inside: Iterable[Path]) -> dict[Path, list[Path]]:
    """The packages in a folder by what is directly in it."""
    parts: dict[Path, list[Path]] = {}
    for path in inside:
        parts.setdefault(path[: len(group) + 1], []).append(path)
    return parts


def _is_rest(path: Path, groups: Iterable[Path]) -> bool:
    """Whether parts of the folder are groups of their own."""
    return path != _EVERYTHING and any(len(each) > len(path) and each[: len(path)] == path for each in groups)


def _name(path: Path, packages: set[Path], *, rest: bool) -> str:
    """``//a/b`` for a package, ``//a/...`` for a folder, ``@zlib`` for a repository."""
    if rest and packages != {path}:
        return f"{len(packages):,} others in //{'/'.join(path[1:])}"
    if path == _EVERYTHING:
        return "everything"
    if path[0] == "\0":
        return f"{len({package[0] for package in packages}):,} other repositories"
    repo = f"@{path[0]}" if path[0] else ""
    if len(path) == 1 and repo:
        return repo
    if packages == {path}:
        return f"{repo}//{'/'.join(path[1:])}"
    return f"{repo}//{''.join(f'{part}/' for part in path[1:])}..."


def _parent(path: Path) -> str:
    """The folder that a group is listed under."""
    if not path or path[0] == "\0" or len(path) == 1:
        return "" if not path or not path[0] else "other repositories"
    repo = f"@{path[0]}" if path[0] else ""
    return f"{repo}//{'/'.join(path[1:-1])}"


def _folder(package: Label) -> str:
    return _parent(_path(package))
