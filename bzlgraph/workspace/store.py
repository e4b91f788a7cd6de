"""One SQLite file of a cache: opened safely, never a reason to fail.

A file made by other code, grown too large or damaged is dropped and starts anew, so that a cache holds what can still
be used.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from bzlgraph.workspace.code_version import code_version

MAX_BYTES = 1 << 30


def connect(folder: Path, name: str, table: str) -> sqlite3.Connection | None:
    """Open (and create) a cache file with its table; None when the folder cannot be used."""
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _open_usable(path, table) or _open_anew(path, table)
    except (OSError, sqlite3.Error):
        return None


def _open_usable(path: Path, table: str) -> sqlite3.Connection | None:
    """The file as it is; None when it must be dropped. Raises when it is locked or cannot be written."""
    try:
        connection = _open(path)
        if not _usable(connection, path):
            connection.close()
            return None
        _prepare(connection, table)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:  # no SQLite file, or a damaged one
        return None
    return connection


def _open_anew(path: Path, table: str) -> sqlite3.Connection:
    for stale in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        stale.unlink(missing_ok=True)
    connection = _open(path)
    _prepare(connection, table)
    return connection


def _prepare(connection: sqlite3.Connection, table: str) -> None:
    connection.execute(table)
    connection.execute(f"PRAGMA user_version={_version()}")


class _SelfClosing(sqlite3.Connection):
    """Closed when nobody holds it any more: a cache lives as long as whoever uses it (Python 3.13 warns otherwise)."""

    def __del__(self) -> None:
        self.close()


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False, factory=_SelfClosing)
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
