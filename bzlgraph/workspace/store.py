"""One SQLite file of a cache: opened safely, dropped when too large, never a reason to fail."""

from __future__ import annotations

import sqlite3
from pathlib import Path

MAX_BYTES = 1 << 30
"""A cache file larger than this starts anew."""


def connect(folder: Path, name: str, table: str) -> sqlite3.Connection | None:
    """Open (and create) a cache file with its table; None when the folder cannot be used."""
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MAX_BYTES:
            path.unlink()
        connection = sqlite3.connect(path, timeout=10, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        # A cache may be lost; waiting for the disk is what it is there to avoid.
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute(table)
    except (OSError, sqlite3.Error):
        return None
    return connection
