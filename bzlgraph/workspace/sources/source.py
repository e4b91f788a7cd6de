"""Where files come from: one small protocol, so that a disk, a git revision or a test's dict can stand behind it.

Paths are relative to the source's root, ``/`` separated; "" is the root itself. This is the only module of the lower
layers that opens files.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

MAX_FILE_BYTES = 64 << 20
"""No file that a person or a generator writes for Bazel is larger; the largest known BUILD files have 2 MB."""


class ContentUnknown(OSError):
    """A file that is there, of which nobody knows what is in it: a download, the output of a command."""

    def __init__(self, why: str) -> None:
        super().__init__(errno.ENODATA, f"its content is not known: {why}")


class Source(Protocol):
    """A tree of files."""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError when it cannot be read."""

    def is_file(self, path: str) -> bool:
        """Whether ``path`` is a file (links followed)."""

    def is_folder(self, path: str) -> bool:
        """Whether ``path`` is a folder (links followed)."""

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        """(files, folders) directly below a folder, sorted; both empty when it cannot be listed."""


@dataclass(frozen=True, slots=True)
class DiskSource:
    """A folder on disk. Links are followed, as Bazel does, but a folder link to one of its own parents is not."""

    root: Path

    def read(self, path: str) -> bytes:
        with open(os.path.join(self.root, path), "rb", opener=_open_without_waiting) as file:
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, f"larger than {MAX_FILE_BYTES >> 20} MB")
        return data

    def is_file(self, path: str) -> bool:
        return os.path.isfile(os.path.join(self.root, path))

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(os.path.join(self.root, path))

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        files: list[str] = []
        folders: list[str] = []
        try:
            with os.scandir(os.path.join(self.root, path)) as found:
                for entry in found:
                    if entry.is_symlink():
                        self._sort_link(entry, files, folders)
                    elif entry.is_dir():
                        folders.append(entry.name)
                    elif entry.is_file():
                        files.append(entry.name)  # not pipes, sockets and devices: reading one may never end
        except OSError:
            return [], []
        files.sort()
        folders.sort()
        return files, folders

    def links(self) -> list[str]:
        """The names of the links directly in the root."""
        with suppress(OSError), os.scandir(self.root) as found:
            return sorted(entry.name for entry in found if entry.is_symlink())
        return []

    def _sort_link(self, entry: os.DirEntry[str], files: list[str], folders: list[str]) -> None:
        """Put a link where its target belongs; dangling links and links into a loop are neither."""
        if entry.is_dir():
            target = os.path.realpath(entry.path)
            if not os.path.realpath(os.path.dirname(entry.path)).startswith(target.rstrip("/") + "/"):
                folders.append(entry.name)
        elif entry.is_file():
            files.append(entry.name)


def _open_without_waiting(path: str, flags: int) -> int:
    """Open like ``open``, but not wait for somebody to write to a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@dataclass(slots=True)
class MemorySource:
    """Files in a mapping of path to bytes: tests, virtual repositories, overlays of absent ones."""

    contents: Mapping[str, bytes]
    _tree: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        folders: dict[str, tuple[set[str], set[str]]] = {"": (set(), set())}
        for path in self.contents:
            parent, _, name = path.rpartition("/")
            folders.setdefault(parent, (set(), set()))[0].add(name)
            while parent:
                above, _, folder = parent.rpartition("/")
                folders.setdefault(above, (set(), set()))[1].add(folder)
                parent = above
        self._tree = {path: (sorted(files), sorted(below)) for path, (files, below) in folders.items()}

    def read(self, path: str) -> bytes:
        if path not in self.contents:
            raise FileNotFoundError(path)
        return self.contents[path]

    def is_file(self, path: str) -> bool:
        return path in self.contents

    def is_folder(self, path: str) -> bool:
        return path in self._tree

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        return self._tree.get(path, ([], []))
