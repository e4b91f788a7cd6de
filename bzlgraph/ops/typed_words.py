"""Files and targets in questions about ops: as they are typed in a folder -> as they are called in the tree.

Rules
- What is no file of the tree is looked for in the folder where the question is asked: ``conv_ops.cc``,
  ``./conv_ops.cc``, ``layers.py:Layer.call``; ``:conv_ops`` and ``kernels:conv_ops`` are targets, named from there.
- Of what is no file anywhere, files that may have been meant are those of nearly that name in the folder that is named,
  then those of just that name in others.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from bzlgraph.base.label import LabelError, parse
from bzlgraph.base.spell import SHOWN, nearest_names
from bzlgraph.cpp.text import HEADERS, SOURCES

if TYPE_CHECKING:
    from bzlgraph.workspace.tree import RepositoryTree


_CODE = (*SOURCES, *HEADERS, ".py")


def in_tree(tree: RepositoryTree, folder: str, word: str) -> str:
    """A word as the tracers take it, typed in a folder."""
    path, colon, symbol = word.partition(":")
    if colon and "::" not in word and not path.startswith(("//", "@")) and not _may_be_file(path):
        try:
            return str(parse(f":{symbol}", "", "/".join(filter(None, (folder, path)))))
        except LabelError:
            return word
    if not _may_be_file(path) or tree.source.is_file(path):
        return word
    here = posixpath.normpath(posixpath.join(folder, path))
    return f"{here}{colon}{symbol}" if not here.startswith("../") and tree.source.is_file(here) else word


def files_near(tree: RepositoryTree, folder: str, word: str) -> tuple[str, ...]:
    """The files that a word may mean that looks like one and is none."""
    path = word.partition(":")[0]
    name, ending = posixpath.basename(path), posixpath.splitext(path)[1]
    if not _may_be_file(path) or not (ending in _CODE or ("/" in path and ending)):
        return ()
    files = list(tree.files_below("", (ending,)))
    typed = dict.fromkeys((posixpath.normpath(path), posixpath.normpath(posixpath.join(folder, path))))
    beside = (nearest_names(each, _in_folder_of(each, files)) for each in typed)
    alike = [each for each in files if posixpath.basename(each) == name]
    alike.sort(key=lambda each: (-len(_same_end(each, path)), each))
    return tuple(dict.fromkeys(chain(*beside, alike)))[:SHOWN]


def _in_folder_of(path: str, files: Iterable[str]) -> list[str]:
    """The files of a path's folder."""
    folder = posixpath.dirname(path)
    return [each for each in files if posixpath.dirname(each) == folder]


def _may_be_file(path: str) -> bool:
    return "." in posixpath.basename(path) and not path.startswith(("//", "@"))


def _same_end(one: str, other: str) -> str:
    """The text in which two paths end."""
    return posixpath.commonprefix([one[::-1], other[::-1]])
