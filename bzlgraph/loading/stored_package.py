"""Packages as they are kept: what each was made from, and itself as bytes, under a key that others can make too."""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Iterable
from typing import NamedTuple

from bzlgraph.base.codec import Codec
from bzlgraph.base.words import utf8
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.store import Store

PackageId = tuple[str, str]
Input = tuple[str, str, str, bytes]
"""(kind, repository, path or package, digest); kinds: "file", "listing" of a package's files, "siblings" of a
repository that a module extension made."""


class StoredPackage(NamedTuple):
    """A package as it is kept: what it was made from, and itself as the bytes of codec.py."""

    inputs: tuple[Input, ...]
    data: bytes

    def version(self) -> bytes:
        """What tells it from another one under the same key: what it was made from. Equal packages may be other bytes,
        for marshal writes once what happens to be one object."""
        return digest_of(b"\0".join(utf8("\0".join(each[:3])) + each[3] for each in sorted(self.inputs)))


class EncodedPackage(NamedTuple):
    """A package as it travels between processes. ``lasting``: it may be kept on disk. ``compiled``: the programs that
    were made for it, for the process that asked to keep."""

    stored: StoredPackage
    lasting: bool
    compiled: tuple[tuple[bytes, bytes], ...] = ()


_CODEC = Codec(StoredPackage)


def row_key(package: PackageId, build_file: str, state: bytes) -> bytes:
    """The key of a package: its name, that of its BUILD file, and the state of everything else (``loading_state``)."""
    return key_of("//".join(package), (state, utf8(build_file)))


def find(store: Store, key: bytes) -> StoredPackage | None:
    """The package that is kept under a key."""
    return store.get(key, _CODEC)


def keep(store: Store, rows: Iterable[tuple[bytes, StoredPackage]]) -> None:
    """Keep packages under their keys."""
    store.put(rows, _CODEC)


def digest_of(data: bytes) -> bytes:
    """What tells apart what packages are made of."""
    return blake2b(data, digest_size=16).digest()
