"""Keys for what was made of files, without reading them: sizes and times say whether a file is what it was.

The time of the last change of status (ctime) counts, which no program can set: an edit that keeps size, mtime and inode
is seen. A file that was changed a moment ago may be changed again within the same tick of the file system's clock, so
what was made of it is under a key that never comes back (as git does with its index).
"""

from __future__ import annotations

import marshal
import os
import time
from _blake2 import blake2b  # hashlib loads a library of ciphers
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bzlgraph.base.errors import LoadProblem
from bzlgraph.cache import looks
from bzlgraph.cache.code import SAME_BYTES, code_version

if TYPE_CHECKING:
    from pathlib import Path


def key_of(name: str, parts: Iterable[bytes]) -> bytes:
    """A key for what was made from ``parts``, of a kind called ``name``."""
    digest = blake2b(name.encode("utf-8", "surrogateescape"), digest_size=20)
    for each in parts:
        digest.update(len(each).to_bytes(8, "big"))
        digest.update(each)
    return digest.digest()


def file_state(path: Path) -> bytes:
    """A key part for what is in a file, without reading it. Raises LoadProblem when it is not there."""
    state = looks.look(os.path.abspath(path))
    if not state:
        raise LoadProblem(f"cannot read {path}: there is no such file, or it is not accessible")
    return f"{os.path.realpath(path)}\0{_text(state)}".encode("utf-8", "surrogateescape")


def state_of(root: Path | None, paths: Iterable[str]) -> bytes | None:
    """A key part for many files below a folder: which there are and when they changed, without reading them; of this
    code's version. None for a tree that is no folder on disk."""
    if root is None:
        return None
    digest = blake2b(f"{code_version()}\0{root}".encode("utf-8", "surrogateescape"))
    above, settled = f"{os.path.abspath(root)}/", time.time_ns() - looks.COARSE_TICK
    seen: list[tuple[str, looks.State]] = []
    for path in paths:
        state = looks.look(above + path)
        if state:
            seen.append((path, state))
            if state[3] > settled and looks.is_young(state[3]):
                digest.update(os.urandom(16))
    digest.update(marshal.dumps(seen, SAME_BYTES))  # a fifth of the time that writing them as text takes
    return digest.digest()


def _text(state: looks.State) -> str:
    again = os.urandom(16).hex() if looks.is_young(state[3]) else ""
    return "\0".join(map(str, state)) + again
