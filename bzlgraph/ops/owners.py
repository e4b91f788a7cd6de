"""A file -> the targets that build it: rules of its package that have it among their sources.

Bazel lets a rule of another package name a file too, through ``exports_files`` or a ``filegroup``; the libraries that
take a filegroup of the package are followed. Rules of other packages that name the file itself are looked for where
trees are made so (``elsewhere``): in packages of the same top-level folder whose BUILD file has the package's label.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from bzlgraph.bazel.conditional import labels_in
from bzlgraph.bazel.model import Package, Rule
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.source import Source

SOURCES = ("srcs", "hdrs", "textual_hdrs")
GROUPS = ("filegroup",)
BUILD_NAMES = ("BUILD.bazel", "BUILD")


@dataclass(slots=True)
class FileOwners:
    """Answers for the files of the main repository, a package at a time."""

    loader: Loader
    elsewhere: bool = False
    _owners: dict[str, dict[str, list[Rule]]] = field(default_factory=dict)
    _texts: dict[str, dict[str, bytes]] = field(default_factory=dict)

    def __call__(self, path: str) -> tuple[str, ...]:
        """The labels of the targets that build a file, none when no rule has it."""
        package = self.loader.workspace.repository("").tree.package_of(path)
        if package is None:
            return ()
        name = path[len(package) + 1 :] if package else path
        rules = list(self._built(package, self._of_package(package).get(name, [])))
        if not rules and self.elsewhere and package:
            rules = list(self._of_others(package, name))
        return tuple(dict.fromkeys(str(each.label) for each in rules))

    def _of_others(self, package: str, name: str) -> Iterator[Rule]:
        """The rules of other packages that name a file of this one."""
        needle = f"//{package}:{name}"
        for other, text in self._builds(package.partition("/")[0]).items():
            if other != package and needle.encode() in text:
                yield from self._of_package(other).get(needle, [])

    def _builds(self, top: str) -> dict[str, bytes]:
        """The BUILD files below a top-level folder, by package."""
        found = self._texts.get(top)
        if found is None:
            found = self._texts[top] = dict(_build_files(self.loader.workspace.repository("").tree.source, top))
        return found

    def _built(self, package: str, rules: list[Rule]) -> Iterator[Rule]:
        """The rules, with what takes a filegroup in its place."""
        for rule in rules:
            takers = self._of_package(package).get(rule.label.name, []) if rule.rule_class.name in GROUPS else []
            yield from takers or [rule]

    def _of_package(self, name: str) -> dict[str, list[Rule]]:
        found = self._owners.get(name)
        if found is None:
            package = self.loader.find("", name)
            found = self._owners[name] = _owners(package) if package is not None else {}
        return found


def _owners(package: Package) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in package.rules():
        for attribute in SOURCES:
            for label in labels_in(rule.get(attribute)):
                if label.repo == package.repo:
                    name = label.name if label.package == package.name else f"//{label.package}:{label.name}"
                    found.setdefault(name, []).append(rule)
    return found


def _build_files(source: Source, top: str) -> Iterator[tuple[str, bytes]]:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        files, folders = source.entries(folder)
        name = next((each for each in BUILD_NAMES if each in files), None)
        if name is not None:
            with suppress(OSError):
                yield folder, source.read(f"{folder}/{name}")
        waiting += [f"{folder}/{each}" for each in sorted(folders, reverse=True)]
