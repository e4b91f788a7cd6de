"""The files of a tree and which of them include which: where a macro that a file uses is defined.

An include is looked for from the root of the tree, then beside the file that asks; what is not in the tree (Eigen,
the standard library) is not there. Builds may look elsewhere (``includes``, ``strip_include_prefix``,
``include_prefix``): of a tree whose build nobody knows, ``anywhere``, the one file that a name with folders ends the
path of is meant, else the file that is there without the first folder, unless the tree has a folder of that name. Each
file is read once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from bzlgraph.base.errors import EvalProblem
from bzlgraph.cpp.condition import Formula, both, possible
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.source_file import SourceFile, includes_of, read_source_file, with_macro
from bzlgraph.cpp.text import HEADERS, SOURCES, NotCppText

T = TypeVar("T")
_BESIDE = (*SOURCES, ".cu.cc")
"""Endings of what defines what a header declares."""


@dataclass(slots=True)
class IncludeTree:
    """``paths`` are the C++ files of the tree, ``read`` gives the bytes of one (OSError when it cannot)."""

    paths: Collection[str]
    read: Callable[[str], bytes]
    roots: tuple[str, ...] = ("",)
    guard: Callable[[], AbstractContextManager[None]] = nullcontext
    """What each file is read inside: it raises an EvalProblem for one that takes more than any file needs."""
    broken: dict[str, str] = field(default_factory=dict)
    """Files that could not be read, and why."""
    resolved: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What files of the tree include themselves, of those that were asked for."""
    anywhere: bool = False
    _by_end: dict[str, list[str]] = field(default_factory=dict)
    """By the last folder and the name."""
    _top: frozenset[str] = frozenset()
    _files: dict[str, SourceFile | None] = field(default_factory=dict)
    _definers: dict[str, list[Macro]] = field(default_factory=dict)
    _closures: dict[str, frozenset[str]] = field(default_factory=dict)
    _near: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _bytes: dict[str, bytes] = field(default_factory=dict)

    def file(self, path: str) -> SourceFile | None:
        """A file of the tree, None (and an entry in ``broken``) when it cannot be read."""
        if path not in self._files:
            self._files[path] = self.read_file(path)
        return self._files[path]

    def read_file(self, path: str) -> SourceFile | None:
        """The same, read anew and not remembered: the tokens of every file of a tree do not fit into memory."""
        return self.within(path, lambda: read_source_file(self.read(path), path))

    def bytes_of(self, path: str) -> bytes:
        """The bytes of a file, remembered; empty (and an entry in ``broken``) when it cannot be read."""
        if path not in self._bytes:
            self._bytes[path] = self.within(path, partial(self.read, path)) or b""
        return self._bytes[path]

    def within(self, path: str, work: Callable[[], T]) -> T | None:
        """The result of work on a file; None (and an entry in ``broken``) when it cannot be read, or takes more than
        any file needs."""
        try:
            with self.guard():
                return work()
        except OSError as problem:
            self.broken[path] = problem.strerror or "cannot be read"
        except (NotCppText, EvalProblem) as problem:
            self.broken[path] = str(problem)
        return None

    def _with_macros(self, path: str) -> tuple[SourceFile, dict[str, list[Macro]]]:
        file = read_source_file(self.read(path), path)
        return file, _left(file)

    def included(self, path: str) -> tuple[str, ...]:
        """The files of the tree that a file includes itself."""
        found = self.resolved.get(path)
        if found is None:
            folder = path.rpartition("/")[0]
            names = self._names_included(path)
            found = tuple(place for name in names if (place := self._resolve(name, folder)) is not None)
            self.resolved[path] = found
        return found

    def _names_included(self, path: str) -> tuple[str, ...]:
        """What stands in the includes of a file. Most files are asked for nothing else: those are not read whole."""
        if path not in self._files:
            with suppress(OSError):
                quick = includes_of(self.read(path))
                if quick is not None:
                    return quick
        file = self.file(path)
        return file.includes if file is not None else ()

    def _resolve(self, name: str, folder: str) -> str | None:
        for root in self.roots:
            if root + name in self.paths:
                return root + name
        beside = _normal(f"{folder}/{name}")
        if beside in self.paths:
            return beside
        return self._elsewhere(name) if self.anywhere and "/" in name else None

    def _elsewhere(self, name: str) -> str | None:
        if not self._by_end:
            for path in self.paths:
                self._by_end.setdefault(_end(path), []).append(path)
            self._top = frozenset(path.partition("/")[0] for path in self.paths)
        ending = [path for path in self._by_end.get(_end(name), ()) if path.endswith(f"/{name}")]
        if ending:
            return ending[0] if len(ending) == 1 else None
        first, _, rest = name.partition("/")
        return rest if "/" in rest and rest in self.paths and first not in self._top else None

    def closure(self, path: str) -> frozenset[str]:
        """Every file of the tree that a file includes, directly or through others."""
        known = self._closures.get(path)
        if known is not None:
            return known
        found = self._closures[path] = frozenset(self.reached([path]) - {path})
        return found

    def reached(self, paths: Iterable[str]) -> set[str]:
        """Some files and every file that one of them includes, directly or through others."""
        seen = set(paths)
        stack = list(seen)
        while stack:
            for each in self.included(stack.pop()):
                if each not in seen:
                    seen.add(each)
                    stack.append(each)
        return seen

    def near(self, path: str) -> tuple[str, ...]:
        """Where the definition of what a file names is looked for: the file, those of its own name, then what it
        includes, the nearest first, each with the source beside it."""
        if path not in self._near:
            direct = self.included(path)
            further = sorted(self.closure(path) - set(direct))
            own = beside(path, (*SOURCES, *HEADERS, ".cu.cc"), self.paths)
            headers = (near for each in (*direct, *further) for near in (each, *beside(each, _BESIDE, self.paths)))
            self._near[path] = tuple(dict.fromkeys([path, *own, *headers]))
        return self._near[path]

    def definitions(self, name: str) -> list[Macro]:
        """All definitions of a macro in headers, as ``remember`` was told of them."""
        return self._definers.get(name, [])

    def of_all_macros(self, describe: Callable[[Macro], T]) -> Iterator[T]:
        """What ``describe`` says of every macro of the files read so far, in force at their ends or not."""
        for path, file in list(self._files.items()):
            yield from self.within(path, partial(_described, file, describe)) or ()

    def remember(self, path: str) -> None:
        """Make the macros that are in force at a file's end findable by name."""
        file, left = self.within(path, lambda: self._with_macros(path)) or (None, {})
        self._files[path] = file
        for name, macros in left.items():
            self._definers.setdefault(name, []).extend(macros)


def _left(file: SourceFile) -> dict[str, list[Macro]]:
    """The definitions that are in force at a file's end."""
    left: dict[str, list[Macro]] = {}
    for _start, name, macro in file.defines:
        if macro is None:
            left.pop(name, None)
        else:
            left[name] = with_macro(left.get(name, []), macro)
    return left


def _described(file: SourceFile | None, describe: Callable[[Macro], T]) -> list[T]:
    return [describe(macro) for _, _, macro in file.defines if macro is not None] if file is not None else []


def in_force(file: SourceFile, offset: int, name: str, condition: Formula) -> list[Macro] | None:
    """The definitions of a name that may hold at an offset of the file; None when it neither defined nor undid it."""
    starts, states = file.history(name)
    at = bisect_left(starts, offset)
    return None if at == 0 else [macro for macro in states[at - 1] if possible(both(macro.condition, condition))]


def beside(path: str, endings: Iterable[str], paths: Collection[str]) -> list[str]:
    """The files of a file's own name with other endings."""
    folder, _, name = path.rpartition("/")
    stem = f"{folder}/{name.partition('.')[0]}" if folder else name.partition(".")[0]
    return [stem + end for end in endings if stem + end in paths]


def _end(path: str) -> str:
    return "/".join(path.rsplit("/", 2)[-2:])


def _normal(path: str) -> str:
    """A path without ``.`` and ``..``."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)
