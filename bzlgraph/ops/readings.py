"""What was read of sources, kept on disk under the content that it was read from.

Plain values (tuples, dicts, texts, numbers) in ``ops.sqlite`` of the cache folder; without a folder, or when the file
cannot be used, everything works, only slower.
"""

from __future__ import annotations

import hashlib
import marshal
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bzlgraph.workspace.store import connect

FILE_NAME = "ops.sqlite"
TABLE = "CREATE TABLE IF NOT EXISTS readings (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"


class Readings:
    """``folder`` is the cache's, None for none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._connection: sqlite3.Connection | None = None

    def kept(self, name: str, content: bytes, make: Callable[[], Any]) -> Any:
        """What ``make`` gives, kept under a name and the digest of the content that it is made from."""
        key = hashlib.blake2b(name.encode() + b"\0" + content, digest_size=20).digest()
        connection = self._open()
        if connection is not None:
            with suppress(sqlite3.Error, ValueError, EOFError, TypeError):
                row = connection.execute("SELECT value FROM readings WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    return marshal.loads(row[0])
        made = make()
        if connection is not None:
            with suppress(sqlite3.Error), connection:
                connection.execute("INSERT OR REPLACE INTO readings VALUES (?, ?)", (key, marshal.dumps(made)))
        return made

    def _open(self) -> sqlite3.Connection | None:
        if self._connection is None and self._folder is not None:
            self._connection = connect(self._folder, FILE_NAME, TABLE)
        return self._connection


def digest_of(data: Iterable[bytes]) -> bytes:
    """One digest for many files."""
    digest = hashlib.blake2b(digest_size=20)
    for each in data:
        digest.update(len(each).to_bytes(8, "big"))
        digest.update(each)
    return digest.digest()
