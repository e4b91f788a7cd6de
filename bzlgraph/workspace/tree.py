"""The packages of one repository: which folders are packages, which files belong to each.

A folder with ``BUILD.bazel`` or ``BUILD`` (the first wins) is a package; its files are those below it that lie in no
deeper package. ``.bazelignore`` folders, and Bazel's own ``bazel-*`` links in the root, do not exist; nor does a link
``external`` there, which leads to what Bazel fetched, and ``//...`` leaves a folder of that name out. Folders that are
repositories of their own (``local_repository(path = ...)``) have no packages here; their files outside of BUILD folders
belong to the package around them (glob() enters them, ``//...`` does not; since Bazel 7 no label may name them).
Rules: https://bazel.build/concepts/build-ref#packages, https://bazel.build/run/bazelrc#bazelignore
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bzlgraph.bazel.package.glob import path_matcher
from bzlgraph.cache.private import CHECKOUT_FILES
from bzlgraph.starlark.value import EvalError
from bzlgraph.workspace.sources.source import LONGEST, DiskSource, Source, folder_of, joined

BUILD_FILES = ("BUILD.bazel", "BUILD")
BOUNDARY_FILES = CHECKOUT_FILES
EXTERNAL = "external"
NO_LINKS = "DONT_FOLLOW_SYMLINKS_WHEN_TRAVERSING_THIS_DIRECTORY_VIA_A_RECURSIVE_TARGET_PATTERN"
"""The file in a folder whose links ``//...`` does not follow."""
CONVENIENCE_LINKS = ("bazel-bin", "bazel-out", "bazel-genfiles", "bazel-testlogs")


@dataclass(slots=True)
class Overlay:
    """A BUILD file that a repository rule puts into a repository: its bytes, the path people find it under, and the
    name that it has there."""

    data: bytes
    path: str
    name: str = BUILD_FILES[0]


@dataclass(slots=True)
class RepositoryTree:
    """One repository's folders and files, listed at most once: ``replace`` makes another tree, which lists anew."""

    source: Source
    known: bool = True
    overlays: Mapping[str, Overlay] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    ignored_patterns: tuple[str, ...] = ()
    """Patterns of folders that do not exist: ``**/node_modules``."""
    foreign: Mapping[str, str] = field(default_factory=dict)
    """Folders that are repositories of their own, and the names of these."""
    deleted: frozenset[str] = frozenset()
    skipped_links: frozenset[str] = frozenset(CONVENIENCE_LINKS)
    _entries: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict, init=False)
    _build_files: dict[str, str | None] = field(default_factory=dict, init=False)
    _left_out: dict[str, bool] = field(default_factory=dict, init=False)
    _latest: tuple[str | None, bytes] = field(default=(None, b""), init=False)

    def entries(self, folder: str) -> tuple[list[str], list[str]]:
        """(files, folders) directly in a folder, without ignored folders."""
        found = self._entries.get(folder)
        if found is None:
            skipped = folder.partition("/")[0] in self.skipped_links
            files, folders = self.source.entries(folder) if not skipped else ([], [])
            if self.ignored:
                folders = [name for name in folders if joined(folder, name) not in self.ignored]
            if self.ignored_patterns:
                folders = [name for name in folders if not self._is_ignored(joined(folder, name))]
            if not folder and folders:
                folders = [name for name in folders if name not in self.skipped_links]
            found = self._entries[folder] = (files, folders)
        return found

    def files_below(self, begin: str, ends: tuple[str, ...]) -> Iterator[str]:
        """The files whose paths begin and end in a way, in order; those in folders below too, where a whole folder is
        named (``a/b/``)."""
        folder, _, stem = begin.rpartition("/")
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            files, folders = self.entries(here)
            waiting += sorted((joined(here, each) for each in folders if not stem), reverse=True)
            paths = (joined(here, each) for each in sorted(files))
            yield from (path for path in paths if path.startswith(begin) and path.endswith(ends))

    def ignored_workspaces(self) -> list[str]:
        """The ignored folders that are workspaces of their own: ``-C`` answers for what is in them."""
        return [
            each for each in sorted(self.ignored) if any(self.source.is_file(f"{each}/{f}") for f in BOUNDARY_FILES)
        ]

    def ignoring_pattern(self, folder: str) -> str | None:
        """The first pattern that ignores this very folder."""
        return next((each for each in self.ignored_patterns if _ignores(each, folder)), None)

    def _is_ignored(self, folder: str) -> bool:
        return self.ignoring_pattern(folder) is not None

    def build_file(self, package: str) -> str | None:
        """The name of the package's BUILD file, None when the folder is no package."""
        if package not in self._build_files:
            self._build_files[package] = self._find_build_file(package)
        return self._build_files[package]

    def _find_build_file(self, package: str) -> str | None:
        if package in self.deleted:
            return None
        if package in self.overlays:
            return self.overlays[package].name
        return None if self._is_left_out(package) else self._build_file_on_disk(package)

    def _is_left_out(self, folder: str) -> bool:
        """Whether a folder, or one above it, is ignored or foreign. Each folder is looked at once: a path of a thousand
        folders has a thousand above it, and somebody may ask for each."""
        if not (self.ignored or self.foreign or self.ignored_patterns) or len(folder) > LONGEST:
            return False
        waiting = [folder]
        while (found := self._left_out.get(waiting[-1])) is None:
            found = waiting[-1] in self.ignored or waiting[-1] in self.foreign or self._is_ignored(waiting[-1])
            if found or "/" not in waiting[-1]:
                break
            waiting.append(waiting[-1].rpartition("/")[0])
        self._left_out.update(dict.fromkeys(waiting, found))
        return found

    def _build_file_on_disk(self, folder: str) -> str | None:
        files = self.entries(folder)[0]
        return next((name for name in BUILD_FILES if name in files), None)

    def is_foreign_package(self, folder: str) -> bool:
        """Whether a folder is a package of a repository that lies inside this one."""
        return _is_within(folder, self.foreign) and self._build_file_on_disk(folder) is not None

    def read_build_file(self, package: str) -> tuple[bytes, str]:
        """(bytes, path inside the repository or of the overlay) of a package's BUILD file. Raises OSError."""
        overlay = self.overlays.get(package)
        if overlay is not None:
            return overlay.data, overlay.path
        path = joined(package, self.build_file(package) or BUILD_FILES[1])
        data = self.source.read(path)
        self._latest = (path, data)
        return data, path

    def build_file_size(self, package: str) -> int:
        """The bytes in a package's BUILD file as far as they are known without reading it, else 0."""
        overlay = self.overlays.get(package)
        if overlay is not None:
            return len(overlay.data)
        folder = folder_of(self.source)
        with suppress(OSError, ValueError):
            if folder is not None:
                return os.lstat(os.path.join(folder, package, self.build_file(package) or "")).st_size
        return 0

    def read(self, path: str) -> bytes:
        """The bytes of a file: of the BUILD file that was read last, those that were read then. Raises OSError."""
        return self._latest[1] if path == self._latest[0] else self.source.read(path)

    def packages_below(self, folder: str) -> Iterator[str]:
        """All packages at or below a folder, sorted by path as Bazel walks them."""
        if _is_within(folder, self.foreign):
            return
        seen = {folder}
        if self.build_file(folder) is not None:
            yield folder
        stack = self._folders_down(folder)
        while stack:
            path = stack.pop()
            seen.add(path)
            if self.build_file(path) is not None:
                yield path
            stack += self._folders_down(path)
        # Where the sources are not on disk there may be no folder around an overlay.
        yield from sorted(path for path in self.overlays if path not in seen and _is_below(path, folder))

    def listed(self, name: str) -> Iterator[str]:
        """The files of that name, or whose paths end so, in the folders that were listed so far."""
        ending, base = f"/{name}", name.rpartition("/")[2]
        for folder, (files, _) in self._entries.items():
            if base in files and f"/{joined(folder, base)}".endswith(ending):
                yield joined(folder, base)

    def _folders_down(self, folder: str) -> list[str]:
        files, folders = self.entries(folder)
        if NO_LINKS in files and isinstance(self.source, DiskSource):
            links = self.source.links(folder)
            folders = [name for name in folders if name not in links]
        below = (joined(folder, name) for name in reversed(folders))
        return [path for path in below if path not in self.foreign and path != EXTERNAL]

    def refused(self) -> list[tuple[str, str]]:
        """The links to folders outside of the checkout that were met so far, and where they lead; without those that
        nobody follows, as ``bazel-bin``."""
        return self._followed(self.source.refused if isinstance(self.source, DiskSource) else {})

    def loops(self) -> list[tuple[str, str]]:
        """The links that were met so far and lead to a folder above them or to one another, as ``refused``."""
        return self._followed(self.source.loops if isinstance(self.source, DiskSource) else {})

    def _followed(self, found: Mapping[str, str]) -> list[tuple[str, str]]:
        followed = (item for item in found.items() if item[0].partition("/")[0] not in self.skipped_links)
        return sorted(item for item in followed if item[0] not in self.ignored and not self._is_ignored(item[0]))

    def package_of(self, path: str) -> str | None:
        """The package that the file ``path`` belongs to, None when there is none above it."""
        folder = path.rpartition("/")[0]
        while True:
            if self.build_file(folder) is not None:
                return folder
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def package_files(self, package: str) -> FilesOfPackage:
        """What glob and friends see of a package."""
        return FilesOfPackage(self, package)


@dataclass(slots=True)
class FilesOfPackage:
    """The files of one package (bazel.context.PackageFiles), listed on first use."""

    tree: RepositoryTree
    package: str
    used: bool = False
    """Whether anybody asked: then the package depends on the listing of its folder."""
    _listing: tuple[list[str], list[str], list[str]] | None = None
    _loops: list[tuple[str, str]] | None = None

    @property
    def known(self) -> bool:
        """False when the repository's sources are not on disk."""
        return self.tree.known

    def files(self) -> Sequence[str]:
        """All files of the package, sorted, relative to it."""
        return self._walk()[0]

    def directories(self) -> Sequence[str]:
        """All folders of the package that belong to it."""
        return self._walk()[1]

    def subpackages(self) -> Sequence[str]:
        """The nearest packages below."""
        return self._walk()[2]

    def refused(self) -> Sequence[tuple[str, str]]:
        """The links to folders outside of the checkout in what was listed of the package, and where they lead."""
        if self._listing is None:
            return ()
        return [each for each in self.tree.refused() if self.tree.package_of(each[0]) == self.package]

    def loops(self) -> Sequence[tuple[str, str]]:
        """The links in the package that lead to a folder above them or to one another, and Bazel's word for that."""
        self._walk()
        if self._loops is None:
            start = len(self.package) + 1 if self.package else 0
            here = (each for each in self.tree.loops() if self.tree.package_of(each[0]) == self.package)
            self._loops = [(path[start:], kind) for path, kind in here]
        return self._loops

    def repositories(self) -> Sequence[str]:
        """Folders below the package that are repositories of their own."""
        below = f"{self.package}/" if self.package else ""
        return sorted(path[len(below) :] for path in self.tree.foreign if path.startswith(below))

    def exists(self, path: str) -> bool:
        """Whether a file or folder of that name is in the package's folder."""
        self.used = True
        folder, _, name = joined(self.package, path).rpartition("/")
        files, folders = self.tree.entries(folder)
        return name in files or name in folders

    def _walk(self) -> tuple[list[str], list[str], list[str]]:
        self.used = True
        if self._listing is None:
            self._listing = self._list()
        return self._listing

    def _list(self) -> tuple[list[str], list[str], list[str]]:
        tree, package = self.tree, self.package
        files, folders, subpackages = [], [], []
        stack = [""]
        while stack:
            folder = stack.pop()
            here, below = tree.entries(joined(package, folder))
            files += [joined(folder, name) for name in here]
            for name in below:
                path = joined(folder, name)
                if tree.build_file(joined(package, path)) is not None:
                    subpackages.append(path)
                elif not tree.is_foreign_package(joined(package, path)):
                    folders.append(path)
                    stack.append(path)
        return sorted(files), sorted(folders), sorted(subpackages)


def _ignores(pattern: str, folder: str) -> bool:
    """Whether a pattern, read as in ``glob()``, stands for a folder; what is no pattern stands for none."""
    try:
        return bool(path_matcher(pattern)(folder))
    except EvalError:
        return False


def _is_within(folder: str, folders: Collection[str]) -> bool:
    """Whether a folder is one of ``folders`` or lies below one."""
    if not folders:
        return False
    parts = folder.split("/")
    return any("/".join(parts[: count + 1]) in folders for count in range(len(parts)))


def _is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(folder + "/")


IGNORE_FILE = ".bazelignore"


def bazels_links(source: Source) -> frozenset[str]:
    """The names in the root that stand for Bazel's own folders: links ``bazel-*``, and a link ``external``."""
    links = source.links() if isinstance(source, DiskSource) else []
    return frozenset((*CONVENIENCE_LINKS, *(each for each in links if each.startswith("bazel-") or each == EXTERNAL)))


def ignored_folders(source: Source) -> frozenset[str]:
    """The folders that a repository's ``.bazelignore`` hides: one a line, from the root, spaces and all; ``#`` begins a
    comment where it comes first. An absolute path hides nothing."""
    try:
        text = source.read(IGNORE_FILE).decode("utf-8", "replace")
    except OSError:
        return frozenset()
    lines = set(re.split("\r\n?|\n", text))
    return frozenset(_normal(line) for line in lines if line and line[0] not in "#/")


def _normal(path: str) -> str:
    """A path without steps that lead nowhere, as Bazel's PathFragment has it.

    >>> _normal("./a//b/"), _normal("a/../b"), _normal("../b/.")
    ('a/b', 'b', '../b')
    """
    steps: list[str] = []
    for step in path.split("/"):
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)
