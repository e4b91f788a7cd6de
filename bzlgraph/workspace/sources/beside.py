"""Folders beside a tree, each under a name at its top: Python packages that a checkout does not hold itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bzlgraph.workspace.sources.source import Source


@dataclass(frozen=True, slots=True)
class BesideSource:
    """``base`` with other sources as its top-level folders: what has the name of one in ``base`` itself is hidden."""

    base: Source
    beside: Mapping[str, Source] = field(default_factory=dict)

    def read(self, path: str) -> bytes:
        source, inside = self.place(path)
        return source.read(inside)

    def is_file(self, path: str) -> bool:
        source, inside = self.place(path)
        return source.is_file(inside)

    def is_folder(self, path: str) -> bool:
        source, inside = self.place(path)
        return source.is_folder(inside)

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        source, inside = self.place(path)
        files, folders = source.entries(inside)
        return (files, folders) if path else (files, sorted({*folders, *self.beside}))

    def place(self, path: str) -> tuple[Source, str]:
        """The source that has a path, and the path there."""
        head, _, rest = path.partition("/")
        return (self.beside[head], rest) if head in self.beside else (self.base, path)
