"""Where a kept graph lies, and its seal: one file for what is loaded, from which folder, in which environment.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import os
import sys
import time
from _blake2 import blake2b

from bzlgraph.cache.answers import environment
from bzlgraph.cache.code import code_version
from bzlgraph.cache.private import state_home
from bzlgraph.cache.seal import NoKey, Seal, user_key
from bzlgraph.snapshot.command_line import PATHS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bzlgraph.snapshot.command_line import Asked

FOLDER = "graphs"
HALF_WRITTEN = 3_600_000_000_000
"""Nanoseconds after which nobody writes a graph any more."""
MAX_KEPT = 2 << 30
"""All kept graphs together; the oldest go first."""


def key_of(asked: Asked) -> bytes:
    """The key of what is loaded for a question: a graph, or for ``flags`` what can be switched. Raises OSError where
    there is no current folder any more."""
    folder, kind = os.path.realpath(asked.folder), "switches" if asked.command == "flags" else "graph"
    parts = [code_version(), sys.executable, kind, folder, str(len(asked.loading)), *asked.loading, *environment()]
    if any(map(_has_relative_path, asked.loading)):
        parts.append(os.getcwd())
    digest = blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


def _has_relative_path(option: str) -> bool:
    """Whether an option of loading names a folder that depends on where it was typed.

    >>> [_has_relative_path(f"--{each}") for each in ("output_base=../out", "bazel_version=7.7.1", "stay_inside")]
    [True, False, False]
    >>> [_has_relative_path(f"--override_repository=zlib={each}") for each in ("zlib", "/src/zlib")]
    [True, False]
    """
    name, _, value = option[2:].partition("=")
    return name in PATHS and not value.rpartition("=")[2].startswith("/")


def path_of(cache: str, key: bytes) -> str:
    """The file of a kept graph below the cache folder."""
    return os.path.join(cache, FOLDER, key.hex())


def seal() -> Seal:
    """What seals kept graphs. Raises NoKey."""
    home = state_home()
    if home is None:
        raise NoKey("there is no home folder")
    return Seal(user_key(home), FOLDER, code_version())


def make_room(folder: str) -> None:
    """Remove the oldest graphs until the others are few enough, and what killed processes left half written."""
    with os.scandir(folder) as entries:
        kept = sorted((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in entries)
    size, long_ago = sum(each for _, each, _ in kept), time.time_ns() - HALF_WRITTEN
    for changed, each, path in kept:
        if size > MAX_KEPT or ("-" in os.path.basename(path) and changed < long_ago):
            os.unlink(path)
            size -= each
