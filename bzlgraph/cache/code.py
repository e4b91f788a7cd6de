"""Which code writes to a cache, and reads from it: of another version nothing counts.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import os
import sys
from _blake2 import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

COUNTED = (".py", ".lark", ".json", ".bzl", ".toml", ".bin")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_known: list[str] = []


def code_version() -> str:
    """A part of every key: a digest of Python's version, of size and times of every source and data file of ours, and
    of the folders that other packages are installed in."""
    if not _known:
        installed = sorted({folder for folder in sys.path if folder.endswith("-packages")})
        parts = [sys.version, *map(_folder_state, installed)]
        for folder in (_PACKAGE, os.path.join(os.path.dirname(_PACKAGE), "grammars")):
            parts += sorted(_file_states(folder))
        _known.append(blake2b("\n".join(parts).encode("utf-8", "surrogateescape"), digest_size=32).hexdigest())
    return _known[0]


def _file_states(folder: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _file_states(entry.path)
        elif entry.name.endswith(COUNTED):
            found = entry.stat()
            yield f"{entry.path}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def _folder_state(folder: str) -> str:
    """What changes when a package is installed or removed."""
    try:
        found = os.stat(folder)
    except OSError:
        return folder
    return f"{folder}:{found.st_mtime_ns}:{found.st_ino}"
