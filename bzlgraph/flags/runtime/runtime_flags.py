"""``flags runtime``: the flags and environment variables that the programs of a tree read when they run.

the C++ files of a workspace -> one row per flag: name, group, type, default, description, file, line. Files are
chosen by a search for a few words in their bytes; only those are read as C++. Tests are left out: nobody ships them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.cpp import NotCppText, read_cpp
from bzlgraph.cpp.walk import cpp_files, is_test_file
from bzlgraph.flags.runtime.declared_flag import declared_flags
from bzlgraph.flags.runtime.flag_list import listed_flags
from bzlgraph.flags.runtime.flag_row import RuntimeFlag
from bzlgraph.flags.runtime.macro_flag import macro_flags
from bzlgraph.flags.runtime.source_view import Scene, read_scene
from bzlgraph.workspace.source import Source

_WORDS = (b"Flag(", b"Flag<", b"_FLAG(", b"DEFINE_", b"FromEnvVar", b"getenv(", b"GetEnvVar(")
"""A file without any of them has no flag."""

_DEFAULT_VARIABLE = "TF_XLA_FLAGS"
"""What ``ParseFlagsFromEnv(list)`` reads where it takes no name: TensorFlow 1.x has one variable for all lists."""

_INCLUDE_ROOTS = ("", "third_party/tensorflow/", "third_party/")


@dataclass(frozen=True, slots=True)
class RuntimeFlags:
    """The rows, sorted by group and name, and the files that could not be read."""

    rows: tuple[RuntimeFlag, ...]
    gaps: tuple[Gap, ...]


def runtime_flags(
    source: Source, entries: Callable[[str], tuple[list[str], list[str]]] | None = None, *, tests: bool = False
) -> RuntimeFlags:
    """All flags of the C++ files of a source. ``entries`` lists folders (the source's own, unless some are ignored)."""
    reader = _Reader(source)
    rows: set[RuntimeFlag] = set()
    gaps: list[Gap] = []
    for path in cpp_files(entries or source.entries):
        if not tests and is_test_file(path):
            continue
        try:
            scene = reader.scene(path, only_with=_WORDS)
        except (OSError, NotCppText) as problem:
            gaps.append(_unreadable(path, problem))
            continue
        if scene is not None:
            rows.update(_flags(scene))
    return RuntimeFlags(tuple(sorted(rows, key=_order)), tuple(gaps))


def _flags(scene: Scene) -> Iterator[RuntimeFlag]:
    yield from listed_flags(scene, _DEFAULT_VARIABLE)
    yield from declared_flags(scene)
    yield from macro_flags(scene)


def _order(flag: RuntimeFlag) -> tuple[str, str, str, int]:
    return flag.group, flag.name, flag.file, flag.line


def _unreadable(path: str, problem: OSError | NotCppText) -> Gap:
    words = (problem.strerror or "cannot be read") if isinstance(problem, OSError) else str(problem)
    return Gap(GapKind.FILE.value, path, f"its flags are not listed: {words}", Location(path, 0, 0))


class _Reader:
    """Reads files as scenes; a header that several files include is read once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.headers: dict[str, Scene | None] = {}

    def scene(self, path: str, only_with: tuple[bytes, ...] = ()) -> Scene | None:
        """The scene of a file; None when it holds none of the words. Raises OSError, NotCppText."""
        data = self.source.read(path)
        if only_with and not any(word in data for word in only_with):
            return None
        return read_scene(read_cpp(data, path), lambda include: self.header(include, path))

    def header(self, include: str, includer: str) -> Scene | None:
        """The scene of an included header, None when it is not in the tree or cannot be read."""
        folder = includer.rpartition("/")[0]
        for path in (*(root + include for root in _INCLUDE_ROOTS), f"{folder}/{include}" if folder else include):
            if path in self.headers:
                return self.headers[path]
            if self.source.is_file(path):
                self.headers[path] = None  # a header that includes itself is not read twice
                with suppress(OSError, NotCppText):
                    self.headers[path] = self.scene(path)
                return self.headers[path]
        return None
