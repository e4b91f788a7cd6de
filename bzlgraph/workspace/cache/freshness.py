"""Keys for what was made of files, without reading them: sizes and times say whether a file is what it was.

The time of the last change of status (ctime) counts, which no program can set: an edit that keeps size, mtime and inode
is seen. A file that was changed a moment ago may be changed again within the same tick of the file system's clock, so
what was made of it is under a key that never comes back (as git does with its index).
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from bzlgraph.base.errors import LoadProblem
from bzlgraph.workspace.sources.source import DiskSource, Source

_TICK, _COARSE_TICK = 50_000_000, 2_000_000_000
"""Nanoseconds that two changes must be apart to be seen: of a Linux kernel (at most 10 ms) with some to spare, and of
file systems that count seconds."""
_SECOND = 1_000_000_000
COUNTED = frozenset({".py", ".lark", ".json", ".bzl", ".toml", ".bin"})


def key_of(name: str, parts: Iterable[bytes]) -> bytes:
    """A key for what was made from ``parts``, of a kind called ``name``."""
    digest = hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=20)
    for each in parts:
        digest.update(len(each).to_bytes(8, "big"))
        digest.update(each)
    return digest.digest()


def file_state(path: Path) -> bytes:
    """A key part for what is in a file, without reading it. Raises LoadProblem when it is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in its name
        raise LoadProblem(f"cannot read {path}: {getattr(error, 'strerror', error)}") from error
    return f"{os.path.realpath(path)}\0{_state(found, time.time_ns())}".encode("utf-8", "surrogateescape")


def state_of(source: Source, paths: Iterable[str]) -> bytes | None:
    """A key part for many files: which there are and when they changed, without reading them; of this code's version.

    None for a source that is not on disk.
    """
    if not isinstance(source, DiskSource):
        return None
    digest = hashlib.sha256(f"{code_version()}\0{source.root}".encode("utf-8", "surrogateescape"))
    root, now = f"{source.root}/", time.time_ns()
    for path in paths:
        with suppress(OSError):
            line = f"{path}\0{_state(os.stat(root + path), now)}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.digest()


def _state(found: os.stat_result, now: int) -> str:
    changed = found.st_ctime_ns
    tick = _TICK if changed % _SECOND else _COARSE_TICK
    again = "" if abs(now - changed) > tick else os.urandom(16).hex()
    return f"{found.st_size}\0{found.st_mtime_ns}\0{changed}\0{found.st_ino}{again}"


@cache
def code_version() -> str:
    """A part of every key: a digest of Python's version, and of size and times of every source and data file."""
    package = Path(__file__).resolve().parents[2]
    parts = [sys.version]
    for folder in (package, package.parent / "grammars"):
        for path in sorted(folder.rglob("*.*")) if folder.is_dir() else ():
            if path.suffix in COUNTED:
                status = path.stat()
                parts.append(f"{path}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
