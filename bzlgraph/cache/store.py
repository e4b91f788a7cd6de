"""A store: values of declared types by key, in one file of the cache folder.

Every cache is one ``Store``. It never fails: without a folder, or when the file cannot be used, everything works, only
slower. A file made by other code, grown too large or damaged is dropped and starts anew, so that a cache holds what can
still be used. Safe between processes.
"""

from __future__ import annotations

import gc
import marshal
import os
import sqlite3
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from bzlgraph.base.codec import Codec
from bzlgraph.cache.code import code_version
from bzlgraph.cache.database import FAULTS, drop, is_damage, open_database
from bzlgraph.cache.looks import limits_broken
from bzlgraph.cache.private import make_folder, state_home
from bzlgraph.cache.seal import NoKey, Seal, user_key

if TYPE_CHECKING:
    from _typeshed import StrPath

T = TypeVar("T")
PROGRAMS, PACKAGES, READINGS = "programs-2.sqlite", "packages-2.sqlite", "ops-2.sqlite"
"""The files: compiled Starlark, evaluated packages, and what was read of sources in other languages. Their number is
raised when older code would take them for its own."""


class Store:
    """One file of a cache. ``folder`` None keeps nothing; one that is given was checked (``folder.checked_folder``)."""

    def __init__(self, folder: StrPath | None, name: str) -> None:
        self.folder = folder
        self._name = name
        self._connection: sqlite3.Connection | None = None
        self._opened_by = 0
        self._inode = 0
        self._broken_before = limits_broken()

    def get(self, key: bytes, codec: Codec[T]) -> T | None:
        """The value kept under a key, None when there is none that this user's code of this version wrote."""
        connection = self._open()
        if connection is not None:
            try:
                row = connection.execute("SELECT seal, value FROM kept WHERE key = ?", (key,)).fetchone()
            except FAULTS as error:
                self._give_up(error)
                return None
            if row is not None and self._seal.holds(row[0], key, row[1]):
                with suppress(ValueError, TypeError, KeyError, IndexError):  # a value of another type
                    return codec.decode(marshal.loads(row[1]))
        return None

    def put(self, rows: Iterable[tuple[bytes, T]], codec: Codec[T]) -> None:
        """Keep values under their keys."""
        connection = self._open()
        if connection is not None:
            try:
                with connection:
                    connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", self._rows(rows, codec))
            except FAULTS as error:
                self._give_up(error)

    def remember(self, key: bytes, codec: Codec[T], make: Callable[[], T]) -> T:
        """The value kept under a key, or what ``make`` gives, which is kept; not once a limit of time or memory was
        broken since the store was opened: what is made then may lack what there was no time for."""
        collecting = gc.isenabled()
        gc.disable()  # what sources are read into forms no cycles: walking it again and again costs a fifth of the time
        try:
            value = self.get(key, codec)
            if value is None:
                value = make()
                if limits_broken() == self._broken_before:
                    self.put([(key, value)], codec)
            return value
        finally:
            if collecting:
                gc.enable()

    def _rows(self, rows: Iterable[tuple[bytes, T]], codec: Codec[T]) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Sealed rows, one at a time in memory."""
        for key, value in rows:
            data = marshal.dumps(codec.encode(value))
            yield key, self._seal.of(key, data), data

    def _open(self) -> sqlite3.Connection | None:
        """The connection of this process (one made before a fork is not usable after it)."""
        if self.folder is None:
            return None
        if self._connection is None or self._opened_by != os.getpid():
            self._opened_by = os.getpid()
            self._connection = None
            with suppress(OSError, NoKey, *FAULTS):
                self._connect(os.path.join(self.folder, self._name))
            if self._connection is None:
                self.folder = None
        return self._connection

    def _connect(self, path: str) -> None:
        home = state_home()
        if home is None:
            return
        self._seal = Seal(user_key(home), self._name, code_version())
        make_folder(os.path.dirname(path))
        connection = open_database(path, int(code_version()[:7], 16))  # SQLite keeps 31 bits of it
        if connection is not None:
            self._connection, self._inode = connection, os.stat(path).st_ino
            # When nobody holds the store any more, or at the end of the process: else SQLite leaves its journal.
            weakref.finalize(self, connection.close)

    def _give_up(self, error: Exception) -> None:
        """After an error nothing more is read or written; a damaged file makes room for the next run's.

        Unless another process has already put a new one in its place.
        """
        if is_damage(error) and self.folder is not None:
            path = os.path.join(self.folder, self._name)
            with suppress(OSError):
                if os.stat(path).st_ino == self._inode:
                    drop(path)
        self.folder = None
