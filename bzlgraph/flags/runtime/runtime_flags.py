"""``flags runtime``: the flags and environment variables that the programs of a tree read when they run.

the C++ files of a workspace -> one row per flag: name, group, type, default, description, file, line. Files are
chosen by a search for a few words in their bytes; only those are read as C++. Tests are left out: nobody ships them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.phase import each_of
from bzlgraph.base.span import Location
from bzlgraph.cache.freshness import key_of, state_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.flags.rows import RuntimeFlag, RuntimeFlags
from bzlgraph.flags.runtime.declared_flag import MECHANISMS, declared_flags, macro_flags
from bzlgraph.flags.runtime.flag_list import listed_flags
from bzlgraph.flags.runtime.source_view import SourceView
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source, folder_of

_WORDS = (b"Flag", b"_FLAG", b"DEFINE_", b"FromEnvVar", b"getenv", b"GetEnvVar")
"""A file without any of them has no flag: a quick look at all files."""


def _any_of(word: bytes, names: Iterable[bytes]) -> re.Pattern[bytes]:
    """Finds the names, whole, that have a word in them: what begins with a plain text is found far sooner."""
    ends = (re.escape(name.partition(word)[2]) + rb"\b(?<=\b%s)" % re.escape(name) for name in names if word in name)
    return re.compile(re.escape(word) + b"(?:%s)" % b"|".join(ends))


_CALLED = tuple((word, _any_of(word, [b"Flag", b"CreateFlag", *map(str.encode, MECHANISMS)])) for word in _WORDS)
"""Nor has one that holds none of these names."""

_DEFAULT_VARIABLE = "TF_XLA_FLAGS"
"""What ``ParseFlagsFromEnv(list)`` reads where it takes no name: TensorFlow 1.x has one variable for all lists."""

_INCLUDE_ROOTS = ("", "third_party/tensorflow/", "third_party/")


def runtime_flags(
    source: Source,
    entries: Callable[[str], tuple[list[str], list[str]]] | None = None,
    cache_folder: Path | None = None,
) -> RuntimeFlags:
    """All flags of the C++ files of a source; read again only when one of the files changed.

    ``entries`` lists folders (the source's own, unless some are ignored); ``cache_folder`` None keeps nothing.
    """
    paths = [path for path in cpp_files(entries or source.entries) if not is_test_file(path)]
    state = state_of(folder_of(source), paths) if cache_folder is not None else None
    if state is None:
        return _read(source, paths)
    key = key_of("runtime flags", [state])
    return Store(cache_folder, READINGS).remember(key, Codec(RuntimeFlags), lambda: _read(source, paths))


def _read(source: Source, paths: Sequence[str]) -> RuntimeFlags:
    tree = IncludeTree(frozenset(paths), source.read, _INCLUDE_ROOTS, reading)
    rows: set[RuntimeFlag] = set()
    gaps: list[Gap] = []
    for path in each_of("Reading C++ sources", paths):
        file = tree.read_file(path) if may_have_flags(source, path) else None
        if file is not None:
            tree.within(path, partial(_add_flags, rows, SourceView(file, tree)))
    for path, why in sorted(tree.broken.items()):
        hides = f"its flags are not listed: {why}"
        gaps.append(Gap(GapKind.FILE.value, path, hides, Location(path, 0, 0)))
    return RuntimeFlags(tuple(sorted(rows, key=attrgetter("group", "name", "file", "line"))), tuple(gaps))


def may_have_flags(source: Source, path: str) -> bool:
    """Whether a file may hold a call of one of them; what cannot be read is for the reader to tell of."""
    try:
        data = source.read(path)
    except OSError:
        return True
    return any(word in data and called.search(data) is not None for word, called in _CALLED)


def _add_flags(rows: set[RuntimeFlag], view: SourceView) -> None:
    rows.update(listed_flags(view, _DEFAULT_VARIABLE))
    rows.update(declared_flags(view))
    rows.update(macro_flags(view))
