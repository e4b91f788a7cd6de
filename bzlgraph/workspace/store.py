"""What is kept on disk between runs: values of declared types by key, in SQLite files of the cache folder.

Every cache is one ``Store``; all that goes in or comes out passes ``_sealed`` and ``_unsealed``. A store never fails:
without a folder, or when the file cannot be used, everything works, only slower. A file made by other code, grown too
large or damaged is dropped and starts anew, so that a cache holds what can still be used. Safe between processes.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sqlite3
import sys
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from bzlgraph.base.codec import Codec, Plain
from bzlgraph.base.errors import LoadProblem
from bzlgraph.workspace.sources.source import DiskSource, Source

T = TypeVar("T")
MAX_BYTES = 1 << 30
PROGRAMS, PACKAGES, READINGS = "programs.sqlite", "packages.sqlite", "ops.sqlite"
"""The files: compiled Starlark, evaluated packages, and what was read of sources in other languages."""
_TABLE = "CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB)"


class Store:
    """One file of a cache. ``folder`` None keeps nothing."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self.folder = folder
        self._name = name
        self._connection: sqlite3.Connection | None = None
        self._opened_by = 0

    def get(self, key: bytes, codec: Codec[T]) -> T | None:
        """The value kept under a key, None when there is none that can be read."""
        connection = self._open()
        if connection is not None:
            with suppress(sqlite3.Error, ValueError, EOFError, TypeError, KeyError, IndexError):
                row = connection.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
                return codec.decode(_unsealed(row[0])) if row is not None else None
        return None

    def put(self, rows: Iterable[tuple[bytes, T]], codec: Codec[T]) -> None:
        """Keep values under their keys."""
        connection = self._open()
        if connection is not None:
            sealed = ((key, _sealed(codec.encode(value))) for key, value in rows)  # one at a time in memory
            with suppress(sqlite3.Error), connection:
                connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", sealed)

    def remember(self, key: bytes, codec: Codec[T], make: Callable[[], T]) -> T:
        """The value kept under a key, or what ``make`` gives, which is kept."""
        value = self.get(key, codec)
        if value is None:
            value = make()
            self.put([(key, value)], codec)
        return value

    def _open(self) -> sqlite3.Connection | None:
        """The connection of this process (one made before a fork is not usable after it)."""
        if self.folder is None:
            return None
        if self._connection is None or self._opened_by != os.getpid():
            self._connection = _connect(self.folder, self._name)
            self._opened_by = os.getpid()
            if self._connection is None:
                self.folder = None
            else:
                # When nobody holds the store any more, or at the end of the process: else SQLite leaves its journal.
                weakref.finalize(self, self._connection.close)
        return self._connection


def key_of(name: str, parts: Iterable[bytes]) -> bytes:
    """A key for what was made from ``parts``, of a kind called ``name``."""
    digest = hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=20)
    for each in parts:
        digest.update(len(each).to_bytes(8, "big"))
        digest.update(each)
    return digest.digest()


def file_state(path: Path) -> bytes:
    """A key part for what is in a file, without reading it. Raises LoadProblem when it is not there."""
    try:
        found = os.stat(path)
    except OSError as error:
        raise LoadProblem(f"cannot read {path}: {error.strerror}") from error
    state = f"{os.path.realpath(path)}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ino}"
    return state.encode("utf-8", "surrogateescape")


def state_of(source: Source, paths: Iterable[str]) -> bytes | None:
    """A key part for many files: which there are and when they changed, without reading them; of this code's version.

    None for a source that is not on disk.
    """
    if not isinstance(source, DiskSource):
        return None
    digest = hashlib.sha256(f"{code_version()}\0{source.root}".encode("utf-8", "surrogateescape"))
    root = f"{source.root}/"
    for path in paths:
        with suppress(OSError):
            found = os.stat(root + path)
            line = f"{path}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ino}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.digest()


def _sealed(value: Plain) -> bytes:
    return marshal.dumps(value)


def _unsealed(data: bytes) -> Plain:
    """Raises ValueError, EOFError or TypeError for what ``_sealed`` did not make."""
    return marshal.loads(data)


def _connect(folder: Path, name: str) -> sqlite3.Connection | None:
    """Open (and create) a cache file; None when the folder cannot be used."""
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _open_usable(path) or _open_anew(path)
    except (OSError, sqlite3.Error):
        return None


def _open_usable(path: Path) -> sqlite3.Connection | None:
    """The file as it is; None when it must be dropped. Raises when it is locked or cannot be written."""
    try:
        connection = _open(path)
        if not _usable(connection, path):
            connection.close()
            return None
        _prepare(connection)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # no SQLite file, or a damaged one
        return None
    return connection


def _open_anew(path: Path) -> sqlite3.Connection:
    for stale in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        stale.unlink(missing_ok=True)
    connection = _open(path)
    _prepare(connection)
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute(_TABLE)
    connection.execute(f"PRAGMA user_version={_version()}")


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    # A cache may be lost; waiting for the disk is what it is there to avoid.
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def _usable(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is new or made by this very code, and not too large."""
    made_by = connection.execute("PRAGMA user_version").fetchone()[0]
    return made_by in (0, _version()) and path.stat().st_size <= MAX_BYTES


def _version() -> int:
    """The code's version as SQLite keeps it: a positive 31-bit number."""
    return int(code_version()[:7], 16) or 1


COUNTED = frozenset({".py", ".lark", ".json", ".bzl", ".toml", ".bin"})


@cache
def code_version() -> str:
    """A part of every cache key: a digest of Python's version, and of size and time of every source and data file."""
    package = Path(__file__).resolve().parent.parent
    parts = [sys.version]
    for folder in (package, package.parent / "grammars"):
        for path in sorted(folder.rglob("*.*")) if folder.is_dir() else ():
            if path.suffix in COUNTED:
                status = path.stat()
                parts.append(f"{path}:{status.st_size}:{status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
