"""Everything a tree's C++ says about ops, as plain records that can be kept: read by several processes, cached whole.

source -> ``CppRecords``. Kept in ``ops.sqlite`` under the names, sizes and times of all C++ files: a tree where none of
them changed is not read again. Files are read by as many processes as there are cores (where there is ``fork``).
"""

from __future__ import annotations

import gc
import marshal
import multiprocessing
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bzlgraph.base.gap import Gap
from bzlgraph.cpp.text import cpp_files
from bzlgraph.loading.pool import available_cores
from bzlgraph.ops.file_state import state_of
from bzlgraph.ops.tensorflow.cpp.kept_records import Kept, KeptComputes, plain_of
from bzlgraph.ops.tensorflow.cpp.model import ComputeDefinition, GradientRecord, KernelRecord, OpRecord
from bzlgraph.workspace.source import Source
from bzlgraph.workspace.store import connect

if TYPE_CHECKING:
    from bzlgraph.ops.tensorflow.cpp.device_files import DeviceFiles
    from bzlgraph.ops.tensorflow.cpp.scan import Scan

FILE_NAME = "ops.sqlite"
TABLE = "CREATE TABLE IF NOT EXISTS trees (key BLOB PRIMARY KEY, records BLOB) WITHOUT ROWID"
Plain = tuple[tuple[Any, ...], ...]
CHUNK = 24
WORTH_A_POOL = 3 * CHUNK


@dataclass(frozen=True, slots=True)
class CppRecords:
    """What is registered, and for each kernel (by its class and file) the method that computes."""

    ops: Kept[OpRecord]
    kernels: Kept[KernelRecord]
    gradients: Kept[GradientRecord]
    computes: Kept[tuple[str, str, ComputeDefinition]]
    gaps: Kept[Gap]

    def plain(self) -> Plain:
        """What is kept on disk, and what a process sends to another."""
        return tuple(each.plain for each in (self.ops, self.kernels, self.gradients, self.computes, self.gaps))

    def compute_of(self) -> KeptComputes:
        """The method of each kernel, by its class and file."""
        return KeptComputes({(name, file): definition for name, file, definition in self.computes.plain})


def read_records(
    source: Source, entries: Callable[[str], tuple[list[str], list[str]]], folder: Path | None, jobs: int = 0
) -> CppRecords:
    """The records of a tree: from the cache in ``folder``, or read now and kept there."""
    paths = sorted(cpp_files(entries))
    key = state_of(source, paths) if folder is not None else None
    if folder is not None and key is not None:
        kept = _kept(folder, key)
        if kept is not None:
            return kept
    collecting = gc.isenabled()
    gc.disable()  # millions of tokens that form no cycles: walking them again and again costs a quarter of the time
    try:
        records = _read(source, paths, jobs)
    finally:
        if collecting:
            gc.enable()
    if folder is not None and key is not None:
        _keep(folder, key, records)
    return records


def _read(source: Source, paths: Sequence[str], jobs: int) -> CppRecords:
    # What reads C++ is imported when a tree is read: most questions find it kept.
    from bzlgraph.ops.tensorflow.cpp.compute import ComputeFinder
    from bzlgraph.ops.tensorflow.cpp.scan import scan_tree

    scan = scan_tree(paths, source.read)
    files = scan.files
    ComputeFinder.of(scan).prepare()
    jobs = jobs or available_cores()
    if jobs < 2 or len(files) < WORTH_A_POOL or "fork" not in multiprocessing.get_all_start_methods():
        return _joined([_read_files(scan, files)], scan)
    chunks = [files[start : start + CHUNK] for start in range(0, len(files), CHUNK)]
    _Shared.scan = scan
    try:
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
            return _joined([marshal.loads(each) for each in pool.map(_read_chunk, chunks)], scan)
    finally:
        _Shared.scan = None


class _Shared:
    """What forked workers start with: set just before the fork."""

    scan: Scan | None = None


def _read_chunk(files: Sequence[str]) -> bytes:
    assert _Shared.scan is not None, "set before the fork"
    return marshal.dumps(_read_files(_Shared.scan, files))


def _read_files(scan: Scan, files: Iterable[str]) -> Plain:
    """The records of some files, read in this process."""
    from bzlgraph.ops.tensorflow.cpp.compute import ComputeFinder
    from bzlgraph.ops.tensorflow.cpp.device_files import DeviceFiles

    scan.registrations.clear()
    scan.gaps.clear()
    for path in files:
        scan.read(path)
    found = scan.registrations
    kernels = tuple(each for each in found if isinstance(each, KernelRecord))
    finder = ComputeFinder.of(scan)
    computes: dict[tuple[str, str], ComputeDefinition] = {}
    for kernel in kernels:
        definition = finder.find(kernel)
        if definition is not None:
            computes[kernel.kernel_class, kernel.place.file] = definition
    if scan.device_files is None:
        scan.device_files = DeviceFiles(scan.contents)
    device_files = scan.device_files
    records = (
        tuple(each for each in found if isinstance(each, OpRecord)),
        tuple(_with_device_files(each, computes, device_files) for each in kernels),
        tuple(each for each in found if isinstance(each, GradientRecord)),
        tuple((name, file, definition) for (name, file), definition in computes.items()),
        tuple(scan.gaps),
    )
    made: Plain = plain_of(records)
    return made


def _with_device_files(
    kernel: KernelRecord, computes: Mapping[tuple[str, str], ComputeDefinition], found: DeviceFiles
) -> KernelRecord:
    """A GPU kernel with the files of its functors."""
    if kernel.device != "GPU" or kernel.form != "kernel":
        return kernel
    compute = computes.get((kernel.kernel_class, kernel.place.file))
    paths = {kernel.place.file, *([compute.place.file] if compute is not None else [])}
    return replace(kernel, device_files=found.of(*sorted(paths)))


def _joined(parts: Sequence[Plain], scan: Scan) -> CppRecords:
    ops, kernels, gradients, computes, gaps = (
        tuple(each for part in parts for each in part[place]) for place in range(5)
    )
    unread = plain_of(tuple(sorted({*scan.unreadable(), *Kept[Gap](gaps)}, key=str)))
    return CppRecords(Kept(ops), Kept(kernels), Kept(gradients), Kept(computes), Kept(unread))


# The cache: one row for each state of a tree.


def _kept(folder: Path, key: bytes) -> CppRecords | None:
    connection = connect(folder, FILE_NAME, TABLE)
    if connection is None:
        return None
    with suppress(sqlite3.Error, ValueError, EOFError, TypeError, IndexError):
        row = connection.execute("SELECT records FROM trees WHERE key = ?", (key,)).fetchone()
        return CppRecords(*(Kept(each) for each in marshal.loads(row[0]))) if row is not None else None
    return None


def _keep(folder: Path, key: bytes, records: CppRecords) -> None:
    connection = connect(folder, FILE_NAME, TABLE)
    if connection is not None:
        with suppress(sqlite3.Error, ValueError), connection:
            connection.execute("INSERT OR REPLACE INTO trees VALUES (?, ?)", (key, marshal.dumps(records.plain())))
