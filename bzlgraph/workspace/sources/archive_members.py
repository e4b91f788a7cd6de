"""What is in a tar or zip file, read once and within limits: path -> ``Contents``.

Nobody vouches for an archive that a checkout names: how much is unpacked, how many members there are, how long and how
deep their names are has bounds, and what breaks one is a LoadProblem that says so. Forms: zip, and tar plain or packed
by gzip, bzip2, xz or (from Python 3.14 on) zstd; told by the first bytes, as a file of Bazel's repository cache has no
suffix. Names are read as Bazel reads them: absolute ones count from the root of the archive.
"""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import os
import posixpath
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bzlgraph.base.errors import LoadProblem
from bzlgraph.cache import looks
from bzlgraph.workspace.sources.source import MAX_FILE_BYTES

MAX_PACKED = 4 << 30
MAX_UNPACKED = 4 << 30
MAX_RATIO = 200
"""How many times its own size an archive may unpack to, beyond FREE_OF_RATIO: sources reach 10, a bomb 1,000."""
FREE_OF_RATIO = 64 << 20
MAX_MEMBERS = 400_000
MAX_NAME, MAX_DEPTH, MAX_NAMES = 4096, 100, 64 << 20
MAX_TEXTS = 64 << 20
"""The bytes of BUILD and .bzl files of one archive."""
BROKEN = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, OverflowError,
    RuntimeError, LookupError, TypeError, AttributeError, MemoryError, struct.error,
)  # fmt: skip
"""What Python's modules raise for files that are no archives, are damaged or hostile."""

_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_EVALUATED = ("BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "REPO.bazel", ".bazelignore")


class Member(NamedTuple):
    """One member. ``kind``: file, folder, link (symbolic), hard link, or other (a device, a sparse file).

    ``offset`` is where a file's bytes begin in an unpacked tar; ``target`` what a link says, or a file's name in a zip.
    """

    kind: str
    size: int = 0
    offset: int = 0
    target: str = ""


class Contents(NamedTuple):
    """All members by path, and the bytes of the files that Bazel evaluates."""

    is_zip: bool
    members: dict[str, Member]
    texts: dict[str, bytes]


def read_contents(path: Path) -> Contents:
    """What is in an archive. Raises LoadProblem for what is none, is damaged, or breaks a limit."""
    try:
        with PositionedFile(path) as file:
            return _read_zip(file) if is_zip(file) else _read_tar(file)
    except BROKEN as error:
        raise LoadProblem(f"{path} cannot be read as an archive: {reason(error)}") from error


def reason(error: Exception) -> str:
    """What is wrong with an archive, by one of BROKEN."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class PositionedFile(io.RawIOBase):
    """A file read at a position of its own, not of the descriptor that forked processes share."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)  # what zipfile calls an archive
        looks.look(str(path))
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        self.size = os.fstat(self._descriptor).st_size
        self._position = 0
        if self.size > MAX_PACKED:
            self.close()
            raise LoadProblem(f"{path} is larger than {MAX_PACKED >> 30} GB")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = (0, self._position, self.size)[whence]
        self._position = max(0, start + offset)
        return self._position

    def read(self, size: int = -1) -> bytes:
        rest = max(0, self.size - self._position)
        data = os.pread(self._descriptor, _sane(rest if size < 0 else min(size, rest), self.path), self._position)
        self._position += len(data)
        return data

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()


class TarStream(io.RawIOBase):
    """The bytes of a tar, unpacked, from front to back; going back begins anew. What unpacks to too much is refused."""

    def __init__(self, file: PositionedFile) -> None:
        head = file.read(8)
        file.seek(0)
        opener = next((each for mark, each in _PACKERS.items() if head.startswith(mark)), None)
        self._file = file
        self._unpacked = opener(file) if opener is not None else file
        self._limit = min(MAX_UNPACKED, max(FREE_OF_RATIO, MAX_RATIO * file.size))

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._unpacked.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._check(offset)
        return self._unpacked.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        self._check(self.tell())
        return self._unpacked.read(_sane(size, self._file.path)) or b""

    def close(self) -> None:
        if not self.closed:
            self._unpacked.close()
            self._file.close()
        super().close()

    def _check(self, place: int) -> None:
        if place > self._limit:
            size = f"{self._limit >> 20} MB"
            raise LoadProblem(f"{self._file.path} unpacks to more than {size}: it is taken for an archive bomb")


def is_zip(file: PositionedFile) -> bool:
    """Whether a file begins as a zip does."""
    mark = file.read(4)
    file.seek(0)
    return mark in _ZIP_MARKS


def _sane(size: int, path: Path) -> int:
    """The size of one read, which no file in an archive and no list of its members exceeds."""
    if not 0 <= size <= MAX_FILE_BYTES:
        raise LoadProblem(f"{path}: a part of it would have more than {MAX_FILE_BYTES >> 20} MB")
    return size


def _gzip(file: PositionedFile) -> io.BufferedIOBase:
    return gzip.GzipFile(fileobj=file)


def _xz(file: PositionedFile) -> io.BufferedIOBase:
    return lzma.LZMAFile(file)  # type: ignore[arg-type]  # it only reads and seeks


def _zstd(file: PositionedFile) -> io.BufferedIOBase:
    try:
        module = importlib.import_module("compression.zstd")
    except ImportError:
        raise LoadProblem(f"{file.path} is compressed with zstd, which needs Python 3.14") from None
    unpacked: io.BufferedIOBase = module.ZstdFile(file)
    return unpacked


_PACKERS: dict[bytes, Callable[[PositionedFile], io.BufferedIOBase]] = {
    b"\x1f\x8b": _gzip,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": _xz,
    b"\x28\xb5\x2f\xfd": _zstd,
}


@dataclass(slots=True)
class _Collector:
    """The members so far, within limits."""

    path: Path
    contents: Contents
    names: int = 0
    texts: int = 0

    def add(self, name: str, member: Member, read: Callable[[], bytes]) -> None:
        """Note a member; the bytes of a file that Bazel evaluates are read now."""
        path = self._inside(name)
        self.names += len(path)
        if len(self.contents.members) >= MAX_MEMBERS or self.names > MAX_NAMES:
            raise LoadProblem(f"{self.path} has more than {MAX_MEMBERS} members, or {MAX_NAMES >> 20} MB of names")
        self.contents.members[path] = member
        self.contents.texts.pop(path, None)
        if member.kind == "file" and _is_evaluated(path):
            self.texts += member.size
            if self.texts > MAX_TEXTS:
                raise LoadProblem(f"{self.path} has more than {MAX_TEXTS >> 20} MB of BUILD and .bzl files")
            self.contents.texts[path] = read()

    def _inside(self, name: str) -> str:
        path = posixpath.normpath(name.lstrip("/"))
        if path == ".." or path.startswith("../"):
            raise LoadProblem(f"{self.path} is refused: its member '{name[:200]}' leads out of it")
        if len(path) > MAX_NAME or path.count("/") > MAX_DEPTH:
            raise LoadProblem(f"{self.path} is refused: the name of a member is too long: '{name[:60]}...'")
        return "" if path == "." else path


def _is_evaluated(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in _EVALUATED or name.endswith((".bzl", ".BUILD"))


def _read_tar(file: PositionedFile) -> Contents:
    stream = TarStream(file)
    found = _Collector(file.path, Contents(False, {}, {}))
    with tarfile.open(fileobj=stream, mode="r:", errorlevel=2) as tar:
        offset = -1
        while (info := tar.next()) is not None:
            if tar.offset <= offset:  # a damaged header can send the reader back for ever
                raise LoadProblem(f"{file.path} is damaged: a member of negative size")
            offset = tar.offset
            tar.members.clear()  # type: ignore[attr-defined]  # it would keep them all, for a second look
            found.add(info.name, _tar_member(info), partial(_read_at, stream, info.offset_data, info.size))
    return found.contents


def _tar_member(info: tarfile.TarInfo) -> Member:
    if info.isdir():
        return Member("folder")
    if info.issym() or info.islnk():
        return Member("link" if info.issym() else "hard link", target=info.linkname)
    if info.isreg() and not info.issparse():
        return Member("file", info.size, info.offset_data)
    return Member("other")


def _read_at(stream: TarStream, offset: int, size: int) -> bytes:
    stream.seek(offset)
    return stream.read(size)


def _read_zip(file: PositionedFile) -> Contents:
    found = _Collector(file.path, Contents(True, {}, {}))
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            member = _zip_member(archive, info)
            found.add(info.filename, member, partial(read_zipped, archive, info))
    return found.contents


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    mode = info.external_attr >> 16
    if info.is_dir() or stat.S_ISDIR(mode):
        return Member("folder")
    if stat.S_ISLNK(mode):
        return Member("link", target=read_zipped(archive, info, MAX_NAME).decode("utf-8", "surrogateescape"))
    return Member("file", info.file_size, target=info.filename)


def read_zipped(archive: zipfile.ZipFile, member: zipfile.ZipInfo | str, limit: int = 0) -> bytes:
    """The bytes of a member, whatever size its header tells. Raises one of BROKEN, or LoadProblem beyond the limit."""
    limit = limit or MAX_FILE_BYTES
    with archive.open(member) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        name = member if isinstance(member, str) else member.filename
        raise LoadProblem(f"{archive.filename}: '{name}' has more than {limit:,} bytes")
    return data
