"""Evaluated packages by content: a package whose files did not change is not evaluated again.

Beside each package stands what it was made from: its BUILD file, every .bzl file it loads (directly or not) and, when
it used ``glob`` or asked for files, the listing of its folder, each with a digest. A stored package counts only if all
of them still have these digests. Everything else that could matter (which repositories exist and what is laid over
them, Bazel version, our own code) is part of the key. One SQLite file, ``packages.sqlite``.
"""

from __future__ import annotations

import hashlib
import marshal
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.bazel.model import Package
from bzlgraph.workspace.code_version import code_version
from bzlgraph.workspace.store import connect
from bzlgraph.workspace.workspace import Workspace

FILE_NAME = "packages.sqlite"
ABSENT = b""
PackageId = tuple[str, str]
Input = tuple[str, str, str, bytes]
"""("file", repository, path, digest) or ("listing", repository, package, digest)"""


@dataclass(slots=True)
class Digests:
    """Digests of files and listings of a workspace, each computed once a run."""

    workspace: Workspace
    _known: dict[tuple[str, str, str], bytes] = field(default_factory=dict)

    def get(self, kind: str, repo: str, path: str) -> bytes:
        """The digest of a file's bytes, or of the listing of a package's folder; ABSENT when there is none."""
        key = (kind, repo, path)
        if key not in self._known:
            self._known[key] = self._listing(repo, path) if kind == "listing" else self._file(repo, path)
        return self._known[key]

    def _file(self, repo: str, path: str) -> bytes:
        tree = self.workspace.repository(repo).tree
        folder, _, name = path.rpartition("/")
        try:
            if folder in tree.overlays and name == tree.build_file(folder):
                return _digest(tree.overlays[folder].data)
            return _digest(tree.source.read(path))
        except OSError:
            return ABSENT

    def _listing(self, repo: str, package: str) -> bytes:
        files = self.workspace.repository(repo).tree.package_files(package)
        parts = (files.files(), files.directories(), files.subpackages(), files.repositories())
        return _digest("\0\0".join("\0".join(part) for part in parts).encode("utf-8", "surrogateescape"))


@dataclass(slots=True)
class PackageCache:
    """Encoded packages on disk."""

    digests: Digests
    folder: Path
    _connection: sqlite3.Connection | None = None
    _tried: bool = False
    _state: str = ""
    hits: int = 0

    def read(self, key: PackageId) -> bytes | None:
        """The encoded package, if what it was made from is unchanged."""
        connection = self._open()
        if connection is None:
            return None
        with suppress(sqlite3.Error, ValueError, EOFError, TypeError):
            query = "SELECT inputs, package FROM packages WHERE key = ?"
            row = connection.execute(query, (self._row_key(key),)).fetchone()
            if row is not None and self._unchanged(marshal.loads(row[0])):
                self.hits += 1
                return bytes(row[1])
        return None

    def write(self, rows: list[tuple[PackageId, bytes, bytes]]) -> None:
        """Keep (package, inputs, encoded package) rows."""
        connection = self._open()
        if connection is not None and rows:
            named = [(self._row_key(key), inputs, package) for key, inputs, package in rows]
            with suppress(sqlite3.Error), connection:
                connection.executemany("INSERT OR REPLACE INTO packages VALUES (?, ?, ?)", named)

    def inputs(self, package: Package, listing_used: bool) -> bytes:
        """What ``package`` was made from, with digests, as bytes."""
        paths = [
            ("file", label.repo, _inside(label.package, label.name))
            for label in (package.build_file, *package.bzl_files)
        ]
        if listing_used:
            paths.append(("listing", package.repo, package.name))
        return marshal.dumps([(*path, self.digests.get(*path)) for path in paths])

    def _unchanged(self, inputs: list[Input]) -> bool:
        return all(self.digests.get(kind, repo, path) == digest for kind, repo, path, digest in inputs)

    def _row_key(self, key: PackageId) -> str:
        return f"{self._state}{key[0]}//{key[1]}"

    def _open(self) -> sqlite3.Connection | None:
        if not self._tried:
            self._tried = True
            table = (
                "CREATE TABLE IF NOT EXISTS packages (key TEXT PRIMARY KEY, inputs BLOB, package BLOB) WITHOUT ROWID"
            )
            self._connection = connect(self.folder, FILE_NAME, table)
            self._state = _state(self.digests.workspace)
        return self._connection


def _state(workspace: Workspace) -> str:
    """A digest of all that packages depend on beside their own files."""
    parts = [
        str(workspace.root),
        workspace.facts.version,
        str(workspace.facts.tolerant),
        code_version(),
        workspace.context.workspace_name,
        str(workspace.context.modules),
    ]
    for name in workspace.repositories.known_names():
        repository = workspace.repository(name)
        overlays = sorted((path, _digest(overlay.data).hex()) for path, overlay in repository.tree.overlays.items())
        parts.append(f"{name} {repository.present} {overlays} {workspace.options.overrides.get(name)}")
    tree = workspace.repositories.main.tree
    parts += [*sorted(tree.ignored), "foreign", *sorted(tree.foreign)]
    options = workspace.options
    parts += sorted(f"deleted @{repo}//{package}" for repo, package in options.deleted_packages)
    parts.append(f"modules {options.enable_bzlmod} workspace {options.enable_workspace}")
    return _digest("\n".join(parts).encode("utf-8", "surrogateescape")).hex()


def _inside(package: str, name: str) -> str:
    return f"{package}/{name}" if package else name


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:16]
