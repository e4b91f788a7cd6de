"""Evaluated packages by content: a package whose files did not change is not evaluated again.

Beside each package stands what it was made from: its BUILD file, every .bzl file it loads (directly or not) and, when
it used ``glob`` or asked for files, the listing of its folder, each with a digest. A stored package counts only if all
of them still have these digests; asking for one finds the content of its repository, and of no other. Everything else
that could matter (what names of repositories mean, options, Bazel version, our own code) is part of the key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bzlgraph.base.words import utf8
from bzlgraph.bazel.model import Package
from bzlgraph.cache.code import code_version
from bzlgraph.cache.store import PACKAGES, Store
from bzlgraph.loading.prelude import prelude_of
from bzlgraph.loading.stored_package import Input, PackageId, StoredPackage, digest_of, find, keep, row_key
from bzlgraph.workspace.repo_files import REPO_FILE
from bzlgraph.workspace.workspace import Workspace

ABSENT = b""
UNKNOWN = b"?"
"""The digests of a file that is not there, and of one that may be there: not all of its repository is known."""


@dataclass(slots=True)
class Digests:
    """Digests of files and listings of a workspace, each computed once a run."""

    workspace: Workspace
    _known: dict[tuple[str, str, str], bytes] = field(default_factory=dict)

    def get(self, kind: str, repo: str, path: str) -> bytes:
        """The digest of a file's bytes, or of the listing of a package's folder; ABSENT when there is none."""
        key = (kind, repo, path)
        if key not in self._known:
            read = {"listing": self._listing, "siblings": self._siblings, "prelude": self._prelude}.get(
                kind, self._file
            )
            self._known[key] = read(repo, path)
        return self._known[key]

    def inputs(self, package: Package, listing_used: bool) -> tuple[Input, ...]:
        """What ``package`` was made from, with digests."""
        paths = [("file", label.repo, label.path) for label in package.files_read]
        if self.workspace.facts.repo_file:  # one that is not there yet would have a say, too
            paths.append(("file", package.repo, REPO_FILE))
        homes = dict.fromkeys(repo for _, repo, _ in paths)
        paths += [("siblings", repo, "") for repo in homes if self.workspace.names.siblings(repo)]
        if package.repo:  # that of the main repository is part of the state
            paths.append(("prelude", package.repo, ""))
        if listing_used:
            paths.append(("listing", package.repo, package.name))
        return tuple((*path, self.get(*path)) for path in paths)

    def hold(self, inputs: Iterable[Input]) -> bool:
        """Whether what a package was made from has these digests here and now."""
        return all(self.get(kind, repo, path) == digest for kind, repo, path, digest in inputs)

    def _siblings(self, repo: str, _path: str) -> bytes:
        """What a module extension made decides what names mean in all of it."""
        self.workspace.repository(repo)  # which runs the extension
        return digest_of(utf8("\0".join(self.workspace.names.siblings(repo))))

    def _prelude(self, repo: str, _path: str) -> bytes:
        return digest_of(utf8(str(prelude_of(self.workspace.repository(repo)))))

    def _file(self, repo: str, path: str) -> bytes:
        repository = self.workspace.repository(repo)
        tree = repository.tree
        folder, _, name = path.rpartition("/")
        rule = utf8(str((repository.gaps, repository.problems))) if repository.gaps or repository.problems else b""
        try:
            if folder in tree.overlays and name == tree.build_file(folder):
                overlay = tree.overlays[folder]
                return digest_of(overlay.data + overlay.path.encode("utf-8", "surrogateescape") + rule)
            return digest_of(tree.read(path) + rule)
        except OSError:
            return ABSENT if tree.known else UNKNOWN

    def _listing(self, repo: str, package: str) -> bytes:
        files = self.workspace.repository(repo).tree.package_files(package)
        parts = (files.files(), files.directories(), files.subpackages(), files.repositories(), [str(files.known)])
        refused = map("\0".join, files.refused())  # of what was listed just now
        return digest_of(
            "\0\0".join(["\0".join(part) for part in (*parts, refused)]).encode("utf-8", "surrogateescape")
        )


@dataclass(slots=True)
class PackageCache:
    """Encoded packages on disk."""

    digests: Digests
    store: Store
    _state: bytes = b""
    hits: int = 0

    def read(self, key: PackageId) -> StoredPackage | None:
        """The package, if what it was made from is unchanged."""
        stored = find(self.store, self.place(key))
        if stored is None or not self.digests.hold(stored.inputs):
            return None
        self.hits += 1
        return stored

    def write(self, rows: Iterable[tuple[PackageId, StoredPackage]]) -> None:
        """Keep packages."""
        keep(self.store, ((self.place(key), package) for key, package in rows))

    def place(self, key: PackageId) -> bytes:
        """The key of a package: its name, and all that packages depend on beside their own files."""
        if not self._state:
            self._state = loading_state(self.digests.workspace)
        repo, name = key
        tree = self.digests.workspace.repository(repo).tree
        return row_key(key, tree.build_file(name) or "", self._state)


def open_package_cache(workspace: Workspace) -> PackageCache | None:
    """The packages kept in the folder that the workspace's options name, None when they name none."""
    folder = workspace.options.cache_folder
    return PackageCache(Digests(workspace), Store(folder, PACKAGES)) if folder is not None else None


def loading_state(workspace: Workspace) -> bytes:
    """A digest of all that packages depend on beside their own files."""
    overrides = [f"{name} {folder}" for name, folder in sorted(workspace.options.overrides.items())]
    places = (str(workspace.root), *overrides, str(workspace.options.repositories))
    return state_of(workspace, (code_version(), *places))


def state_of(workspace: Workspace, more: Iterable[str]) -> bytes:
    """A digest of all that packages depend on beside their own files: of ``more``, the code and the places of files,
    and of what is made of them."""
    options = workspace.options
    parts = [
        *more,
        workspace.facts.version,
        str(workspace.facts.tolerant),
        workspace.context.workspace_name,
        str(workspace.context.modules),
    ]
    parts += [
        f"{name} {sorted(call.repo_mapping.items())}" for name, call in sorted(workspace.context.repositories.items())
    ]
    parts += [workspace.names.signature(), str(workspace.repositories.main.defaults)]
    parts.append(f"prelude {prelude_of(workspace.repositories.main)}")
    tree = workspace.repositories.main.tree
    parts += [*sorted(tree.ignored), "foreign", *sorted(tree.foreign)]
    parts += sorted(f"deleted @{repo}//{package}" for repo, package in options.deleted_packages)
    parts.append(f"modules {options.enable_bzlmod} workspace {options.enable_workspace}")
    parts.append(f"switches {options.switches} {options.autoloads} {options.without_autoloads}")
    return digest_of("\n".join(parts).encode("utf-8", "surrogateescape"))
