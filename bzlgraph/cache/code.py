"""Which code writes to a cache, and reads from it: of another version nothing counts.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from _blake2 import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

COUNTED = (".py", ".lark", ".json", ".bzl", ".toml", ".bin", ".html", ".css", ".js")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FOLDERS = (_PACKAGE, os.path.join(os.path.dirname(_PACKAGE), "grammars"))
_known: dict[str, str] = {}
_IMPORTED = time.time_ns()
SAME_BYTES = 2
"""The last version of marshal's format in which equal values have equal bytes, whoever else holds them."""
_COARSE = 20_000_000
"""Nanoseconds that the times of files may lag behind the clock."""


def code_version() -> str:
    """A part of every key: a digest of Python's version, of size and times of every source and data file of ours, and
    of the folders that other packages are installed in.

    A process that is older than its sources runs code that nobody can name any more: that is like no other.
    """
    if "here" not in _known:
        installed = sorted({folder for folder in sys.path if folder.endswith("-packages")})
        parts: list[object] = [sys.version, *map(_folder_state, installed)]
        for folder in _FOLDERS:
            files = []
            for entry in _files(folder):
                found = entry.stat()
                files.append((entry.path, found.st_size, found.st_mtime_ns, found.st_ctime_ns))
            files.sort()
            parts.append(files)
            if files and max(each[3] for each in files) > _IMPORTED - _COARSE:
                parts.append(os.urandom(16))
        _known["here"] = _digest(marshal.dumps(parts, SAME_BYTES))
    return _known["here"]


def content_version() -> str:
    """The same on all machines with the same code: a digest of Python's minor version and of the content of every
    source and data file of ours."""
    if "content" not in _known:
        parts = [str(sys.version_info[:2])]
        for folder in _FOLDERS:
            for entry in _files(folder):
                with open(entry.path, "rb") as file:
                    name = os.path.relpath(entry.path, os.path.dirname(_PACKAGE))
                    parts.append(f"{name.removeprefix(f'bzlgraph{os.sep}')}:{_digest(file.read())}")
        _known["content"] = _digest("\n".join(sorted(parts)).encode("utf-8", "surrogateescape"))
    return _known["content"]


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=32).hexdigest()


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """The files below a folder that count."""
    waiting = [folder]
    while waiting:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue
        for entry in entries:
            if entry.name.endswith(COUNTED):
                yield entry
            elif entry.name != "__pycache__" and entry.is_dir():
                waiting.append(entry.path)


def _folder_state(folder: str) -> str:
    """What changes when a package is installed or removed."""
    try:
        found = os.stat(folder)
    except OSError:
        return folder
    return f"{folder}:{found.st_mtime_ns}:{found.st_ino}"
