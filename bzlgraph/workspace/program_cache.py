"""Compiled files by content: a file is parsed once in its life.

key: the file's bytes, the path it is compiled under, its dialect, the names it may use, and the code that compiles.
value: the marshalled ``Program``, which runs because the store proves that this user's bzlgraph wrote it. Files that do
not parse are not kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from bzlgraph.base.codec import Codec
from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import SyntaxProblem
from bzlgraph.base.words import utf8
from bzlgraph.bazel.repository.placeholder import holds_any
from bzlgraph.cache.code import code_version
from bzlgraph.cache.store import PROGRAMS, Store
from bzlgraph.starlark.evaluation.budget import DEFAULT
from bzlgraph.starlark.evaluation.program import Program
from bzlgraph.starlark.evaluation.watchdog import watched
from bzlgraph.syntax.dialect import Dialect

# A run that finds all its programs parses nothing, so what parses and compiles is imported where it is needed.
if TYPE_CHECKING:
    from bzlgraph.syntax.ast import File

_BYTES = Codec(bytes)


@dataclass(slots=True)
class ProgramCache:
    """Programs on disk."""

    store: Store
    _fresh: list[tuple[bytes, bytes]] = field(default_factory=list)
    hits: int = 0
    misses: int = 0

    def program(self, data: bytes, path: str, dialect: Dialect, predeclared: Collection[str]) -> Program:
        """The program of a file's bytes. Raises SyntaxProblem with every static error."""
        key = _key(data, path, dialect, predeclared)
        stored = self.store.get(key, _BYTES)
        if stored is not None:
            with suppress(ValueError, EOFError, TypeError):
                program = Program.from_bytes(stored)
                self.hits += 1
                return program
        from bzlgraph.starlark.compile import compile_file
        from bzlgraph.syntax import parse

        self.misses += 1
        with watched(DEFAULT):
            program = compile_file(_revealed(data, parse(data, path, dialect)), dialect, predeclared)
        if self.store.folder is not None:
            self._fresh.append((key, program.to_bytes()))
            if len(self._fresh) >= 500:
                self.flush()
        return program

    def salvaged(
        self, data: bytes, path: str, dialect: Dialect, predeclared: Collection[str], problems: list[Diagnostic]
    ) -> Program:
        """The file's program; when it has static errors, which go into ``problems``, its ``prefix``."""
        try:
            return self.program(data, path, dialect, predeclared)
        except SyntaxProblem as error:
            problems.extend(error.diagnostics)
            return self.prefix(data, path, dialect, predeclared)

    def prefix(self, data: bytes, path: str, dialect: Dialect, predeclared: Collection[str], start: int = 0) -> Program:
        """The program of the statements from ``start`` to the first static error of a file (possibly none)."""
        from bzlgraph.starlark.compile import compile_file
        from bzlgraph.syntax import parse_prefix
        from bzlgraph.syntax.ast import File

        file = _revealed(data, parse_prefix(data, path, dialect).file)
        while True:
            try:
                return compile_file(file, dialect, predeclared, start)
            except SyntaxProblem as problem:
                first = min(each.location.line for each in problem.diagnostics if each.location is not None)
                kept = [statement for statement in file.body if file.span(statement).end.line < first]
                file = File(file.path, file.text, kept[: len(file.body) - 1])

    def take(self) -> tuple[tuple[bytes, bytes], ...]:
        """What was compiled since the last flush, for another process to write."""
        taken = tuple(self._fresh)
        self._fresh.clear()
        return taken

    def give(self, compiled: Iterable[tuple[bytes, bytes]]) -> None:
        """Let the next flush write what another process compiled."""
        self._fresh.extend(compiled)

    def flush(self) -> None:
        """Write what was compiled since the last flush."""
        if self._fresh:
            self.store.put(self._fresh, _BYTES)
        self._fresh.clear()


def _revealed(data: bytes, file: File) -> File:
    """The file with names for what is unknown in its text (a repository rule wrote it)."""
    if holds_any(data):
        from bzlgraph.bazel.repository.reveal import reveal

        reveal(file)
    return file


def open_program_cache(folder: Path | None) -> ProgramCache:
    """The programs kept in a cache folder; None keeps none."""
    return ProgramCache(Store(folder, PROGRAMS))


def import_compiler() -> None:
    """Import what parses and compiles: processes that are forked from this one find it there."""
    import_module("bzlgraph.starlark.compile")
    import_module("bzlgraph.syntax.parse_source")


def _key(data: bytes, path: str, dialect: Dialect, predeclared: Collection[str]) -> bytes:
    digest = hashlib.sha256(data)
    digest.update(utf8(f"\0{path}\0{dialect!r}\0{_names_digest(frozenset(predeclared))}\0{code_version()}"))
    return digest.digest()


@cache
def _names_digest(names: frozenset[str]) -> str:
    return hashlib.sha256(utf8("\0".join(sorted(names)))).hexdigest()
