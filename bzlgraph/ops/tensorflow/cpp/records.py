"""Everything a tree's C++ says about ops, as plain records that can be kept: read by several processes, cached whole.

source -> ``CppRecords``. Kept under the names, sizes and times of all C++ files: a tree where none of them changed is
not read again. Files are read by as many processes as there are cores (where there is ``fork``).
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap
from bzlgraph.cache.freshness import state_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.cpp.text import cpp_files
from bzlgraph.loading.executors import in_parallel
from bzlgraph.ops.model import GradientRegistration, KernelRegistration, OpRegistration
from bzlgraph.ops.tensorflow.cpp.stored_records import StoredRecords
from bzlgraph.workspace.sources.source import Source, folder_of

if TYPE_CHECKING:
    from bzlgraph.ops.tensorflow.cpp.scan import Scan
    from bzlgraph.ops.tensorflow.cpp.work.compute import ComputeFinder

Parts = tuple[bytes, ...]
"""The fields of ``CppRecords`` as bytes, in their order: what is kept. Between processes the last is not sent."""
_PARTS: Codec[Parts] = Codec(tuple[bytes, ...])
CHUNK = 24
WORTH_A_POOL = 3 * CHUNK


_CODECS: tuple[Codec[Any], ...] = (
    Codec(OpRegistration), Codec(KernelRegistration), Codec(GradientRegistration), Codec(Gap)
)  # fmt: skip
"""Of the records in the fields of ``CppRecords``."""


@dataclass(frozen=True, slots=True)
class CppRecords:
    """What is registered, kernels with the method that computes; no targets, which depend on BUILD files."""

    ops: StoredRecords[OpRegistration]
    kernels: StoredRecords[KernelRegistration]
    gradients: StoredRecords[GradientRegistration]
    gaps: StoredRecords[Gap]
    inclusions: bytes = marshal.dumps({})
    """Of the files that were looked into: which others of the tree they include themselves."""

    @property
    def included(self) -> dict[str, tuple[str, ...]]:
        """The same, for whoever goes from file to file. Few questions do."""
        found: dict[str, tuple[str, ...]] = marshal.loads(self.inclusions)
        return found


def read_records(
    source: Source, entries: Callable[[str], tuple[list[str], list[str]]], folder: Path | None, jobs: int
) -> CppRecords:
    """The records of a tree: from the cache in ``folder``, or read now and kept there."""
    paths = sorted(cpp_files(entries))
    state = state_of(folder_of(source), paths) if folder is not None else None
    store = Store(folder if state is not None else None, READINGS)
    return _of_parts(store.remember(state or b"", _PARTS, lambda: _read(source, paths, jobs)))


def _read(source: Source, paths: Sequence[str], jobs: int) -> Parts:
    # What reads C++ is imported when a tree is read: most questions find it kept.
    from bzlgraph.ops.tensorflow.cpp.scan import scan_tree
    from bzlgraph.ops.tensorflow.cpp.work.compute import ComputeFinder

    scan = scan_tree(paths, source.read)
    finder = ComputeFinder(scan)
    finder.prepare()
    chunks = [scan.files[start : start + CHUNK] for start in range(0, len(scan.files), CHUNK)] or [()]
    jobs = jobs if len(scan.files) >= WORTH_A_POOL else 1
    return _joined(in_parallel(lambda chunk: _read_files(finder, chunks[chunk]), range(len(chunks)), jobs), scan)


def _read_files(finder: ComputeFinder, files: Iterable[str]) -> Parts:
    """The records of some files."""
    scan = finder.scan
    scan.registrations.clear()
    scan.gaps.clear()
    found = scan.registrations
    for path in files:
        first = len(found)
        scan.read(path)
        scan.guarded(path, partial(_find_methods, finder, first))
    records: tuple[Iterable[object], ...] = (
        [each for each in found if isinstance(each, OpRegistration)],
        [each for each in found if isinstance(each, KernelRegistration)],
        [each for each in found if isinstance(each, GradientRegistration)],
        [*scan.gaps, *scan.unreadable()],
    )
    return tuple(
        marshal.dumps([codec.encode(each) for each in part]) for codec, part in zip(_CODECS, records, strict=True)
    )


def _find_methods(finder: ComputeFinder, first: int) -> None:
    """The methods that compute, for the kernels among the registrations from ``first`` on."""
    found = finder.scan.registrations
    for index in range(first, len(found)):
        each = found[index]
        if isinstance(each, KernelRegistration):
            found[index] = _computed(each, finder)


def _computed(kernel: KernelRegistration, finder: ComputeFinder) -> KernelRegistration:
    """A kernel with the method that computes, and one for GPUs with the files of its functors."""
    if kernel.compute is not None:  # of the C API, which names its function itself
        return kernel
    home = kernel.location.path
    method = finder.find(kernel.kernel_class, home)
    if method is not None:
        kernel = replace(
            kernel,
            compute=method.location,
            compute_class=method.owner,
            compute_method=method.name,
            generated=method.generated,
        )
    if kernel.device != "GPU" or kernel.for_xla:
        return kernel
    computed = kernel.compute.path if kernel.compute else home
    files = tuple(dict.fromkeys((home, computed)))
    return replace(kernel, device_files=finder.device_files.of(kernel.kernel_class, files))


def _joined(parts: Sequence[Parts], scan: Scan) -> Parts:
    """The records of all files: the gaps sorted, all else in the order of the files."""
    *records, gaps = ([each for data in column for each in marshal.loads(data)] for column in zip(*parts, strict=True))
    unread = sorted({*scan.unreadable(), *map(_CODECS[-1].decode, gaps)}, key=str)
    every = [*records, [_CODECS[-1].encode(gap) for gap in unread]]
    return (*map(marshal.dumps, every), marshal.dumps(_inclusions(scan)))


def _inclusions(scan: Scan) -> dict[str, tuple[str, ...]]:
    """What the files of the tree itself include, each path one object, which marshal writes once."""
    own = {path: path for path in scan.contents}
    found = sorted((path, places) for path, places in scan.tree.resolved.items() if path in own)
    return {own[path]: tuple(own.get(each, each) for each in places) for path, places in found}


def _of_parts(parts: Parts) -> CppRecords:
    *records, inclusions = parts
    ops, kernels, gradients, gaps = map(StoredRecords[Any], map(marshal.loads, records), _CODECS)
    return CppRecords(ops, kernels, gradients, gaps, inclusions)
