"""The Python files of a checkout: modules by dotted name, each read once and kept by content."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.cache.freshness import key_of, state_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.loading.executors import in_parallel
from bzlgraph.ops.python.summary import Module
from bzlgraph.workspace.sources.source import BesideSource, Source, TolerantSource, folder_of

NO_TESTS = ("_test.py",)
WORTH_A_POOL = 24
"""Fewer modules than this are read here: starting processes costs more."""
T = TypeVar("T")


class Search(NamedTuple):
    """The files that have what was looked for, and gaps for those that could not be read."""

    files: tuple[str, ...]
    gaps: tuple[Gap, ...]


_SEARCH, _MODULE = Codec(Search), Codec(Module)


@dataclass(slots=True)
class PythonTree:
    """Files below ``source``; the dotted name ``a.b`` is ``a/b.py`` or ``a/b/__init__.py`` below the first of ``roots``
    that has it. ``jobs``: how many processes read many modules, 0 for one per core."""

    source: Source
    folder: Path | None = None
    decided: Mapping[str, bool] = field(default_factory=dict)
    jobs: int = 0
    roots: tuple[str, ...] = ("",)
    gaps: dict[str, Gap] = field(default_factory=dict)
    _modules: dict[str, Module] = field(default_factory=dict)
    _files: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    _data: dict[str, bytes] = field(default_factory=dict)
    _states: dict[str, bytes | None] = field(default_factory=dict)
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.store = Store(self.folder, READINGS)

    def disk_folder(self, below: str) -> Path | None:
        """The folder on disk that everything below a folder of the tree is found from; None when nothing is kept, and
        where the folder is, or holds, one of others beside the tree."""
        source = self.source
        if isinstance(source, BesideSource):
            if not below or source.place(below)[0] is not source.base:
                return None
            source = source.base
        return folder_of(source) if self.folder is not None else None

    def is_beside(self, package: str) -> bool:
        """Whether a package is one of those that are not of the checkout itself."""
        return isinstance(self.source, BesideSource) and package in self.source.beside

    def module(self, path: str) -> Module:
        """The module in a file; an unreadable one is empty, and a gap."""
        found = self._modules.get(path)
        return self._take(path, self._read(path)) if found is None else found

    def read_ahead(self, paths: Iterable[str]) -> None:
        """Read modules that will be asked for, the largest first, on all cores."""
        asked = (path for path in dict.fromkeys(paths) if path not in self._modules)
        lacking = [path for path in asked if self.store.get(self._key(path), _MODULE) is None]
        if len(lacking) < WORTH_A_POOL:
            return
        lacking.sort(key=lambda path: len(self.bytes_of(path)), reverse=True)
        for path, made in zip(lacking, in_parallel(self._encoded, lacking, self.jobs), strict=True):
            self._take(path, _MODULE.decode(marshal.loads(made)))

    def _take(self, path: str, module: Module) -> Module:
        self._modules[path] = module
        if module.problem:
            self.gaps[path] = Gap(GapKind.FILE.value, path, f"cannot be read as Python: {module.problem}")
        return module

    def path_of(self, dotted: tuple[str, ...]) -> str | None:
        """The file of a module, None when there is none."""
        found = (self._path_below(root, dotted) for root in self.roots)
        return next((path for path in found if path is not None), None) if dotted else None

    def _path_below(self, root: str, dotted: tuple[str, ...]) -> str | None:
        folder, name = "/".join([root, *dotted[:-1]] if root else dotted[:-1]), dotted[-1]
        files, folders = self.entries(folder)
        if f"{name}.py" in files:
            return f"{folder}/{name}.py" if folder else f"{name}.py"
        inside = f"{folder}/{name}" if folder else name
        if name in folders and "__init__.py" in self.entries(inside)[0]:
            return f"{inside}/__init__.py"
        return None

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        folder, _, name = path.rpartition("/")
        return name in self.entries(folder)[0]

    def entries(self, folder: str) -> tuple[set[str], set[str]]:
        """(files, folders) of a folder."""
        found = self._files.get(folder)
        if found is None:
            files, folders = self.source.entries(folder)
            found = self._files[folder] = (set(files), set(folders))
        return found

    def files(self, folder: str, ends: str = ".py") -> Iterator[str]:
        """Files below a folder, tests left out, in order."""
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            files, folders = self.entries(here)
            lead = f"{here}/" if here else ""
            waiting += sorted((lead + each for each in folders), reverse=True)
            yield from (lead + each for each in sorted(files) if each.endswith(ends) and not each.endswith(NO_TESTS))

    def bytes_of(self, path: str) -> bytes:
        """A file's bytes, empty when it cannot be read."""
        if path not in self._data:
            self._data[path] = TolerantSource(self.source, self.gaps).read(path)
        return self._data[path]

    def containing(self, folder: str, needles: tuple[bytes, ...]) -> Iterator[str]:
        """Files below a folder whose bytes have one of the needles; looked for once as long as no file changes."""
        state = self._state(folder)
        if state is None:
            yield from self._looked_for(folder, needles)
        else:
            key = key_of(folder, (state, *needles))
            search = self.store.remember(key, _SEARCH, lambda: self._search(folder, needles))
            for gap in search.gaps:
                self.gaps.setdefault(gap.what, gap)
            yield from search.files

    def remember(self, folder: str, name: str, codec: Codec[T], make: Callable[[], T]) -> T:
        """What is made of the files below a folder, once as long as none of them changes."""
        state = self._state(folder)
        return make() if state is None else self.store.remember(key_of(name, (state,)), codec, make)

    def _state(self, folder: str) -> bytes | None:
        """What the files below a folder are, without reading them; None where nothing is kept."""
        if folder not in self._states:
            self._states[folder] = state_of(self.disk_folder(folder), self.files(folder))
        return self._states[folder]

    def _search(self, folder: str, needles: tuple[bytes, ...]) -> Search:
        files = tuple(self._looked_for(folder, needles))
        gaps = (self.gaps.get(path) for path in self.files(folder) if not self._data.get(path))
        return Search(files, tuple(gap for gap in gaps if gap is not None))

    def _looked_for(self, folder: str, needles: tuple[bytes, ...]) -> Iterator[str]:
        for path in self.files(folder):
            data = self.bytes_of(path)
            if any(needle in data for needle in needles):
                yield path

    def _read(self, path: str) -> Module:
        data = self.bytes_of(path)
        if not data:
            return Module(path)
        return self.store.remember(self._key(path), _MODULE, lambda: self._read_module(data, path))

    def _encoded(self, path: str) -> bytes:
        """A module as bytes, which travel between processes."""
        return marshal.dumps(_MODULE.encode(self._read(path)))

    def _key(self, path: str) -> bytes:
        return key_of(f"{path} {sorted(self.decided.items())}", (self.bytes_of(path),))

    def _read_module(self, data: bytes, path: str) -> Module:
        from bzlgraph.ops.python.read import read_module  # imported when there is something to read

        return read_module(data, path, self.decided)
