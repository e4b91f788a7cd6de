"""A file -> the targets that build it: rules of its package that have it among their sources.

Bazel lets a rule of another package name a file too, through ``exports_files`` or a ``filegroup``; the libraries that
take a filegroup of the package are followed, the few others are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, Rule, Selector, SelectorList
from bzlgraph.loading.loader import Loader

SOURCES = ("srcs", "hdrs", "textual_hdrs")
GROUPS = ("filegroup",)


@dataclass(slots=True)
class FileOwners:
    """Answers for the files of the main repository, a package at a time."""

    loader: Loader
    _owners: dict[str, dict[str, list[Rule]]] = field(default_factory=dict)

    def __call__(self, path: str) -> tuple[str, ...]:
        """The labels of the targets that build a file, none when no rule has it."""
        package = self.loader.workspace.repository("").tree.package_of(path)
        if package is None:
            return ()
        rules = self._of_package(package).get(path[len(package) + 1 :] if package else path, [])
        return tuple(dict.fromkeys(str(each.label) for each in self._built(package, rules)))

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
            for label in _labels(rule.get(attribute)):
                if label.repo == package.repo and label.package == package.name:
                    found.setdefault(label.name, []).append(rule)
    return found


def _labels(value: Any) -> Iterator[Label]:
    if isinstance(value, Label):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _labels(each)
    elif isinstance(value, SelectorList):
        yield from _labels(value.parts)
    elif isinstance(value, Selector):
        for _, branch in value.branches:
            yield from _labels(branch)
