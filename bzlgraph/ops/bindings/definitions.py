"""Where the C++ behind a name is defined: in the file that names it, what that includes, and the sources beside those;
else in the other sources of the folder, for what a file declares itself.

(name, file) -> place. A header says what there is; the body is in the header, or in the source of the same name. Only
files whose bytes have the name are cut into tokens, each once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import HEADERS


class Place(NamedTuple):
    """A definition: its qualified name, its line, and whether it is a member of a class."""

    name: str
    line: int
    member: bool


Defined = dict[str, list[Place]]
"""Last name -> the definitions of a file."""


@dataclass(slots=True)
class Definitions:
    """Answers for one tree of files."""

    tree: IncludeTree
    _defined: dict[str, Defined] = field(default_factory=dict)
    _folders: dict[str, list[str]] = field(default_factory=dict)

    def find(self, name: str, home: str) -> Location | None:
        """The definition of a function that ``home`` names; None when none is near."""
        last = name.rpartition("::")[2]
        needle = utf8(last)
        for path in (*self.tree.near(home), *self._beside(home)):
            if needle not in self._bytes(path):
                continue
            line = _best(name, self._of(path).get(last, ()))
            if line:
                return Location(path, line, 0)
        return None

    def _beside(self, home: str) -> list[str]:
        """The other sources of a file's folder."""
        if not self._folders:
            for path in sorted(self.tree.paths):
                if not path.endswith(HEADERS):
                    self._folders.setdefault(path.rpartition("/")[0], []).append(path)
        return self._folders.get(home.rpartition("/")[0], [])

    def _bytes(self, path: str) -> bytes:
        try:
            return self.tree.read(path)
        except OSError:
            return b""

    def _of(self, path: str) -> Defined:
        if path not in self._defined:
            file = self.tree.read_file(path)
            found = self.tree.within(path, partial(_functions, file)) if file is not None else None
            self._defined[path] = found or {}
        return self._defined[path]


def _functions(file: SourceFile) -> Defined:
    found: Defined = {}
    scopes = file.outline.scopes
    for scope in scopes:
        if scope.kind != "function" or not scope.name:
            continue
        names, at = [scope.name], scope.parent
        while at >= 0:
            names.append(scopes[at].name)
            at = scopes[at].parent
        line = file.line(file.outline.tokens[file.outline.name_index(scope)].start)
        full = "::".join(name for name in reversed(names) if name)
        member = "::" in scope.name or (scope.parent >= 0 and scopes[scope.parent].kind == "class")
        found.setdefault(full.rpartition("::")[2], []).append(Place(full, line, member))
    return found


def _best(name: str, found: Sequence[Place]) -> int:
    """The line of the definition that a name means: as many of its qualifiers as can be, at least its class; a name
    alone is no member's."""
    parts = name.split("::")
    if len(parts) == 1:
        return next((each.line for each in found if not each.member), 0)
    for length in range(len(parts), 1, -1):
        for each in found:
            if each.name.split("::")[-length:] == parts[-length:]:
                return each.line
    return 0
