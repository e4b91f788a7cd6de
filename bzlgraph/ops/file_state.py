"""Files on disk -> a digest of which there are and when they changed, without reading them.

What was read of many files is kept under it: as long as none of them changed, it holds.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress

from bzlgraph.workspace.code_version import code_version
from bzlgraph.workspace.source import DiskSource, Source


def state_of(source: Source, paths: Iterable[str]) -> bytes | None:
    """The digest, of this code's version too; None for a source that is not on disk."""
    if not isinstance(source, DiskSource):
        return None
    digest = hashlib.sha256(f"{code_version()}\0{source.root}".encode("utf-8", "surrogateescape"))
    root = f"{source.root}/"
    for path in paths:
        with suppress(OSError):
            found = os.stat(root + path)
            line = f"{path}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ino}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.digest()
