"""Submodules of git whose content is not in the checkout: .gitmodules -> what to type.

A folder of a repository that lies in one is missing until ``git submodule update`` has run: nothing is wrong with the
files that name it. Doc: https://git-scm.com/docs/gitmodules
"""

from __future__ import annotations

import re

from bzlgraph.workspace.sources.source import Source

FILE = ".gitmodules"
_PATH = re.compile(r"^[ \t]*path[ \t]*=[ \t]*\"?([^\"\n]+?)\"?[ \t\r]*$", re.MULTILINE | re.IGNORECASE)


def submodule_hint(source: Source, folder: str) -> str:
    """How the submodule of a checkout that a folder lies in is fetched; "" for a folder in none.

    >>> from bzlgraph.workspace.sources.source import MemorySource
    >>> checkout = MemorySource({FILE: b'[submodule "llvm"]\\n\\tpath = deps/llvm\\n\\turl = ../llvm\\n'})
    >>> submodule_hint(checkout, "deps/llvm/utils")
    'the submodule deps/llvm is not checked out: git submodule update --init deps/llvm'
    """
    try:
        text = source.read(FILE).decode("utf-8", "replace")
    except OSError:
        return ""
    path = next((each for each in _PATH.findall(text) if f"{folder}/".startswith(f"{each}/")), None)
    return f"the submodule {path} is not checked out: git submodule update --init {path}" if path is not None else ""
