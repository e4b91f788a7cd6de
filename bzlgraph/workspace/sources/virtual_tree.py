"""A tree of files in memory that can be written: what a repository rule makes.

Paths are relative to the tree's root, ``/`` separated; "" is the root itself. Beside files of its own it holds links to
a file or folder of another ``Source`` (which is then read in its place: a repository that links an in-tree folder *is*
that folder), and files that are there though nobody knows what is in them. Writing below a linked folder replaces the
link by a folder of links: nothing is ever written through one.

>>> tree = VirtualTree()
>>> tree.write("a/b.txt", b"text")
>>> tree.link("c", tree, "a")
>>> tree.read("c/b.txt"), tree.entries("")
(b'text', ([], ['a', 'c']))
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass, field

from bzlgraph.workspace.sources.source import MAX_FILE_BYTES, ContentUnknown, Source, joined

MAX_FILES = 100_000
MAX_BYTES = 256 << 20
"""What one tree may hold; no repository rule writes more files, or more bytes of its own."""
MAX_LINKS = 40
"""How many links may be followed for one path, as in Linux."""
MAX_LINKS_THROUGH = 2
"""How many links to folders of the tree itself one path may lead through: else a few of them make trees without end."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to ``path`` of ``source``."""

    source: Source
    path: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """A file whose content is not known; ``why`` says what would have to be."""

    why: str


_Folder = dict[str, "_Node"]
_Node = bytes | Link | Opaque | _Folder


@dataclass(slots=True, eq=False)
class VirtualTree:
    """The tree. Reading raises OSError as any Source; so does writing what cannot be, with a text for people."""

    root: str = ""
    """The folder of the disk that most of its files lie in, to say where they are."""
    _root: _Node = field(default_factory=dict)
    _files: int = 0
    _bytes: int = 0

    # Source

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError when it cannot be read, or its content is not known."""
        node = self._find(path)
        if isinstance(node, bytes):
            return node
        if isinstance(node, Link):
            return node.source.read(node.path)
        if isinstance(node, Opaque):
            raise ContentUnknown(node.why)
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        raise IsADirectoryError(errno.EISDIR, "it is a folder", path)

    def is_file(self, path: str) -> bool:
        node = self._find(path)
        return node.source.is_file(node.path) if isinstance(node, Link) else isinstance(node, bytes | Opaque)

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        node = self._find(path)
        if isinstance(node, Link):
            return node.source.entries(node.path)
        if not isinstance(node, dict):
            return [], []
        files = [name for name in node if self.is_file(joined(path, name))]
        folders = [name for name in node if self.is_folder(joined(path, name))]
        return sorted(files), sorted(folders)

    # What a repository rule asks beside

    def is_folder(self, path: str) -> bool:
        """Whether ``path`` is a folder (links followed)."""
        node = self._find(path)
        return node.source.is_folder(node.path) if isinstance(node, Link) else isinstance(node, dict)

    def opaque(self, path: str) -> str | None:
        """Why the content of a file is not known; None for anything else."""
        node = self._find(path)
        if isinstance(node, Link) and isinstance(node.source, VirtualTree):
            return node.source.opaque(node.path)
        return node.why if isinstance(node, Opaque) else None

    def target(self, path: str) -> Link:
        """Where a path leads when all links are followed: itself where there are none."""
        node = self._find(path)
        return node if isinstance(node, Link) else Link(self, path)

    @property
    def empty(self) -> bool:
        """Whether nothing was written."""
        return self._root == {}

    def paths(self) -> Iterator[str]:
        """Every file, sorted by folder; linked folders are entered, but never one inside itself."""
        stack = [("", frozenset[tuple[int, str]]())]
        while stack:
            folder, above = stack.pop()
            node = self._find(folder)
            place = (id(node.source), node.path) if isinstance(node, Link) else (id(node), "")
            if place in above:
                continue
            files, folders = self.entries(folder)
            yield from (joined(folder, name) for name in files)
            stack += [(joined(folder, name), above | {place}) for name in reversed(folders)]

    def snapshot(self) -> dict[str, object]:
        """What was written, to compare it with another tree: every file, and where links lead."""
        found: dict[str, object] = {}
        stack = [("", self._root)]
        while stack:
            path, node = stack.pop()
            if isinstance(node, dict):
                stack += [(joined(path, name), below) for name, below in node.items()]
            inside = isinstance(node, Link) and node.source is self
            found[path] = (inside or id(node.source), node.path) if isinstance(node, Link) else node
            if isinstance(node, dict):
                found[path] = None
        return found

    # Writing

    def write(self, path: str, data: bytes) -> None:
        """Make a file, replacing what is there under its name."""
        if len(data) > MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, f"{path} would be larger than {MAX_FILE_BYTES >> 20} MB")
        self._put(path, data)

    def put_opaque(self, path: str, why: str) -> None:
        """Make a file whose content is not known."""
        self._put(path, Opaque(why))

    def link(self, path: str, source: Source, target: str) -> None:
        """Make ``path`` a link to a file or folder. FileExistsError when something is there."""
        if path and self._find(path) is not None:
            raise FileExistsError(errno.EEXIST, "File exists", path)
        self._put(path, Link(source, target))

    def make_folder(self, path: str) -> None:
        """Make a folder, and those above it, unless it is there."""
        self._folder(path)

    def delete(self, path: str) -> bool:
        """Remove a file, a link or a folder with all that is in it; whether there was something."""
        if not path:
            was_there = self._root != {}
            self._root = {}
            return was_there
        parent, _, name = path.rpartition("/")
        if self._find(path) is None:
            return False
        del self._folder(parent)[name]
        return True

    def rename(self, old: str, new: str) -> None:
        """Move a file or a folder. Raises FileNotFoundError, or OSError for a folder into itself."""
        if self._find(old) is None or not old:
            raise FileNotFoundError(errno.ENOENT, "no such file", old)
        if f"{new}/".startswith(f"{old}/"):
            raise OSError(errno.EINVAL, "a folder cannot be moved into itself")
        parent, _, name = old.rpartition("/")
        self._put(new, self._folder(parent).pop(name))

    def _put(self, path: str, node: _Node) -> None:
        self._pay(node)
        if not path:
            if not isinstance(node, dict | Link):
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            if self._root != {}:
                raise FileExistsError(errno.EEXIST, "File exists", path)
            self._root = node
            return
        parent, _, name = path.rpartition("/")
        self._folder(parent)[name] = node

    def _pay(self, node: _Node) -> None:
        """Nothing is given back: the limits are for rules that write without end."""
        self._files += 1
        self._bytes += len(node) if isinstance(node, bytes) else 0
        if self._files > MAX_FILES or self._bytes > MAX_BYTES:
            limit = f"{MAX_FILES} files and {MAX_BYTES >> 20} MB"
            raise OSError(errno.ENOSPC, f"the repository would be too large (limit {limit})")

    def _folder(self, path: str) -> _Folder:
        """The folder at ``path`` to write into; made where nothing is, unfolded where a link to a folder is."""
        self._root = folder = self._own_folder(self._root, "")
        done = ""
        for name in filter(None, path.split("/")):
            done = joined(done, name)
            if name not in folder:
                self._pay({})
            below = self._own_folder(folder.get(name, {}), done)
            folder[name] = below
            folder = below
        return folder

    def _own_folder(self, node: _Node, path: str) -> _Folder:
        if isinstance(node, dict):
            return node
        if isinstance(node, Link) and node.source.is_folder(node.path):
            files, folders = node.source.entries(node.path)
            return {name: Link(node.source, joined(node.path, name)) for name in (*files, *folders)}
        raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)

    def _find(self, path: str) -> _Node | None:
        """What is at ``path``; links into this tree are followed, those into others are moved down to ``path``. A link
        to a folder that ``path`` is in leads nowhere."""
        rest = [name for name in reversed(path.split("/")) if name]
        node: _Node | None = self._root
        followed = through = 0
        while isinstance(node, Link) or (rest and isinstance(node, dict)):
            if isinstance(node, Link):
                if node.source is not self:
                    inside = joined(node.path, "/".join(reversed(rest)))
                    return Link(node.source, inside) if _is_there(node.source, inside) else None
                followed += 1
                through += bool(rest)
                above = f"{path}/".startswith(f"{node.path}/") or not node.path
                if followed > MAX_LINKS or through > MAX_LINKS_THROUGH or above:
                    return None
                rest += [name for name in reversed(node.path.split("/")) if name]
                node = self._root
            else:
                assert isinstance(node, dict)
                node = node.get(rest.pop())
        return None if rest else node


def _is_there(source: Source, path: str) -> bool:
    return source.is_file(path) or source.is_folder(path)
