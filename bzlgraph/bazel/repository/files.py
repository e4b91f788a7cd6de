"""The files that a repository rule may look at and write, as its code sees them; workspace/repositories has them.

Paths are absolute and normal: those of the checkout, and those of a nominal output base that holds the repositories.
Everything else is another part of the host, which is never read: ``Kind.UNKNOWN``.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol

from bzlgraph.base.label import Label


class Kind(Enum):
    """What is at a path, as far as that can be known."""

    FILE = "file"
    FOLDER = "folder"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class Download(NamedTuple):
    """What a rule downloads: from where, and how it checks what it gets ("" for not at all)."""

    urls: tuple[str, ...]
    sha256: str
    integrity: str


class RepositoryFiles(Protocol):
    """Files by path. Whatever cannot be done raises OSError, with words for people in ``strerror``."""

    @property
    def root(self) -> str:
        """The folder of the repository that is being made."""

    @property
    def workspace_root(self) -> str:
        """The folder of the main repository."""

    def kind(self, path: str) -> Kind:
        """What is there, links followed."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None when they are not known."""

    def names(self, path: str) -> list[str] | None:
        """The names in a folder, None when not all of them are known."""

    def real(self, path: str) -> str:
        """Where a path leads when links are followed."""

    def locate(self, label: Label, regular: bool) -> str | None:
        """The path of the file of a label, None where its repository is not on disk. OSError when its package is
        missing, or where it has to be a ``regular`` file and is none."""

    def write(self, path: str, data: bytes) -> None:
        """Make a file in ``root``."""

    def put_opaque(self, path: str, why: str) -> None:
        """Make a file in ``root`` whose content is not known."""

    def link(self, path: str, target: str) -> None:
        """Make ``path`` in ``root`` a link to ``target``."""

    def overlay(self, source: str, overlay: str, path: str) -> None:
        """Link all that is in two folders into the folder ``path`` in ``root``; the second wins."""

    def make_folder(self, path: str) -> None:
        """Make a folder in ``root``."""

    def delete(self, path: str) -> bool:
        """Remove what is at a path in ``root``; whether there was something."""

    def rename(self, old: str, new: str) -> None:
        """Move what is at a path in ``root``."""

    def patch(self, data: bytes, strip: int, gnu: bool = False) -> None:
        """Apply a unified diff to ``root``, as Bazel's own patcher does or as GNU ``patch``."""

    def put_download(self, download: Download, path: str) -> bool:
        """Put a file that was downloaded before into ``root``; whether it is on the disk."""

    def unpack_download(self, download: Download, path: str, strip_prefix: str) -> bool:
        """Put the files of an archive that was downloaded before into a folder in ``root``; whether it is there."""

    def unpack(self, archive: str, path: str, strip_prefix: str) -> bool:
        """Put the files of an archive into a folder in ``root``; whether its content is known."""
