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

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.cache import counters, looks

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


MAX_LINKED = 5_000
"""Folders behind links that one tree may have: links to one another make as many paths as one likes."""


def joined(folder: str, name: str) -> str:
    """The path of something below a folder; "" is the root, and what is there itself.

    >>> joined("a", "b"), joined("", "b"), joined("a", "")
    ('a/b', 'b', 'a')
    """
    return f"{folder}/{name}" if folder and name else folder or name


NUL = "\0"
"""A checkout may write one into a path, and no file is called so: Python refuses such a path by ValueError."""


LONGEST = 4096
"""Longer paths Linux refuses; to look at each folder on the way takes quadratic time."""


def _is_no_path(path: str) -> bool:
    return len(path) > LONGEST or NUL in path


def real_path(path: str | os.PathLike[str]) -> str:
    """Where a path leads when all links are followed; itself if it holds a NUL, and so leads nowhere."""
    text = os.fspath(path)
    return text if NUL in text else looks.real_path(text)


class Outside(OSError):
    """A path that a link, or ``..``, leads out of where a checkout may be read."""

    def __init__(self, path: str, target: str) -> None:
        super().__init__(errno.EACCES, f"'{path}' leads outside the checkout, to {target}")


def _goes_in_circles(path: str) -> bool:
    """Whether links lead to one another."""
    try:
        os.stat(path)
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


@dataclass(frozen=True, slots=True)
class DiskSource:
    """A folder on disk. Links are followed, as Bazel does, but a folder link to one of its own parents is not.

    ``reach``: the real folders that links may lead to beside the folder itself; None is everywhere. What lies elsewhere
    is not opened and not listed; ``refused`` tells which folders that concerned so far, with where they are.
    """

    root: Path
    reach: tuple[str, ...] | None = None
    refused: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    loops: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Links that were met and lead to a folder above them, or to one another, with Bazel's word for that."""
    _reached: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)
    _linked: set[str] = field(default_factory=set, compare=False, repr=False)
    _reals: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Real paths, of paths from the root and of what lies in real folders."""
    _listed: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict, compare=False, repr=False)
    """Folders that were listed: those who walk through a tree in ways of their own list each of them once together."""

    def read(self, path: str) -> bytes:
        if _is_no_path(path):
            raise FileNotFoundError(errno.ENOENT, "no such file: it is too long for a path, or holds a NUL")
        if not self.reaches(path):
            raise Outside(path, real_path(os.path.join(self.root, path)))
        whole = os.path.join(self.root, path)
        looks.look(whole)
        counters.count(counters.READ)
        with open(whole, "rb", opener=_open_without_waiting) as file:
            # To read at most so much takes memory for so much: the size that the file tells is tried first.
            size = min(os.fstat(file.fileno()).st_size, MAX_FILE_BYTES)
            data = file.read(size + 1)
            if len(data) > size:  # it has grown, or tells none
                data += file.read(MAX_FILE_BYTES + 1 - len(data))
        if len(data) > MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, f"larger than {MAX_FILE_BYTES >> 20} MB")
        return data

    def is_file(self, path: str) -> bool:
        return self.reaches(os.path.dirname(path)) and looks.is_file(os.path.join(self.root, path))

    def is_folder(self, path: str) -> bool:
        return self.reaches(path) and looks.is_folder(os.path.join(self.root, path))

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        found = self._listed.get(path)
        if found is None:
            found = self._listed[path] = self._list(path)
        return found

    def _list(self, path: str) -> tuple[list[str], list[str]]:
        files: list[str] = []
        folders: list[str] = []
        if not self.reaches(path):
            return [], []
        whole = os.path.join(self.root, path)
        looks.look(whole)
        with suppress(OSError), os.scandir(whole) as found:
            for entry in found:
                if entry.is_symlink():
                    with suppress(OSError):  # links to one another
                        self._sort_link(path, entry, files, folders)
                elif entry.is_dir():
                    folders.append(entry.name)
                elif entry.is_file():
                    files.append(entry.name)  # not pipes, sockets and devices: reading one may never end
        files.sort()
        folders.sort()
        return files, folders

    def links(self, folder: str = "") -> list[str]:
        """The names of the links directly in a folder."""
        whole = os.path.join(self.root, folder) if folder else str(self.root)
        looks.look(whole)
        with suppress(OSError), os.scandir(whole) as found:
            return sorted(entry.name for entry in found if entry.is_symlink())
        return []

    def _sort_link(self, folder: str, entry: os.DirEntry[str], files: list[str], folders: list[str]) -> None:
        """Put a link where its target belongs; dangling links and links into a loop are neither."""
        where = os.path.join(self.root, folder, entry.name)
        path = joined(folder, entry.name)
        if not looks.is_folder(where):
            if looks.is_file(where):
                files.append(entry.name)
            elif _goes_in_circles(where):
                self.loops[path] = "Symlink cycle"
            return
        target = self._real(path)
        if not self._in_reach(target):
            self.refused[path] = target
        elif self._is_loop(folder, target):
            self.loops[path] = "Infinite symlink expansion"
        elif len(self._linked) < MAX_LINKED:
            self._linked.add(path)
            folders.append(entry.name)
        else:
            self.refused[path] = f"{target}, after {MAX_LINKED} folders behind links"

    def _is_loop(self, folder: str, target: str) -> bool:
        """Whether a link in a folder leads to that folder, or to one on the way to it, whatever links led there: then
        it would lead there again and again."""
        below = target.rstrip("/") + "/"
        while not (self._real(folder).rstrip("/") + "/").startswith(below):
            if not folder:
                return False
            folder = folder.rpartition("/")[0]
        return True

    def _real(self, path: str) -> str:
        """Where a path leads when all links are followed. Each folder is looked at once, however many ways use it."""
        if not self._reals:
            self._reals[""] = real_path(self.root)
        waiting = [] if path in self._reals else [path]
        while waiting and (above := waiting[-1].rpartition("/")[0]) not in self._reals:
            waiting.append(above)
        for way in reversed(waiting):
            above, _, name = way.rpartition("/")
            full = os.path.join(self._reals[above], name)
            if full not in self._reals:
                direct = name not in ("", ".", "..") and not looks.is_link(full)
                self._reals[full] = full if direct else real_path(full)
            self._reals[way] = self._reals[full]
        return self._reals[path]

    def reaches(self, path: str) -> bool:
        """Whether a path stays where this tree may be read. Only a link leads out, and each is looked at once."""
        if _is_no_path(path):
            return False
        if self.reach is None or not path:
            return True
        known = self._reached.get(path)
        if known is None:
            if path[0] == "/" or ".." in path.split("/"):
                return self._in_reach(real_path(os.path.join(self.root, path)))
            waiting = [path]
            while (above := waiting[-1].rpartition("/")[0]) and above not in self._reached:
                waiting.append(above)
            known = self._reached.get(above, True)
            for way in reversed(waiting):
                known = self._reached[way] = known and self._in_reach(self._real(way))
        return known

    def may_leave(self) -> bool:
        """Whether there is a place outside of the folder itself that links may lead to."""
        return any(place != self._real("") for place in self.reach or ())

    def ways_out(self) -> list[tuple[str, str]]:
        """The links to what lies outside of the folder itself that were followed so far, and where they lead."""
        inside = (self._real("").rstrip("/") + "/",)
        known = ((way, self._reals.get(way, "")) for way, reached in sorted(self._reached.items()) if reached)
        out = ((way, real) for way, real in known if real and not real.startswith(inside))
        return [(way, real) for way, real in out if f"{self._real(way.rpartition('/')[0])}/".startswith(inside)]

    def _in_reach(self, real: str) -> bool:
        if self.reach is None:
            return True
        return any(
            real == folder or real.startswith(folder.rstrip("/") + "/") for folder in (self._real(""), *self.reach)
        )


def folder_of(source: Source) -> Path | None:
    """The folder on disk that a source is, None for any other."""
    return source.root if isinstance(source, DiskSource) else None


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


@dataclass(frozen=True, slots=True)
class BesideSource:
    """``base`` with other sources as its top-level folders, such as Python packages that a checkout does not hold.

    What has the name of one in ``base`` itself is hidden.
    """

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


@dataclass(frozen=True, slots=True)
class TolerantSource:
    """Another source, in which a file that cannot be read is empty, and a gap: it spoils no answer about the others."""

    base: Source
    gaps: dict[str, Gap] = field(default_factory=dict)

    def read(self, path: str) -> bytes:
        try:
            return self.base.read(path)
        except OSError as problem:
            self.gaps[path] = Gap(GapKind.FILE.value, path, f"cannot be read: {problem.strerror}")
            return b""

    def is_file(self, path: str) -> bool:
        return self.base.is_file(path)

    def is_folder(self, path: str) -> bool:
        return self.base.is_folder(path)

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        return self.base.entries(path)
