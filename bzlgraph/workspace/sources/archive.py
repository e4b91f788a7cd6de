"""A tar or zip file as a tree of files, read where it lies: nothing is unpacked to disk.

``Archives(store).open(path, strip_prefix)`` -> ``ArchiveSource``. The first look reads the archive once, within limits
(archive_members.py): which members it has, and the bytes of those that Bazel evaluates (BUILD and .bzl files). That is
kept in memory for the run, and in the cache by path, size and time of the archive. Other members are read when somebody
asks for them.

Links are followed inside the archive, as if it were unpacked into a folder of its own: an absolute one begins there.
One that leads out, or closes a loop of folders, is not there (``lost_links``).
https://github.com/bazelbuild/bazel/blob/master/src/main/java/com/google/devtools/build/lib/bazel/repository/CompressedTarFunction.java
"""

from __future__ import annotations

import errno
import posixpath
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from bzlgraph.base.codec import Codec
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.cache.code import code_version
from bzlgraph.cache.freshness import file_state, key_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.workspace.sources.archive_members import (
    BROKEN,
    MAX_MEMBERS,
    Contents,
    Member,
    PositionedFile,
    TarStream,
    read_contents,
    read_zipped,
    reason,
)
from bzlgraph.workspace.sources.source import joined

MAX_LINKS = 40
"""How many links one path may lead through, as in Linux."""
_CONTENTS = Codec(Contents)


@dataclass(slots=True)
class Archives:
    """The archives of a run: each is read once, or taken from the cache. Without a store nothing is kept on disk."""

    store: Store = field(default_factory=lambda: Store(None, READINGS))
    _open: dict[Path, Archive | LoadProblem] = field(default_factory=dict)

    def open(self, path: Path, strip_prefix: str = "") -> ArchiveSource:
        """The tree that an archive unpacks to, or the folder ``strip_prefix`` of it.

        Raises LoadProblem as ``get`` does, and when there is no such folder.
        """
        archive = self.get(path)
        return ArchiveSource(archive, _prefix(archive, strip_prefix))

    def get(self, path: Path) -> Archive:
        """An archive. Raises LoadProblem for a file that is not there, is none that is read here, or breaks a limit."""
        archive = self._open.get(path)
        if archive is None:
            try:
                archive = Archive(path, self._contents(path))
            except LoadProblem as problem:
                archive = problem  # found once: to find out may have taken long
            self._open[path] = archive
        if isinstance(archive, LoadProblem):
            raise archive
        return archive

    def _contents(self, path: Path) -> Contents:
        key = key_of("archive", (file_state(path), code_version().encode()))
        return self.store.remember(key, _CONTENTS, lambda: read_contents(path))


@dataclass(slots=True)
class Archive:
    """One archive: what is in it, and how to get at the rest."""

    path: Path
    contents: Contents
    _reader: TarStream | zipfile.ZipFile | None = None

    def bytes_of(self, member: str) -> bytes:
        """The bytes of a file. Raises OSError."""
        kept = self.contents.texts.get(member)
        if kept is not None:
            return kept
        found = self.contents.members[member]
        try:
            if self._reader is None:
                file = PositionedFile(self.path)
                self._reader = zipfile.ZipFile(file) if self.contents.is_zip else TarStream(file)
            if isinstance(self._reader, zipfile.ZipFile):
                return read_zipped(self._reader, found.target)
            self._reader.seek(found.offset)
            return self._reader.read(found.size)
        except (*BROKEN, LoadProblem) as error:
            raise OSError(errno.EIO, f"its archive {self.path} is damaged: {reason(error)}") from error


class ArchiveSource:
    """A folder of an archive as a ``Source``. Raises LoadProblem when its links make too many paths."""

    def __init__(self, archive: Archive, prefix: str = "") -> None:
        self.archive = archive
        self._prefix = prefix
        self._members = _below(archive.contents, prefix)
        self._links = {path: each for path, each in self._members.items() if each.kind in ("link", "hard link")}
        self._listing = _listing(self._members)
        self.lost_links = self._place_links() if self._links else ()
        """Links that lead out of the archive, or into a loop of folders: they are not there."""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError when it cannot be read."""
        found = self._resolve(path)
        if found is None or not self._is_real_file(found):
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        return self.archive.bytes_of(f"{self._prefix}{found}")

    def is_file(self, path: str) -> bool:
        """Whether ``path`` is a file (links followed)."""
        found = self._resolve(path)
        return found is not None and self._is_real_file(found)

    def is_folder(self, path: str) -> bool:
        """Whether ``path`` is a folder (links followed)."""
        return self._resolve(path) in self._listing

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        """(files, folders) directly below a folder, sorted; both empty when it cannot be listed."""
        found = self._resolve(path)
        folder = self._listing.get(found) if found is not None else None
        return (sorted(folder.files), sorted(folder.folders)) if folder is not None else ([], [])

    def _is_real_file(self, path: str) -> bool:
        member = self._members.get(path)
        return member is not None and member.kind == "file"

    def _resolve(self, path: str) -> str | None:
        """The path with all links followed, None when it leads out."""
        if not self._links:
            return path
        done: list[str] = []
        rest = path.split("/")[::-1]
        followed = 0
        while rest:
            name = rest.pop()
            if name == "..":
                if not done:
                    return None
                done.pop()
            elif name not in ("", "."):
                done.append(name)
                link = self._links.get("/".join(done))
                if link is not None:
                    followed += 1
                    if followed > MAX_LINKS:
                        return None
                    from_root = link.kind == "hard link" or link.target.startswith("/")
                    done = [] if from_root else done[:-1]
                    target = self._deprefixed(link.target) if from_root else link.target
                    rest += target.split("/")[::-1]
        return "/".join(done)

    def _deprefixed(self, target: str) -> str:
        """What a link from the root of the archive means in this folder of it."""
        inside = target.lstrip("/").removeprefix("./")
        return inside.removeprefix(self._prefix)

    def _place_links(self) -> tuple[str, ...]:
        """Put every link among the files or folders of its folder; those that cannot be followed are returned."""
        lost = []
        to_folders: dict[str, str] = {}
        for link in self._links:
            target = self._resolve(link)
            if target is None:
                lost.append(link)
            elif self._is_real_file(target):
                self._listing[link.rpartition("/")[0]].files.add(link.rpartition("/")[2])
            elif target in self._listing:
                to_folders[link] = target
        looping = _looping(self._listing, to_folders, self.archive.path) if to_folders else []
        for link in looping:
            del self._links[link], to_folders[link]
        for link in to_folders:
            self._listing[link.rpartition("/")[0]].folders.add(link.rpartition("/")[2])
        return tuple(sorted((*lost, *looping)))


class _Folder(NamedTuple):
    """The names in a folder."""

    files: set[str]
    folders: set[str]


def _prefix(archive: Archive, strip_prefix: str) -> str:
    """The folder that is the root, ending with a slash, "" for all. Raises LoadProblem when there is no such folder."""
    wanted = posixpath.normpath(strip_prefix.strip("/"))
    if wanted == ".":
        return ""
    prefix = f"{wanted}/"
    if not any(path.startswith(prefix) or path == wanted for path in archive.contents.members):
        tops = sorted({path.partition("/")[0] for path in archive.contents.members if path})
        hint = f"at the top of the archive: {', '.join(tops[:5])}{', ...' if len(tops) > 5 else ''}"
        raise LoadProblem(Diagnostic(f"strip_prefix '{strip_prefix}' is not in {archive.path}", hint=hint))
    return prefix


def _below(contents: Contents, prefix: str) -> dict[str, Member]:
    """The members in a folder, by path from there."""
    if not prefix:
        return contents.members
    return {path[len(prefix) :]: each for path, each in contents.members.items() if path.startswith(prefix)}


def _listing(members: Mapping[str, Member]) -> dict[str, _Folder]:
    """The real files and folders of each folder; archives need not name the folders that hold their files."""
    listing = {"": _Folder(set(), set())}
    for path, member in members.items():
        folder, _, name = path.rpartition("/")
        if member.kind == "file":
            _folder(listing, folder).files.add(name)
        else:
            _folder(listing, path if member.kind == "folder" else folder)
    return listing


def _folder(listing: dict[str, _Folder], path: str) -> _Folder:
    """A folder, entered into those above it when it is new."""
    found = listing.get(path)
    if found is None:
        found = listing[path] = _Folder(set(), set())
        while path:
            path, _, name = path.rpartition("/")
            above = listing.get(path)
            if above is not None:
                above.folders.add(name)
                break
            listing[path] = _Folder(set(), {name})
    return found


def _looping(listing: Mapping[str, _Folder], links: Mapping[str, str], archive: Path) -> list[str]:
    """The links to folders that close a loop: whoever walks the tree by the others comes to an end.

    Raises LoadProblem when the others still make more paths than an archive may have members.
    """
    linked: dict[str, list[tuple[str, str]]] = {}
    for link, target in links.items():
        linked.setdefault(link.rpartition("/")[0], []).append((target, link))
    looping: list[str] = []
    entered: Counter[str] = Counter()  # every folder that the walk is in or below
    paths: dict[str, int] = {}  # below each folder
    frames: list[tuple[str, Iterator[tuple[str, str]]]] = []

    def enter(folder: str) -> None:
        paths[folder] = 1 + len(listing[folder].files)
        entered.update(_with_parents(folder))
        real = ((joined(folder, name), "") for name in sorted(listing[folder].folders))
        frames.append((folder, chain(real, linked.get(folder, ()))))

    enter("")
    while frames:
        folder, edges = frames[-1]
        for target, link in edges:
            if link and entered[target]:
                looping.append(link)
            elif target in paths:
                paths[folder] += paths[target]
            else:
                enter(target)
                break
        else:
            frames.pop()
            entered.subtract(_with_parents(folder))
            if frames:
                paths[frames[-1][0]] += paths[folder]
    if paths[""] > MAX_MEMBERS:
        raise LoadProblem(f"{archive} is refused: its links to folders make more than {MAX_MEMBERS} paths")
    return looping


def _with_parents(folder: str) -> list[str]:
    """A folder and all above it."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]
