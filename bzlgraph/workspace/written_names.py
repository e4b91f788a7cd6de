"""A checkout -> the names in it, as far as folders and the texts of BUILD files tell: what a mistyped name may mean.

Nothing is evaluated, so what a macro names otherwise is not among them, and what is found may not be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bzlgraph.workspace.tree import RepositoryTree

_NAME = re.compile(rb"""\bname\s*=\s*["']([^"'\n\\]+)["']""")
_LABEL = re.compile(rb"""["'](@[\w.~+-]+//[^"'\n\\{%]*)["']""")
Place = tuple[str, str]
"""A package, and a name in it."""


@dataclass(frozen=True, slots=True)
class WrittenNames:
    """``packages``: by name, those that are called so, and those whose BUILD files give something that name.
    ``labels``: those of other repositories that BUILD files write. ``files``: the files of a name, or whose paths end
    with it."""

    packages: Mapping[str, Sequence[str]]
    labels: Sequence[str] = ()
    files: Callable[[str], Iterable[Place]] = lambda _: ()

    def called(self, name: str) -> Iterator[Place]:
        """What may be a target of that name, the likeliest first: of each sort, the shortest paths come first."""
        yield from ((package, name) for package in self.packages.get(name, ()))
        yield from sorted(self.files(name), key=lambda place: (sum(map(len, place)), place))


def written_names(tree: RepositoryTree) -> WrittenNames:
    """The names of a repository."""
    own: dict[str, list[str]] = {}
    declared: dict[str, list[str]] = {}
    labels = set[str]()
    for package in sorted(tree.packages_below(""), key=lambda path: (len(path), path)):
        own.setdefault(package.rpartition("/")[2], []).append(package)
        text = _text(tree, package)
        for name in {each.decode("utf-8", "replace") for each in _NAME.findall(text)}:
            declared.setdefault(name, []).append(package)
        labels.update(each.decode("utf-8", "replace") for each in _LABEL.findall(text))
    packages = {name: list(dict.fromkeys((*own.get(name, ()), *declared.get(name, ())))) for name in own | declared}

    def files(name: str) -> Iterator[Place]:
        for path in tree.listed(name):
            package = tree.package_of(path)
            if package is not None:
                yield package, path[len(package) :].lstrip("/")

    return WrittenNames(packages, sorted(labels, key=lambda each: (len(each), each)), files)


def _text(tree: RepositoryTree, package: str) -> bytes:
    try:
        return tree.read_build_file(package)[0]
    except OSError:
        return b""
