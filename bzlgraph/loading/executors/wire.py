"""What travels between a question and the workers of a cluster: bytes that are checked before they are decoded.

``Request`` says which checkout is read, and how; ``Reply`` has the packages of one batch as the bytes of codec.py.
A reply is sealed as the rows of a cache are (``cache/seal.py``), with a key of the session, for its batch.
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, NamedTuple

from bzlgraph.base.codec import Codec, Special
from bzlgraph.base.span import Location
from bzlgraph.cache.code import content_version
from bzlgraph.cache.seal import Seal
from bzlgraph.loading.package_cache import state_of
from bzlgraph.loading.stored_package import EncodedPackage
from bzlgraph.workspace.options import LOCAL, Options
from bzlgraph.workspace.workspace import Workspace

SEAL_BYTES = 20
_SIZE = struct.Struct(">Q")


class Request(NamedTuple):
    """A checkout to read."""

    root: Path
    options: Options


class Reply(NamedTuple):
    """What a worker made of a batch: a package, or None where whoever asked has to evaluate it."""

    worker: str
    state: bytes
    """What packages depend on beside their files, as the worker sees it (``state_of``)."""
    packages: tuple[EncodedPackage | None, ...] = ()
    printed: tuple[tuple[str, Location], ...] = ()
    refusal: str = ""
    """Why the worker evaluates nothing at all."""


class Work(NamedTuple):
    """A batch of packages, for an evaluator."""

    worker: str
    version: str
    session: bytes
    request: bytes
    folders: tuple[str, ...]
    """Where the shipped folders were unpacked."""
    batch: bytes
    """The packages: marshal of their (repository, name)."""


class Damaged(ValueError):
    """Bytes that are no reply to what was asked."""


def _place(path: Path, shipped: Sequence[Path]) -> tuple[int, str]:
    """A path as (number of the shipped folder, path in it), or (-1, path)."""
    for number, folder in enumerate(shipped):
        if path.is_relative_to(folder):
            return number, str(path.relative_to(folder))
    return -1, str(path)


def _path(place: tuple[int, str], folders: Sequence[Path]) -> Path:
    number, path = place
    return folders[number] / path if number >= 0 else Path(path)


_MEANT_HERE = Special(lambda _value, _folders: None, lambda _plain, _folders: None)
_REQUEST = Codec(
    Request,
    special={
        Path: Special(_place, _path),
        (Options, "deleted_packages"): Special(lambda names, _: sorted(names), lambda names, _: frozenset(names)),
        **{(Options, name): _MEANT_HERE for name in ("cache_folder", "print", "note", "executor", "jobs")},
    },
)
_REPLY = Codec(Reply)


def write_request(workspace: Workspace, shipped: Sequence[Path]) -> bytes:
    """How to read a workspace; paths in ``shipped`` folders are told as places in them."""
    return marshal.dumps(_REQUEST.encode(Request(workspace.root, workspace.options), shipped))


def read_request(data: bytes, folders: Sequence[Path], show: Callable[[str, Location], None]) -> Request:
    """The request, with the shipped folders where they were unpacked, and without places that are not here."""
    root, given = _REQUEST.decode(marshal.loads(data), folders)
    places, base = given.repositories, given.repositories.output_base
    there = replace(
        places,
        output_base=base if base is not None and (base / "external").is_dir() else None,
        repository_folders=tuple(folder for folder in places.repository_folders if folder.is_dir()),
    )
    options = replace(given, executor=LOCAL, jobs=1, print=show, note=Options().note, repositories=there)
    return Request(root, options)


def state_elsewhere(workspace: Workspace) -> bytes:
    """What packages depend on beside their files, wherever these lie and whichever machine says so."""
    return state_of(workspace, (content_version(), *sorted(workspace.options.overrides)))


def write_reply(seal: Seal, batch: bytes, reply: Reply) -> bytes:
    """A sealed reply to what was asked."""
    value = marshal.dumps(_REPLY.encode(reply))
    return seal.of(batch, value) + value


def read_reply(seal: Seal, batch: bytes, data: object) -> Reply:
    """A reply, decoded when its seal is that of a reply to this batch, with all its packages. Raises Damaged."""
    if not isinstance(data, bytes) or not seal.holds(data[:SEAL_BYTES], batch, data[SEAL_BYTES:]):
        raise Damaged("its seal is invalid")
    try:
        reply = _REPLY.decode(marshal.loads(data[SEAL_BYTES:]))
    except (ValueError, EOFError, TypeError, KeyError, IndexError) as error:
        raise Damaged(str(error)) from None
    if not reply.refusal and len(reply.packages) != len(marshal.loads(batch)):
        raise Damaged("it lacks packages")
    return reply


def seal_of(session: bytes, version: str) -> Seal:
    """What seals the replies of one session."""
    return Seal(session, "executor", version)


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Send some bytes. Raises OSError when nobody is there."""
    stream.write(_SIZE.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes:
    """The next bytes that were sent. Raises EOFError when there are no more."""
    size = stream.read(_SIZE.size)
    data = stream.read(_SIZE.unpack(size)[0]) if len(size) == _SIZE.size else b""
    if not size or len(size) < _SIZE.size or len(data) < _SIZE.unpack(size)[0]:
        raise EOFError("the other process is gone")
    return data
