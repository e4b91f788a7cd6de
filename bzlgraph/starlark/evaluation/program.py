"""Program: a compiled file, ready to run and to be kept in a cache (``to_bytes``), without any value in it.

>>> from bzlgraph.starlark.compile import compile_file
>>> from bzlgraph.syntax import BZL, parse
>>> program = compile_file(parse("load('//:a.bzl', 'b'); x = b", "f.bzl", BZL), BZL, ())
>>> Program.from_bytes(program.to_bytes()).loads[0].module, program.globals
('//:a.bzl', (('x', 'x'),))
"""

from __future__ import annotations

import marshal
import sys
from bisect import bisect_right
from dataclasses import dataclass
from types import CodeType
from typing import Any

from bzlgraph.base.span import Location

CODE_VERSION = 3
"""Raise whenever generated code or its helpers change: cached programs of other versions are refused."""

_TAG = ("bzlgraph program", CODE_VERSION, sys.implementation.cache_tag)


class StaleProgram(ValueError):
    """Bytes of another version of Python or of bzlgraph."""


@dataclass(frozen=True, slots=True)
class LoadStatement:
    """``load(module, local = "original", ...)``"""

    module: str
    bindings: tuple[tuple[str, str], ...]
    """(local name, original name)"""
    location: Location


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled file. ``globals`` are (name, name in generated code) in file order, without loaded names."""

    path: str
    code: CodeType
    loads: tuple[LoadStatement, ...]
    globals: tuple[tuple[str, str], ...]
    marks: int
    functions: tuple[tuple[int, int], ...]
    """(line, column from 1) of the name of every ``def``, in file order."""
    statements: tuple[int, ...]
    """The line of every top-level statement."""
    candidates: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """(line of the name, the names in it that are not its own) of every function that may be pure."""

    @property
    def name(self) -> str:
        """The path given to ``compile_file``."""
        return self.path

    def statement_at(self, line: int) -> int:
        """The number of the top-level statement that a line belongs to."""
        return bisect_right(self.statements, line) - 1

    def to_bytes(self) -> bytes:
        """A form for the content cache."""
        loads = tuple((load.module, load.bindings, tuple(load.location)) for load in self.loads)
        names = (self.globals, self.marks, self.functions, self.statements, self.candidates)
        parts: Any = (_TAG, self.path, self.code, loads, *names)
        return marshal.dumps(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Program:
        """The program back; StaleProgram when it is outdated."""
        try:
            tag, path, code, loads, *names = marshal.loads(data)
        except (ValueError, EOFError, TypeError) as error:
            raise StaleProgram(str(error)) from None
        if tag != _TAG:
            raise StaleProgram(str(tag))
        statements = tuple(LoadStatement(module, bindings, Location(*where)) for module, bindings, where in loads)
        return cls(path, code, statements, *names)
