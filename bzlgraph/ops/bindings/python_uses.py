"""The Python that imports a module of C++, and that uses a name of it; of a torch library, ``ops.library.name``.

(module, name) -> lines. A search for the names in the bytes of Python files: what is imported under another name is
found by the import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.ops.bindings.chains import TORCH_OPS
from bzlgraph.ops.bindings.model import PythonUse
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.workspace.sources.source import Source

MAX_USES = 200


@dataclass(slots=True)
class PythonUses:
    """Looks into the Python files of one tree, tests left out."""

    source: Source
    folder: Path | None = None
    tree: PythonTree = field(init=False)

    def __post_init__(self) -> None:
        self.tree = PythonTree(self.source, self.folder)

    def of(self, module: str, name: str) -> tuple[PythonUse, ...]:
        """The lines that use ``module.name``; when there are none, those that import the module."""
        last = utf8(module.rpartition(".")[2])
        head = utf8(name.partition(".")[0])
        paths = list(self.tree.containing("", (last,)))
        prefix = rb"\bops\." if module.startswith(TORCH_OPS) else rb"\b"
        using = re.compile(prefix + re.escape(last) + rb"\." + re.escape(head) + rb"\b")
        if module.startswith(TORCH_OPS):  # a package of Python may have the library's name: it is no import of it
            return tuple(self._lines(paths, (using,)))[:MAX_USES] if head else ()
        importing = re.compile(rb"^\s*(?:import|from)\b.*\b" + re.escape(last) + rb"\b")
        both = re.compile(rb"^\s*from\b.*\b" + re.escape(last) + rb"\s+import\b.*\b" + re.escape(head) + rb"\b")
        found = list(self._lines(paths, (using, both))) if head else []
        return tuple((found or list(self._lines(paths, (importing,))))[:MAX_USES])

    def _lines(self, paths: list[str], patterns: tuple[re.Pattern[bytes], ...]) -> Iterator[PythonUse]:
        for path in paths:
            for number, line in enumerate(self.tree.bytes_of(path).split(b"\n"), 1):
                if any(each.search(line) for each in patterns):
                    yield PythonUse(Location(path, number, 0), line.decode("utf-8", "replace").strip())
