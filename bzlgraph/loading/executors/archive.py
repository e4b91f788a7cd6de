"""What a cluster is sent of a checkout that it does not see: every name, and the content of what loading reads.

folders -> a packed tar, the same bytes for the same files -> the folders again, each under its number. Sources are
empty there: no package depends on what they hold. A file that a repository rule reads although it is not sent gives
the repository another digest, and its packages are evaluated where the question was asked.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import suppress

from bzlgraph.workspace.options import VERSION_CONTROL
from bzlgraph.workspace.tree import RepositoryTree

_BEGINNINGS = ("BUILD", "WORKSPACE", "MODULE.bazel", ".bazel")
_ENDINGS = (
    ".BUILD", ".bazel", ".bazelrc", ".bzl", ".cfg", ".json", ".lock", ".mod", ".patch", ".scl", ".sum", ".toml", ".tpl",
    ".txt", ".yaml", ".yml",
)  # fmt: skip
"""What BUILD files are made of, and what repository rules and module extensions usually read."""
_PACKING = 1
"""The level of gzip: a higher one costs more time than its bytes take on the way."""


def write_archive(trees: Sequence[RepositoryTree]) -> bytes:
    """The archive of some trees."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for number, tree in enumerate(trees):
            for path, data in _content(tree):
                entry = tarfile.TarInfo(f"{number}/{path}" if path else str(number))
                if data is None:
                    entry.type = tarfile.DIRTYPE
                else:
                    entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data or b""))
    return gzip.compress(packed.getvalue(), _PACKING, mtime=0)


def _content(tree: RepositoryTree) -> Iterator[tuple[str, bytes | None]]:
    """(path, what is sent of its content) of all files of a tree; folders have None."""
    stack = [""]
    while stack:
        folder = stack.pop()
        yield folder, None
        files, folders = tree.entries(folder)
        below = f"{folder}/" if folder else ""
        for name in files:
            data = b""
            if name.startswith(_BEGINNINGS) or name.endswith(_ENDINGS):
                with suppress(OSError):
                    data = tree.source.read(below + name)
            yield below + name, data
        stack += [below + name for name in reversed(folders) if name not in VERSION_CONTROL]


def unpack(data: bytes, folder: str) -> None:
    """Write an archive's files into a folder of nobody else's. Raises OSError, ValueError for what is no archive."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as tar:
            for entry in tar:
                if os.path.isabs(entry.name) or ".." in entry.name.split("/"):
                    raise ValueError(f"{entry.name} leads out of the archive")
                path = os.path.join(folder, entry.name)
                if entry.isdir():
                    os.mkdir(path, 0o700)
                elif entry.isreg() and (content := tar.extractfile(entry)) is not None:
                    with open(path, "xb") as file:
                        file.write(content.read())
    except (tarfile.TarError, EOFError) as error:
        raise ValueError(str(error)) from None
