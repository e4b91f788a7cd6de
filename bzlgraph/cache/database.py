"""The files of a cache: SQLite with one table, opened when they are ours and right, made anew when they are ours.

path, number of the code's version -> connection, or None. A file that is not ours is left as it is: another user's,
a link, an SQLite file of another application. Ours are told by the application's number in their header, which is
read without opening the file for writing. https://sqlite.org/fileformat.html
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING

from bzlgraph.cache.private import is_private_file

if TYPE_CHECKING:
    from _typeshed import StrPath

APPLICATION = 0x627A6C67
"""``application_id`` of our files."""
MAX_BYTES = 1 << 30
FAULTS = (sqlite3.Error, UnicodeError, MemoryError)
"""What reading and writing may raise: a message that quotes a damaged file may be no UTF-8."""
_TABLE = "CREATE TABLE kept (key BLOB PRIMARY KEY, seal BLOB, value BLOB)"
_COMPANIONS = ("-wal", "-shm", "-journal")


class _State(Enum):
    """What stands in the place of a cache file."""

    OURS = 0
    """Or nothing, or an empty file."""
    DROPPED = 1
    """Ours, but of other code, too large or damaged: it starts anew."""
    FOREIGN = 2


def open_database(path: StrPath, version: int) -> sqlite3.Connection | None:
    """Open a cache file; None when it is not ours. Raises OSError, or one of FAULTS, when it cannot be used now."""
    state = _state(path, version)
    if state is _State.FOREIGN:
        return None
    if state is _State.DROPPED:
        drop(path)
    try:
        return _connected(path, version)
    except FAULTS as error:
        if not is_damage(error):
            raise
    drop(path)
    return _connected(path, version)


def drop(path: StrPath) -> None:
    """Remove a cache file with what SQLite keeps beside it. Raises OSError."""
    for each in (path, *_companions(path)):
        with suppress(FileNotFoundError):
            os.unlink(each)


def is_damage(error: Exception) -> bool:
    """Whether an error says that a file is damaged; locks, full disks and such are other errors."""
    return type(error) is sqlite3.DatabaseError or isinstance(error, UnicodeError)


def _state(path: StrPath, version: int) -> _State:
    file, *companions = map(_look, (path, *_companions(path)))
    if not all(each is None or is_private_file(each) for each in (file, *companions)):
        return _State.FOREIGN
    if file is None or not file.st_size:
        return _State.OURS
    application, made_by = _header(path)
    if application != APPLICATION:
        return _State.DROPPED if application is None else _State.FOREIGN
    return _State.OURS if made_by == version and file.st_size <= MAX_BYTES else _State.DROPPED


def _look(path: StrPath) -> os.stat_result | None:
    """What stands at a path, None when nothing does (any more: who uses it last takes the companions away)."""
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def _header(path: StrPath) -> tuple[int | None, int]:
    """Application and version that a file's header names; no application for what is no SQLite file.

    SQLite reads it, for a process that opens and closes such a file by itself loses the locks it has on it. A file that
    looks damaged but has just changed is looked at again: whoever closes it last writes its journal into it.
    """
    while True:
        before = os.stat(path)
        connection = sqlite3.connect(f"{_uri(path)}?mode=ro&immutable=1", uri=True)
        try:
            return _number(connection, "application_id"), _number(connection, "user_version")
        except FAULTS as error:
            if not is_damage(error):
                raise
            now = os.stat(path)
            if (now.st_size, now.st_mtime_ns, now.st_ino) == (before.st_size, before.st_mtime_ns, before.st_ino):
                return None, 0
        finally:
            connection.close()


def _connected(path: StrPath, version: int) -> sqlite3.Connection:
    """A connection to a file that is new or ours. Raises what ``is_damage`` tells when it is damaged."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False)
    try:
        _prepare(connection, version)
    except FAULTS:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, version: int) -> None:
    # Nothing that a file says is run, and nothing in it is taken on trust.
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    # A cache may be lost; waiting for the disk is what it is there to avoid.
    connection.execute("PRAGMA synchronous=OFF")
    if not _schema(connection):
        with connection:  # its number and its table together, before the journal hides them from who reads the header
            connection.execute("BEGIN IMMEDIATE")
            if not _schema(connection):
                connection.execute(f"PRAGMA application_id={APPLICATION}")
                connection.execute(f"PRAGMA user_version={version}")
                connection.execute(_TABLE)
    if _schema(connection) != [_TABLE] or _number(connection, "user_version") != version:
        raise sqlite3.DatabaseError("it contains foreign tables")
    connection.execute("PRAGMA journal_mode=WAL")


def _schema(connection: sqlite3.Connection) -> list[str]:
    """The definitions of all that a file holds (the index of a key has none)."""
    return [text for (text,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    number: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return number


def _companions(path: StrPath) -> list[str]:
    return [os.fspath(path) + suffix for suffix in _COMPANIONS]


def _uri(path: StrPath) -> str:
    """A file as SQLite wants it where a question mark begins parameters: https://sqlite.org/uri.html

    >>> _uri("/a b/50%/c?d#e")
    'file:///a b/50%25/c%3fd%23e'
    """
    text = os.path.abspath(path).replace(os.sep, "/")
    for each in "%?#":
        text = text.replace(each, f"%{ord(each):02x}")
    return f"file://{text}" if text.startswith("/") else f"file:///{text}"
