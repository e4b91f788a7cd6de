"""Seals: how a cache knows that this user's bzlgraph wrote a row, before anything of it is decoded.

A seal is keyed BLAKE2b (RFC 7693, section 2.9), with a key that is made once, at random, and lies in a file that only
its user can read; not in the cache folder, so that a planted or restored cache brings no key along.
This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import errno
import os
from _blake2 import blake2b
from _operator import _compare_digest as compare_digest

from bzlgraph.cache.private import is_private_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import StrPath

KEY_FILE = "cache-key"
_KEY_BYTES = 32
_SEAL_BYTES = 20
_keys: dict[str, bytes] = {}
"""By the path of their file: read once."""


class NoKey(ValueError):
    """There is no key, and none can be made: nothing can be kept."""


class Seal:
    """What seals the rows of one cache, for one version of the code.

    >>> seal = Seal(b"k" * 32, "programs", "version 1")
    >>> made = seal.of(b"row", b"value")
    >>> seal.holds(made, b"row", b"value"), seal.holds(made, b"other row", b"value")
    (True, False)
    """

    def __init__(self, key: bytes, name: str, version: str) -> None:
        self._begun = blake2b(key=key, digest_size=_SEAL_BYTES)
        _add(self._begun, name.encode(), version.encode())

    def of(self, key: bytes, value: bytes) -> bytes:
        """The seal of a row."""
        made = self._begun.copy()
        _add(made, key, value)
        return made.digest()

    def holds(self, seal: object, key: bytes, value: object) -> bool:
        """Whether a seal is that of a row."""
        return isinstance(seal, bytes) and isinstance(value, bytes) and compare_digest(seal, self.of(key, value))


def _add(digest: blake2b, first: bytes, second: bytes) -> None:
    """Add two texts, with the sizes of both: no other texts give the same."""
    digest.update(len(first).to_bytes(8, "big") + len(second).to_bytes(8, "big"))
    digest.update(first)
    digest.update(second)


def user_key(folder: StrPath) -> bytes:
    """The user's key, made anew when its file is absent, damaged or was readable to others. Raises NoKey."""
    path = os.path.join(folder, KEY_FILE)
    if path in _keys:
        return _keys[path]
    try:
        key = _read(path)
        if key is None:
            _write(path)
            key = _read(path)
    except OSError as error:
        raise NoKey(f"{path}: {error.strerror}") from None
    if key is None:
        raise NoKey(f"{path} is not a key")
    _keys[path] = key
    return key


def _read(path: str) -> bytes | None:
    """The key in a file; None when there is none that can be trusted. Raises OSError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ELOOP):
            return None
        raise
    with open(descriptor, "rb") as file:
        key = file.read(_KEY_BYTES + 1) if is_private_file(os.fstat(descriptor)) else b""
    return key if len(key) == _KEY_BYTES else None


def _write(path: str) -> None:
    """Put a new key in place, whole or not at all; one that another process has just put there stays."""
    from contextlib import suppress  # a key is written once in its life

    fresh = os.path.join(os.path.dirname(path), f".{KEY_FILE}-{os.getpid()}-{os.urandom(8).hex()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(os.urandom(_KEY_BYTES))
        with suppress(OSError):  # there is one, or a file system without links
            os.link(fresh, path)
        if _read(path) is None:
            os.replace(fresh, path)
    finally:
        if os.path.lexists(fresh):
            os.unlink(fresh)
