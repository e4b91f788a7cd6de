"""The files that a repository rule may look at, under the paths that it knows them by (``RepositoryFiles``).

The checkout is where it is on the disk; every repository is in the folder ``external`` of an output base: the
one that is being made is a tree in memory, the others are found as any question finds them. Nothing else is looked at,
also not where a link in the checkout leads out of it.
"""

from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import Label
from bzlgraph.bazel.repository.files import Download, Kind
from bzlgraph.starlark.evaluation.budget import charge
from bzlgraph.workspace.sources.patch import MAX_STEPS, apply_patch
from bzlgraph.workspace.sources.source import DiskSource, Source, real_path
from bzlgraph.workspace.sources.virtual_tree import MAX_LINKS, VirtualTree
from bzlgraph.workspace.tree import BUILD_FILES, RepositoryTree

OUTPUT_BASE = "/nominal/output_base"
"""Where repositories are when the user names no output base; nobody has that folder."""


class Contents(Protocol):
    """A repository, as far as its files go."""

    tree: RepositoryTree
    problems: tuple[Diagnostic, ...]
    """Why Bazel has none of them."""


class _Place(NamedTuple):
    source: Source
    path: str
    known: bool
    """Whether what is not there is absent."""


@dataclass(slots=True)
class NominalFiles:
    """The files for one run of the rule of repository ``name``."""

    name: str
    workspace_root: str
    repository: Callable[[str], Contents]
    archive: Callable[[Path, str], Source]
    """The tree that an archive unpacks to, or one folder of it. Raises LoadProblem."""
    downloaded: Callable[[Download], Path | None]
    """Where a file lies that was downloaded before."""
    output_base: str = OUTPUT_BASE
    tree: VirtualTree = field(default_factory=VirtualTree)
    _links: dict[str, str] = field(default_factory=dict)

    @property
    def _external(self) -> str:
        return f"{self.output_base}/external/"

    @property
    def root(self) -> str:
        """Where the repository is, as its rule sees it."""
        return self._external + self.name.removeprefix("@")

    def kind(self, path: str) -> Kind:
        """What is at a path; unknown outside of the checkout and the repositories."""
        place = self._place(path)
        if place is None:
            return Kind.UNKNOWN
        if place.source.is_file(place.path):
            return Kind.FILE
        if place.source.is_folder(place.path):
            return Kind.FOLDER
        return Kind.ABSENT if place.known else Kind.UNKNOWN

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None when they are not known."""
        place = self._place(path)
        if place is None or (isinstance(place.source, VirtualTree) and place.source.opaque(place.path) is not None):
            return None
        return place.source.read(place.path)

    def names(self, path: str) -> list[str] | None:
        """The names in a folder, None when not all of them are known."""
        place = self._place(path)
        if place is None or not place.known:
            return None
        files, folders = place.source.entries(place.path)
        return sorted([*files, *folders])

    def real(self, path: str) -> str:
        """Where a path leads when the links that the rule made are followed."""
        for _ in range(MAX_LINKS):
            above = next((each for each in _and_above(path) if each in self._links), None)
            if above is None:
                return path
            path = self._links[above] + path[len(above) :]
        return path

    def locate(self, label: Label, regular: bool) -> str | None:
        """The path of the file of a label, None where its repository is not on disk."""
        inside = posixpath.join(label.package, label.name)
        if label.repo == self.name:
            return f"{self.root}/{inside}"
        home = self.repository(label.repo)
        tree = home.tree
        if not tree.source.is_file(inside):
            if home.problems:
                raise LoadProblem(home.problems)
            folder = tree.source.is_folder(inside)
            if not folder and not tree.known:
                return None
            if regular:
                raise FileNotFoundError(errno.ENOENT, "not a regular file" if folder else "no such file", inside)
            if not folder and not any(tree.source.is_file(posixpath.join(label.package, name)) for name in BUILD_FILES):
                raise FileNotFoundError(errno.ENOENT, "no such file, and its package has no BUILD file", inside)
        main = not label.repo or tree.source is self.repository("").tree.source
        return f"{self.workspace_root}/{inside}" if main else f"{self._external}{label.repo}/{inside}"

    def write(self, path: str, data: bytes) -> None:
        """Make a file of the repository."""
        self.tree.write(self._own(path), data)

    def put_opaque(self, path: str, why: str) -> None:
        """Make a file of the repository whose content is not known."""
        self.tree.put_opaque(self._own(path), why)

    def link(self, path: str, target: str) -> None:
        """Make a file or folder of the repository one that is elsewhere."""
        place = self._place(target)
        if place is None:
            raise OSError(errno.EACCES, "it links to a file that may not be looked at")
        self.tree.link(self._own(path), place.source, place.path)
        self._links[path] = target

    def overlay(self, source: str, overlay: str, path: str) -> None:
        """Link all that is in two folders into a folder of the repository; the second wins."""
        for folder in (source, overlay):
            place = self._place(folder)
            if place is None:
                raise OSError(errno.EACCES, "it links to a folder that may not be looked at")
            self._lay(place.source, place.path, self._own(path))

    def make_folder(self, path: str) -> None:
        """Make a folder of the repository."""
        self.tree.make_folder(self._own(path))

    def delete(self, path: str) -> bool:
        """Remove a file or folder of the repository."""
        self._links.pop(path, None)
        return self.tree.delete(self._own(path))

    def rename(self, old: str, new: str) -> None:
        """Move a file or folder of the repository."""
        self.tree.rename(self._own(old), self._own(new))

    def patch(self, data: bytes, strip: int, gnu: bool = False) -> None:
        """Apply a unified diff to the repository."""
        with _as_os_errors():
            left = apply_patch(data, self.tree, strip, gnu=gnu)
        charge(MAX_STEPS - left)

    def put_download(self, download: Download, path: str) -> bool:
        """Put a file that lies on the disk into the repository."""
        found = self.downloaded(download)
        if found is not None:
            self.tree.delete(self._own(path))
            self.tree.link(self._own(path), DiskSource(found.parent), found.name)
        return found is not None

    def unpack_download(self, download: Download, path: str, strip_prefix: str) -> bool:
        """Put what is in an archive that lies on the disk into the repository."""
        found = self.downloaded(download)
        return found is not None and self._unpack(found, path, strip_prefix)

    def unpack(self, archive: str, path: str, strip_prefix: str) -> bool:
        """Put what is in an archive of the checkout into the repository."""
        place = self._place(archive)
        for _ in range(MAX_LINKS):
            if place is None or not isinstance(place.source, VirtualTree):
                break
            link = place.source.target(place.path)
            place = None if link.source is place.source else _Place(link.source, link.path, True)
        if place is None or not isinstance(place.source, DiskSource):
            return False
        return self._unpack(place.source.root / place.path, path, strip_prefix)

    def _unpack(self, archive: Path, path: str, strip_prefix: str) -> bool:
        with _as_os_errors():
            source = self.archive(archive, strip_prefix)
        self._lay(source, "", self._own(path))
        return True

    def _lay(self, source: Source, folder: str, path: str) -> None:
        """Link all that is in a folder of a source, beside what is there."""
        files, folders = source.entries(folder)
        for name in (*files, *folders):
            inside, place = posixpath.join(folder, name), posixpath.join(path, name)
            if name in folders and self.tree.is_folder(place):
                self.tree.make_folder(place)
                self._lay(source, inside, place)
            else:
                self.tree.delete(place)
                self.tree.link(place, source, inside)

    def _own(self, path: str) -> str:
        return path[len(self.root) :].strip("/")

    def _place(self, path: str) -> _Place | None:
        if f"{path}/".startswith(f"{self.root}/"):
            return _Place(self.tree, self._own(path), True)
        if path.startswith(self._external):
            name, _, inside = path[len(self._external) :].partition("/")
            tree = self.repository(name).tree
            return _confined(_Place(tree.source, inside, tree.known))
        if f"{path}/".startswith(f"{self.workspace_root}/"):
            tree = self.repository("").tree
            return _confined(_Place(tree.source, path[len(self.workspace_root) :].strip("/"), True))
        return None


def _and_above(path: str) -> Iterator[str]:
    """A path and the folders that it is in, from below."""
    while path not in ("", "/"):
        yield path
        path = posixpath.dirname(path)


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """What is wrong with an archive or a diff, as any fault of a file."""
    try:
        yield
    except LoadProblem as problem:
        raise OSError(errno.EINVAL, problem.diagnostic.message) from None


def _confined(place: _Place) -> _Place | None:
    """The place, None where a link on the disk leads out of the source's folder."""
    if not isinstance(place.source, DiskSource):
        return place
    root = real_path(place.source.root)
    real = real_path(os.path.join(root, place.path))
    return place if f"{real}/".startswith(f"{root.rstrip('/')}/") else None
