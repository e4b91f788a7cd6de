"""What already lies on the user's disk: (checkout, options) -> folders of repositories, and files downloaded before.

Looked into, all without being written: ``external/`` and ``vendor/`` of the checkout, its output base (found as Bazel
computes it, or through the link ``bazel-NAME``), Bazel's repository cache, and the folders that options name. A link in
the checkout is followed only to where the user's own Bazel or an option leads: a checkout that somebody else wrote must
not choose what is read. ``--stay_inside`` leaves only what lies in the checkout itself.
https://bazel.build/remote/output-directories, https://bazel.build/external/vendor
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from bzlgraph.base.codec import Codec
from bzlgraph.base.errors import LoadProblem
from bzlgraph.cache import looks
from bzlgraph.cache.freshness import file_state, key_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.workspace.options import RepositoryOptions, checkout_around, reach
from bzlgraph.workspace.sources.source import DiskSource, Source, real_path
from bzlgraph.workspace.tree import BOUNDARY_FILES, BUILD_FILES

if TYPE_CHECKING:
    from bzlgraph.workspace.sources.archive import Archives

ALGORITHMS = ("sha256", "sha384", "sha512")
"""The digests that Bazel knows of a download: https://www.w3.org/TR/sri-2/"""
_REPOSITORY = re.compile(r"[\w.+~-]+")
_DECLARED = re.compile(r"^(workspace|module)\(([^)]*)\)", re.MULTILINE)
_NAME = re.compile(r"\b(name|repo_name)\s*=\s*[\"']([^\"']+)[\"']")
_PIN = re.compile(r"^pin\(\s*[\"']@@([^\"']+)[\"']", re.MULTILINE)
_TEXT = Codec(str)
_MARKS = (*BOUNDARY_FILES, *BUILD_FILES)
"""What makes a folder a repository, or a package: a tree may have others of the same name, for CMake."""
SUBMODULES = ".gitmodules"
_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=([^\n]*)$", re.MULTILINE | re.IGNORECASE)


class Checksum(NamedTuple):
    """What a file's bytes must add up to: an algorithm of ALGORITHMS, and the digest as hexadecimal digits."""

    algorithm: str
    digest: str


def checksum(sha256: object = "", integrity: object = "") -> Checksum | None:
    """The checksum that a rule's attributes tell, ``integrity`` in the form of SRI; None when they tell none.

    >>> checksum("", "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=").digest[:8]
    'e3b0c442'
    """
    if isinstance(integrity, str) and integrity:
        algorithm, _, text = integrity.partition("-")
        try:
            return Checksum(algorithm, base64.b64decode(text, validate=True).hex()) if algorithm in ALGORITHMS else None
        except (binascii.Error, ValueError):
            return None
    if isinstance(sha256, str) and re.fullmatch(r"[0-9a-fA-F]{64}", sha256):
        return Checksum("sha256", sha256.lower())
    return None


class Folder(NamedTuple):
    """A folder with the content of a repository, and how people know it."""

    path: Path
    place: str


def home_caches() -> tuple[Path, ...]:
    """The user's folders for caches. Nothing else asks where the user's home is, so that a test can give another."""
    named = os.environ.get("XDG_CACHE_HOME")
    return (*([Path(named)] if named else ()), Path(os.path.expanduser("~")) / ".cache")


@dataclass
class Disk:
    """What lies on the disk for one checkout. Nothing is looked for before it is asked for."""

    root: Path
    options: RepositoryOptions = field(default_factory=RepositoryOptions)
    store: Store = field(default_factory=lambda: Store(None, READINGS))
    _listings: dict[Path, dict[str, list[str]]] = field(default_factory=dict)

    @cached_property
    def archives(self) -> Archives:
        """The archives of this run."""
        from bzlgraph.workspace.sources.archive import Archives

        return Archives(self.store)

    def fetched(self, name: str) -> Folder | None:
        """What an earlier Bazel fetched for this checkout."""
        inside = [self.root / "external", self.root / f"bazel-{self.root.name}" / "external"]
        outside = [base / "external" for base in self.output_bases]
        return self._named((*inside, *outside), name)

    def vendored(self, name: str) -> Folder | None:
        """What ``bazel vendor`` left."""
        given = self.options.vendor_dir if not self.options.stay_inside else None
        return self._named([given] if given is not None else [self.root / "vendor"], name)

    def keeps(self, name: str) -> bool:
        """Whether VENDOR.bazel in ``--vendor_dir`` pins a repository. https://bazel.build/external/vendor"""
        return name_in_any_bazel(name) in self._pins

    @cached_property
    def _pins(self) -> frozenset[str]:
        given = self.options.vendor_dir
        if given is None or self.options.stay_inside:
            return frozenset()
        try:
            text = DiskSource(given).read("VENDOR.bazel").decode("utf-8", "replace")
        except OSError:
            return frozenset()
        return frozenset(name_in_any_bazel(each) for each in _PIN.findall(text))

    def checkouts(self, names: Iterable[str]) -> list[Folder]:
        """The folders of ``--repository_folder`` that have one of these names: several when it is not clear which."""
        wanted = [name for name in dict.fromkeys(names) if name]
        for index in self._checkouts:
            for kind, folders in index.items():
                found = dict.fromkeys(folder for name in wanted for folder in folders.get(name, ()))
                if found:
                    return [Folder(folder, f"{self._told(folder)}, by {kind}") for folder in found]
        return []

    def download(self, urls: Sequence[str], expected: Checksum | None) -> Path | None:
        """A file that was downloaded before, its checksum verified. Without a checksum only ``file:`` URLs count."""
        if expected is not None:
            names = dict.fromkeys(_split(url).path.rpartition("/")[2] for url in urls)
            places = [cache / "content_addressable" / expected.algorithm / expected.digest / "file"
                      for cache in self.repository_caches]  # fmt: skip
            places += [folder / name for folder in self._distdirs for name in names if name not in ("", ".", "..")]
            for path in places:
                if self.digest(path, expected.algorithm) == expected.digest:
                    return path
        for path in _local_paths(urls):
            wanted = expected is None or self.digest(path, expected.algorithm) == expected.digest
            if self.allows(path) and looks.is_file(str(path)) and wanted:
                return path
        return None

    def registry_file(self, url: str, expected: Checksum | None) -> Path | None:
        """A file of a module registry that is a server: from the repository cache, or as ``bazel vendor`` left it."""
        found = self.download([url], expected)
        parts = _split(url)
        if found is not None or ".." in parts.path:
            return found
        given = self.options.vendor_dir if not self.options.stay_inside else None
        vendored = (given or self.root / "vendor") / "_registries" / parts.netloc / parts.path.lstrip("/")
        if not (looks.is_file(str(vendored)) and self.allows(vendored)):
            return None
        right = expected is None or self.digest(vendored, expected.algorithm) == expected.digest
        return vendored if right else None

    def digest(self, path: Path, algorithm: str) -> str | None:
        """The digest of a file's bytes, computed once for each state of it; None when it cannot be read."""
        try:
            key = key_of(f"digest {algorithm}", (file_state(path),))
            return self.store.remember(key, _TEXT, lambda: _digest(path, algorithm))
        except (LoadProblem, OSError):
            return None

    # Where to look

    @cached_property
    def output_bases(self) -> tuple[Path, ...]:
        """The output base that an option names, and the user's own for this checkout."""
        if self.options.stay_inside:
            return ()
        given = self.options.output_base
        name = hashlib.md5(real_path(self.root).encode("utf-8", "surrogateescape"), usedforsecurity=False)
        own = (root / name.hexdigest() for root in self._user_roots)
        bases = (*([given] if given is not None else ()), *own)
        return tuple(folder for folder in bases if looks.is_folder(str(folder)))

    @cached_property
    def repository_caches(self) -> tuple[Path, ...]:
        """The repository cache that an option names, else the user's own."""
        if self.options.stay_inside:
            return ()
        if self.options.repository_cache is not None:
            return (self.options.repository_cache,)
        return tuple(root / "cache" / "repos" / "v1" for root in self._user_roots)

    @cached_property
    def refused_links(self) -> tuple[Folder, ...]:
        """Links of the checkout that lead to where nobody but the checkout says that repositories are."""
        links = [self.root / "external", self.root / f"bazel-{self.root.name}", self.root / "vendor"]
        targets = (
            (link, Path(real_path(link))) for link in links if looks.is_link(str(link)) and looks.is_folder(str(link))
        )
        return tuple(Folder(target, self._told(link)) for link, target in targets if not self.allows(link))

    def allows(self, path: Path) -> bool:
        """Whether a path, all links followed, is in the checkout or in a folder that the user named."""
        real = Path(real_path(path))
        return any(real.is_relative_to(folder) for folder in self._allowed)

    def source(self, folder: Path) -> DiskSource:
        """The files of a repository in a folder. What Bazel fetched has links of Bazel's own, which lead anywhere."""
        real = Path(real_path(folder))
        fetched = any(real.is_relative_to(real_path(base)) for base in self.output_bases)
        return DiskSource(folder, None if fetched else self._reach)

    @cached_property
    def _reach(self) -> tuple[str, ...]:
        return reach(self.root, self.options)

    def is_beside(self, path: Path) -> bool:
        """Whether a path is in the same checkout as the workspace: below the folder that version control made."""
        folder = None if self.options.stay_inside else self._checkout
        return folder is not None and Path(real_path(path)).is_relative_to(folder)

    @cached_property
    def _checkout(self) -> Path | None:
        return checkout_around(self.root)

    @cached_property
    def _allowed(self) -> tuple[Path, ...]:
        named = (*self.output_bases, *self.repository_caches, *self._distdirs, *_local_paths(self.options.registries))
        named += self.options.allow_outside
        named += tuple(folder for _, folder in (*self.options.override_modules, *self.options.inject_repositories))
        if not self.options.stay_inside:
            named += (*self.options.repository_folders, *filter(None, [self.options.vendor_dir]))
        return tuple(Path(real_path(folder)) for folder in (self.root, *named))

    @property
    def _distdirs(self) -> tuple[Path, ...]:
        return () if self.options.stay_inside else self.options.distdirs

    @cached_property
    def _user_roots(self) -> tuple[Path, ...]:
        """``_bazel_USER`` in the user's caches: the root of all output bases."""
        found = (path for cache in home_caches() for path in _folders_in(cache / "bazel"))
        return tuple(dict.fromkeys(path for path in found if path.name.startswith("_bazel_")))

    def _told(self, path: Path) -> str:
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)

    # By name

    def _named(self, folders: Iterable[Path], name: str) -> Folder | None:
        """The first of the folders' subfolders that is the repository ``name``, by whatever Bazel calls it."""
        if not _REPOSITORY.fullmatch(name) or name in (".", ".."):
            return None
        for folder in folders:
            for candidate in (name, *self._others(folder, name)):
                path = folder / candidate
                if (self._is_named(folder) or self.allows(path)) and has_files(path) and _is_whole(path):
                    return Folder(path, self._told(path))
        return None

    def _is_named(self, folder: Path) -> bool:
        """Whether the user said that a folder holds repositories: then its links are followed."""
        return not folder.is_relative_to(self.root) and folder.parent in self.output_bases

    def _others(self, folder: Path, name: str) -> list[str]:
        """The subfolder that has the same repository under another Bazel's name for it; none if there are several."""
        if folder not in self._listings:
            listing = self._listings[folder] = {}
            for path in _folders_in(folder) if self._is_named(folder) or self.allows(folder) else ():
                listing.setdefault(name_in_any_bazel(path.name), []).append(path.name)
        found = self._listings[folder].get(name_in_any_bazel(name), [])
        return found if len(found) == 1 else []

    @cached_property
    def _checkouts(self) -> tuple[dict[str, dict[str, list[Path]]], ...]:
        """For each folder of checkouts: what a name is the name of -> name -> folders."""
        folders = self.options.repository_folders if not self.options.stay_inside else ()
        return tuple(_index_of_checkouts(folder) for folder in folders)


def name_in_any_bazel(name: str) -> str:
    """One form for the canonical names that the generations of Bazel give a repository.

    >>> [name_in_any_bazel(each) for each in ("dep1", "dep1~", "dep1+", "dep1~1.2", "dep1+1.2")]
    ['dep1', 'dep1', 'dep1', 'dep1', 'dep1']
    >>> {name_in_any_bazel(each) for each in ("m~1.0~ext~r", "m~~ext~r", "m++ext+r")}
    {'m~ext~r'}
    >>> name_in_any_bazel("_main~ext~r"), name_in_any_bazel("+ext+r")
    ('~ext~r', '~ext~r')
    """
    parts = name.replace("+", "~").split("~")
    if len(parts) == 2:
        return parts[0]
    if len(parts) == 4:
        return "~".join((parts[0], *parts[2:]))
    return "~".join(("", *parts[1:]) if parts[0] == "_main" else parts)


def has_files(folder: Path) -> bool:
    """Whether a folder is there and holds anything: that of a git submodule nobody fetched is empty."""
    return next(_entries(folder), None) is not None


def fetch_of_submodule(source: Source, folder: str) -> str:
    """The command that fetches the submodule of a checkout that a folder lies in; "" for a folder in none.
    Doc: https://git-scm.com/docs/gitmodules

    >>> from bzlgraph.workspace.sources.source import MemorySource
    >>> checkout = MemorySource({SUBMODULES: b'[submodule "llvm"]\\n\\tpath = deps/llvm\\n\\turl = ../llvm\\n'})
    >>> fetch_of_submodule(checkout, "deps/llvm/utils")
    'git submodule update --init deps/llvm'
    """
    try:
        text = source.read(SUBMODULES).decode("utf-8", "replace")
    except OSError:
        return ""
    paths = (each.strip().strip('"') for each in _SUBMODULE.findall(text))
    around = (path for path in paths if path and f"{folder}/".startswith(f"{path}/"))
    return next((f"git submodule update --init {path}" for path in around), "")


def _is_whole(folder: Path) -> bool:
    """Whether a Bazel has fetched a folder to its end: then it leaves a marker beside it. Links need none, and a copy
    that somebody made without them is told by what Bazel writes into every repository."""
    if looks.is_link(str(folder)) or looks.is_file(str(folder.parent / f"@{folder.name}.marker")):
        return True
    if any(entry.name.endswith(".marker") for entry in _entries(folder.parent)):
        return False
    return any(looks.is_file(str(folder / name)) for name in _MARKS)


def _index_of_checkouts(folder: Path) -> dict[str, dict[str, list[Path]]]:
    index: dict[str, dict[str, list[Path]]] = {}
    for path in _folders_in(folder):
        names = [("the name of the folder", path.name), *_declared_names(path)]
        for kind, name in names:
            index.setdefault(kind, {}).setdefault(name, []).append(path)
    return index


def _declared_names(folder: Path) -> Iterator[tuple[str, str]]:
    """The names that a checkout gives itself: (of what, name)."""
    for file in ("MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"):
        looks.look(str(folder / file))
        try:
            with open(folder / file, encoding="utf-8", errors="replace") as text:
                declared = _DECLARED.search(text.read(1 << 16))
        except OSError:
            continue
        if declared is not None:
            kind = "the name of its module" if declared[1] == "module" else "the name of its workspace"
            yield from ((kind, found[2]) for found in _NAME.finditer(declared[2]))


def _folders_in(folder: Path) -> list[Path]:
    return sorted(Path(entry.path) for entry in _entries(folder) if looks.is_folder(entry.path))


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    looks.look(str(folder))
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except (OSError, ValueError):  # ValueError: a NUL in its name
        return


def _local_paths(urls: Iterable[str]) -> Iterator[Path]:
    for url in urls:
        parts = _split(url)
        if parts.scheme == "file" and not parts.netloc:
            yield Path(unquote(parts.path))


def _split(url: str) -> SplitResult:
    """The parts of a URL; what is none has no parts."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _digest(path: Path, algorithm: str) -> str:
    from bzlgraph.workspace.sources.archive_members import MAX_PACKED

    if not looks.is_file(str(path)) or path.stat().st_size > MAX_PACKED:
        raise LoadProblem(f"{path} is not a file, or is larger than {MAX_PACKED >> 30} GB")
    with open(path, "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()
