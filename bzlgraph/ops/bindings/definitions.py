"""Where the C++ behind a name is defined: in the file that names it, what that includes, and the sources beside those;
else in the other sources of the folder, for what a file declares itself; else in the one source that has it in the
folders below, or in those beside.

(name, file) -> place. A header says what there is; the body is in the header, or in the source of the same name. Only
files whose bytes have the name are cut into tokens, each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.source_file import SourceFile, read_source_file
from bzlgraph.cpp.text import HEADERS
from bzlgraph.ops.bindings.defined import NOTHING, Defined, Place, defined_in

INTERFACES = (".i", ".swig")
"""How the names of SWIG's files end."""
_MARKS = re.compile(rb"%[{}]")
MAX_AROUND = 400
"""Sources below a folder that are looked through."""


@dataclass(slots=True)
class Definitions:
    """Answers for one tree of files."""

    tree: IncludeTree
    _defined: dict[str, Defined] = field(default_factory=dict)
    _folders: dict[str, list[str]] = field(default_factory=dict)

    def find(self, name: str, home: str) -> Location | None:
        """The definition of a function that ``home`` names, the nearest that has most of its qualifiers; None when none
        is near."""
        whole, best, place = name.count("::") + 1, 0, None
        for found, alike in self._defining(name, (*self.tree.near(home), *self._beside(home))):
            if alike == whole:
                return found
            if alike > best:
                best, place = alike, found
        if place is not None:
            return place
        folder = home.rpartition("/")[0]
        for around in (folder, folder.rpartition("/")[0]):
            below = [found for found, _ in self._defining(name, self._below(around))] if around else []
            if below:
                return below[0] if len(below) == 1 else None
        return None

    def handed_on(self, place: Location) -> Iterator[tuple[str, Location]]:
        """The functions whose results the one that is defined there returns (or, if none, that it calls as statements),
        as they are named, with where they are: those that its file, or a header that this includes, declares, and
        another source defines."""
        functions = (each for listed in self._of(place.path).functions.values() for each in listed)
        for name in next((each.hands_on for each in functions if each.line == place.line), ()):
            found = self.find(name, place.path) if self._is_declared(name.rpartition("::")[2], place.path) else None
            if found is not None and found.path != place.path and not found.path.endswith(HEADERS):
                yield name, found

    def _is_declared(self, name: str, home: str) -> bool:
        """Whether a file says the name of a function that it calls more often, or a header that it includes does."""
        called = utf8(f"{name}(")
        headers = (path for path in self.tree.near(home) if path != home and path.endswith(HEADERS))
        return self.tree.bytes_of(home).count(called) > 1 or any(called in self.tree.bytes_of(each) for each in headers)

    def _defining(self, name: str, paths: Iterable[str]) -> Iterator[tuple[Location, int]]:
        """The definitions in files, the best of each, with how many parts of the name it has."""
        last = name.rpartition("::")[2]
        needle = utf8(last)
        for path in (each for each in paths if needle in self.tree.bytes_of(each)):
            line, alike = _best(name, self._of(path).functions.get(last, ()))
            if line:
                yield Location(path, line, 0), alike

    def kind(self, name: str, home: str) -> str:
        """``method``, ``static`` or ``field`` for the member of a class that a file near ``home`` has, ``class`` for
        that class or its constructor, ``""`` for what that class does not have and for a namespace, else
        ``function``."""
        owner, _, last = name.rpartition("::")
        within = owner.rpartition("::")[2]
        needles = [utf8(each) for each in (within, last) if each]
        for path in self.tree.near(home):
            text = self.tree.bytes_of(path)
            if not any(needle in text for needle in needles):
                continue
            _, classes, namespaces = self._of(path)
            if last in namespaces:
                return ""
            members = classes.get(within)
            if members is not None and last == within:
                return "class"
            if members is not None and last in members.static | members.others:
                return "static" if last in members.static else "method"
            if members is not None and last in members.fields:
                return "field"
            if members is not None and not members.derived and utf8(last) not in text:
                return ""
            if members is None and last in classes:
                return "class"
        return "function"

    def _beside(self, home: str) -> list[str]:
        """The other sources of a file's folder."""
        return self._by_folder().get(home.rpartition("/")[0], [])

    def _below(self, folder: str) -> list[str]:
        """The sources in a folder and below, none when there are too many to look through."""
        listed = self._by_folder().items()
        found = [each for name, paths in listed if f"{name}/".startswith(f"{folder}/") for each in paths]
        return found if len(found) <= MAX_AROUND else []

    def _by_folder(self) -> dict[str, list[str]]:
        if not self._folders:
            for path in sorted(self.tree.paths):
                if not path.endswith(HEADERS):
                    self._folders.setdefault(path.rpartition("/")[0], []).append(path)
        return self._folders

    def _read_file(self, path: str) -> SourceFile | None:
        if not path.endswith(INTERFACES):
            return self.tree.read_file(path)
        return self.tree.within(path, lambda: read_source_file(_without_marks(self.tree.bytes_of(path)), path))

    def _of(self, path: str) -> Defined:
        if path not in self._defined:
            file = self._read_file(path)
            found = self.tree.within(path, partial(defined_in, file)) if file is not None else None
            self._defined[path] = found or NOTHING
        return self._defined[path]


def _without_marks(data: bytes) -> bytes:
    """An interface of SWIG with ends of statements for the marks around its C++."""
    return _MARKS.sub(b"; ", data)


def _best(name: str, found: Sequence[Place]) -> tuple[int, int]:
    """The line of the definition that a name means, and how many parts of the name it has: as many of its qualifiers as
    can be, at least its class; a name alone is no member's."""
    parts = name.split("::")
    if len(parts) == 1:
        return next(((each.line, 1) for each in found if not each.member), (0, 0))
    for length in range(len(parts), 1, -1):
        for each in found:
            if each.name.split("::")[-length:] == parts[-length:]:
                return each.line, length
    return 0, 0
