"""A file of columns, mapped into memory: what of it is touched is read, and checked before it is believed.

columns by name -> one file; the file -> ``Mapped``, which gives a column as a ``memoryview``. Each column is stored as
a ``.npy`` file of its own inside (https://numpy.org/neps/nep-0001-npy-format.html), so that other programs can read
it, and we need no numpy. In front stands the head: where each column is, and a digest of every block. The head is
sealed with the user's own key; a block is compared with its digest when it is touched first.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import marshal
import mmap
import os
from _blake2 import blake2b

from bzlgraph.cache.private import is_private_file
from bzlgraph.cache.seal import Seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Literal

    from _typeshed import ReadableBuffer

    Column = tuple[str, ReadableBuffer]
    """The type of the numbers, as ``FORMATS`` has it, and the numbers."""

MAGIC = b"bzlgraph mapped 1\n"
FORMATS: dict[str, Literal["B", "H", "i"]] = {"|u1": "B", "<u2": "H", "<i4": "i"}
"""The types of columns: numpy's name for each, and Python's."""
BLOCK = 1 << 13
_ALIGNED = 64
_DIGEST_BYTES, _SEAL_BYTES, _SIZE_BYTES = 16, 20, 8


class DamagedFile(ValueError):
    """A file that is not what was written: nothing that was read from it counts."""


def write(path: str, seal: Seal, key: bytes, columns: Mapping[str, Column]) -> None:
    """Write the columns to a new file, readable for its user alone, and put it in place whole. Raises OSError."""
    places: dict[str, tuple[str, int, int]] = {}
    parts: list[ReadableBuffer] = []
    size = 0
    for name, (kind, numbers) in columns.items():
        data = memoryview(numbers).cast("B")
        head = _npy_head(kind, len(data) // _width(kind))
        places[name] = (kind, size + len(head), len(data))
        parts += [head, data, bytes(-(len(head) + len(data)) % _ALIGNED)]
        size += len(head) + len(data) + len(parts[-1])  # type: ignore[arg-type]  # bytes, just above
    head = marshal.dumps((places, size, b"".join(_digests(parts))))
    start = MAGIC + len(head).to_bytes(_SIZE_BYTES, "big") + seal.of(key, head) + head
    fresh = f"{path}-{os.getpid()}"
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(start)
            file.write(bytes(-len(start) % BLOCK))
            file.writelines(parts)
        os.replace(fresh, path)
    except BaseException:
        if os.path.lexists(fresh):
            os.unlink(fresh)
        raise


class Mapped:
    """The columns of a file. Raises OSError where there is none, DamagedFile for one that was not written with ``seal``
    under this ``key``; so does whatever touches a block that is not as it was written."""

    def __init__(self, path: str, seal: Seal, key: bytes) -> None:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(path, flags)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not is_private_file(status):
                raise DamagedFile(path)
            start = file.read(len(MAGIC) + _SIZE_BYTES + _SEAL_BYTES)
            length = int.from_bytes(start[len(MAGIC) : len(MAGIC) + _SIZE_BYTES], "big")
            head = file.read(length) if start.startswith(MAGIC) and length <= status.st_size else b""
            if not seal.holds(start[-_SEAL_BYTES:], key, head):
                raise DamagedFile(path)
            self._places, size, self._digests = marshal.loads(head)
            self._start = -(-(len(start) + length) // BLOCK) * BLOCK
            if status.st_size != self._start + size:
                raise DamagedFile(path)
            self.size = size
            self._data = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) if size else b"")
        self._checked = bytearray(-(-size // BLOCK))

    def whole(self, name: str) -> memoryview:
        """A column, all of which may be read."""
        kind, first, length = self._places[name]
        self._check(first, first + length)
        return self._data[self._start + first : self._start + first + length].cast(FORMATS[kind])

    def column(self, name: str) -> memoryview:
        """A column, of which only what ``check`` was asked about may be read."""
        kind, first, length = self._places[name]
        return self._data[self._start + first : self._start + first + length].cast(FORMATS[kind])

    def check(self, name: str, first: int, end: int) -> None:
        """Compare the rows from ``first`` to ``end`` (excluded) of a column with what was written."""
        kind, start, _ = self._places[name]
        width = _width(kind)
        if first < end:
            self._check(start + first * width, start + end * width)

    def table(self, name: str) -> Any:
        """A column that ``packed`` made."""
        return marshal.loads(self.whole(name))

    def _check(self, start: int, end: int) -> None:
        for block in range(start // BLOCK, -(-end // BLOCK)):
            if not self._checked[block]:
                first = self._start + block * BLOCK
                data = self._data[first : min(first + BLOCK, self._start + self.size)]
                digest = blake2b(data, digest_size=_DIGEST_BYTES).digest()
                if digest != self._digests[block * _DIGEST_BYTES : (block + 1) * _DIGEST_BYTES]:
                    raise DamagedFile(f"block {block}")
                self._checked[block] = 1


class Unwritten:
    """Columns that are in no file yet, to be read as those of one: nothing in them needs to be checked."""

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = columns

    def whole(self, name: str) -> memoryview:
        """A column."""
        kind, numbers = self._columns[name]
        return memoryview(numbers).cast("B").cast(FORMATS[kind])

    column = whole

    def check(self, name: str, first: int, end: int) -> None:
        """Nobody has read them from a disk."""

    def table(self, name: str) -> Any:
        """A column that ``packed`` made."""
        return marshal.loads(self.whole(name))


def packed(value: Any) -> Column:
    """Plain data as a column."""
    return "|u1", marshal.dumps(value)


def _width(kind: str) -> int:
    return int(kind[2:])


def _npy_head(kind: str, count: int) -> bytes:
    told = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({count},), }}".encode()
    told += b" " * (-(len(told) + 11) % _ALIGNED) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(told).to_bytes(2, "little") + told


def _digests(parts: Iterable[ReadableBuffer]) -> Iterator[bytes]:
    """A digest of each block of the parts, one after another."""
    digest, room = blake2b(digest_size=_DIGEST_BYTES), BLOCK
    for part in parts:
        view = memoryview(part)
        while view:
            some = view[:room]
            digest.update(some)
            view, room = view[len(some) :], room - len(some)
            if not room:
                yield digest.digest()
                digest, room = blake2b(digest_size=_DIGEST_BYTES), BLOCK
    if room < BLOCK:
        yield digest.digest()
