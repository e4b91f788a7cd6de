"""Compiled files by content: a file is parsed once in its life.

key: the file's bytes, the path it is compiled under, its dialect, the names it may use, and the code that compiles.
value: the marshalled ``Program``. One SQLite file (``programs.sqlite`` in the cache folder), safe between processes;
when it cannot be opened or written, everything still works, only slower. Files that do not parse are not kept.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bzlgraph.base.errors import SyntaxProblem
from bzlgraph.starlark.compile import compile_file
from bzlgraph.starlark.evaluation.program import Program
from bzlgraph.syntax import Dialect, parse, parse_prefix
from bzlgraph.syntax.ast import File
from bzlgraph.workspace.code_version import code_version
from bzlgraph.workspace.store import connect

FILE_NAME = "programs.sqlite"
TABLE = "CREATE TABLE IF NOT EXISTS programs (key BLOB PRIMARY KEY, program BLOB) WITHOUT ROWID"


@dataclass(slots=True)
class ProgramCache:
    """Programs on disk and in memory. ``folder`` None keeps them in memory only."""

    folder: Path | None = None
    _connection: sqlite3.Connection | None = None
    _opened_by: int = 0
    _fresh: list[tuple[bytes, bytes]] = field(default_factory=list)
    hits: int = 0
    misses: int = 0

    def program(self, data: bytes, path: str, dialect: Dialect, predeclared: Collection[str]) -> Program:
        """The program of a file's bytes. Raises SyntaxProblem with every static error."""
        key = _key(data, path, dialect, predeclared)
        stored = self._read(key)
        if stored is not None:
            with suppress(ValueError, EOFError, TypeError):
                program = Program.from_bytes(stored)
                self.hits += 1
                return program
        self.misses += 1
        program = compile_file(parse(data, path, dialect), dialect, predeclared)
        if self.folder is not None:
            self._fresh.append((key, program.to_bytes()))
            if len(self._fresh) >= 500:
                self.flush()
        return program

    def prefix(self, data: bytes, path: str, dialect: Dialect, predeclared: Collection[str]) -> Program:
        """The program of the statements before the first static error of a broken file (possibly none)."""
        file = parse_prefix(data, path, dialect).file
        while True:
            try:
                return compile_file(file, dialect, predeclared)
            except SyntaxProblem as problem:
                first = min(each.location.line for each in problem.diagnostics if each.location is not None)
                kept = [statement for statement in file.body if file.span(statement).end.line < first]
                file = File(file.path, file.text, kept[: len(file.body) - 1])

    def flush(self) -> None:
        """Write what was compiled since the last flush."""
        connection = self._open()
        if connection is not None and self._fresh:
            with suppress(sqlite3.Error), connection:
                connection.executemany("INSERT OR REPLACE INTO programs VALUES (?, ?)", self._fresh)
        self._fresh.clear()

    def _read(self, key: bytes) -> bytes | None:
        connection = self._open()
        if connection is None:
            return None
        with suppress(sqlite3.Error):
            row = connection.execute("SELECT program FROM programs WHERE key = ?", (key,)).fetchone()
            return row[0] if row else None
        return None

    def _open(self) -> sqlite3.Connection | None:
        """The connection of this process (one made before a fork is not usable after it)."""
        if self.folder is None:
            return None
        if self._connection is None or self._opened_by != os.getpid():
            self._connection = connect(self.folder, FILE_NAME, TABLE)
            self._opened_by = os.getpid()
            if self._connection is None:
                self.folder = None
        return self._connection


def default_folder() -> Path:
    """Where caches go: ``$XDG_CACHE_HOME/bzlgraph``, else ``~/.cache/bzlgraph``."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "bzlgraph"


def _key(data: bytes, path: str, dialect: Dialect, predeclared: Collection[str]) -> bytes:
    digest = hashlib.sha256(data)
    digest.update(f"\0{path}\0{dialect!r}\0{_names_digest(frozenset(predeclared))}\0{code_version()}".encode())
    return digest.digest()


@cache
def _names_digest(names: frozenset[str]) -> str:
    return hashlib.sha256("\0".join(sorted(names)).encode()).hexdigest()
