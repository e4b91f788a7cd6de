"""The classes of a tree's C++ and their methods, looked up by name from a file that names them.

(name, file) -> ``ClassAt``, ``Method``. Only files near the one that asks, and whose bytes have the name, are cut into
tokens, each once. Specialisations are told apart by their arguments: ``Launch<CPUDevice, T>`` is meant by
``Launch<Device, T>`` on a CPU.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.outline import Scope
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import SOURCES
from bzlgraph.cpp.tokens import Lexeme
from bzlgraph.ops.tensorflow.cpp.work.arguments import fits, listed, parameters_of, sameness, written
from bzlgraph.ops.tensorflow.cpp.work.folder_names import folder_of


class ClassAt(NamedTuple):
    """A class in a file: ``owners`` are the classes around it, outermost first; ``arguments`` are those that a
    specialisation is written with; ``at`` is its scope."""

    name: str
    owners: tuple[str, ...]
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]
    bases: tuple[str, ...]
    location: Location
    at: int


class Method(NamedTuple):
    """A definition: its class with those around it, none of a function, the arguments of a specialisation and the
    template's parameters in them, its own scope."""

    owners: tuple[str, ...]
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]
    name: str
    location: Location
    at: int

    @property
    def full_name(self) -> str:
        """``A::B::f``; a functor's operator is not written."""
        parts = self.owners if self.name == "operator()" else (*self.owners, self.name)
        return "::".join(parts)


class Read(NamedTuple):
    """What a file defines: classes and methods by the names of classes, functions by their own."""

    classes: dict[str, list[ClassAt]]
    methods: dict[str, list[Method]]
    functions: dict[str, list[Method]]


_NOTHING = Read({}, {}, {})
_QUALIFIES = re.compile(rb"\s*(?:<[^;{}()]*>)?\s*::")
"""What stands behind a class's name where a method is defined."""
_KEYWORD = re.compile(rb"\b(?:class|struct)\b")
_FAR = 300
"""How far behind the keyword a class's name may stand."""


@dataclass(slots=True)
class Classes:
    """Answers for one tree."""

    tree: IncludeTree
    _read: dict[str, Read] = field(default_factory=dict)
    _files: dict[str, list[str]] = field(default_factory=dict)
    _after: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _folders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _places: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    _seen: dict[str, frozenset[str]] = field(default_factory=dict)

    def named(self, name: str, homes: Sequence[str]) -> Iterator[ClassAt]:
        """The classes of a name that files see, nearest first."""
        for path in self._having(name, homes):
            yield from self.of(path).classes.get(name, ())

    def methods(self, name: str, homes: Sequence[str]) -> Iterator[Method]:
        """The methods that are defined for a class of a name, nearest first."""
        for path in self._having(name, homes):
            yield from self.of(path).methods.get(name, ())

    def functions(self, name: str, homes: Sequence[str]) -> list[Method]:
        """The functions of a name in the files of their folder that files see; where these only declare it, in those
        that are named after the headers that do."""
        needle = utf8(name)
        naming = [
            path
            for path in dict.fromkeys(path for home in homes for path in self._beside(home))
            if needle in self.tree.bytes_of(path)
        ]
        found = [each for path in naming for each in self.of(path).functions.get(name, ())]
        if found:
            return found
        headers = [path for path in naming if not path.endswith(SOURCES)]
        further = dict.fromkeys(path for header in headers for path in self.named_after(header))
        having = (path for path in further if needle in self.tree.bytes_of(path))
        return [each for path in having for each in self.of(path).functions.get(name, ())]

    def named_after(self, home: str) -> tuple[str, ...]:
        """The files of a file's folder that are named after it: ``slice_op_cpu_impl.h`` after ``slice_op.cc``."""
        if home not in self._after:
            if not self._files:
                for path in self.tree.paths:
                    self._files.setdefault(folder_of(path), []).append(path)
            stem = home.partition(".")[0]
            beside = self._files.get(folder_of(home), ())
            self._after[home] = tuple(sorted(each for each in beside if each.startswith((f"{stem}.", f"{stem}_"))))
        return self._after[home]

    def _beside(self, home: str) -> tuple[str, ...]:
        """The files of a file's folder that it sees."""
        if home not in self._folders:
            folder = folder_of(home)
            self._folders[home] = tuple(path for path in self.tree.near(home) if folder_of(path) == folder)
        return self._folders[home]

    def sees(self, home: str, path: str) -> bool:
        """Whether what a file names may be defined in another one, be it named after a header."""
        if home not in self._seen:
            headers = (each for each in self._beside(home) if not each.endswith(SOURCES))
            after = (each for header in headers for each in self.named_after(header))
            self._seen[home] = frozenset((*self.tree.near(home), *after))
        return path in self._seen[home]

    def file(self, path: str) -> SourceFile | None:
        """A file of the tree, with its tokens and scopes."""
        return self.tree.file(path)

    def of(self, path: str) -> Read:
        """What a file defines."""
        if path not in self._read:
            file = self.tree.file(path)
            found = self.tree.within(path, partial(_definitions, file)) if file is not None else None
            self._read[path] = found or _NOTHING
        return self._read[path]

    def _having(self, name: str, homes: Sequence[str]) -> tuple[str, ...]:
        """The files near those homes that may define a class of a name, or methods of it."""
        key = (name, *homes)
        if key not in self._places:
            needle = utf8(name)
            word = re.compile(rb"%s(?<!\w%s)\b" % (needle, needle))  # which begins with what is looked for fast
            paths = dict.fromkeys(path for home in homes for path in self.tree.near(home))
            having = ((path, self.tree.bytes_of(path)) for path in paths)
            self._places[key] = tuple(path for path, data in having if needle in data and _may_define(data, word))
        return self._places[key]


def _may_define(data: bytes, name: re.Pattern[bytes]) -> bool:
    """Whether a file may define a class of a name, or methods of it. Looking around the name, which is rare, takes a
    seventh of the time that looking behind each ``class`` does."""
    for found in name.finditer(data):
        if _QUALIFIES.match(data, found.end()):
            return True
        before = data[max(0, found.start() - _FAR) : found.start()]
        if _KEYWORD.search(before, max(map(before.rfind, (b";", b"{", b"}"))) + 1):
            return True
    return False


def best(methods: Iterator[Method], name: str, given: Sequence[str]) -> Method | None:
    """The method of a name that fits the arguments which its class is given, the most special of the nearest."""
    fitting = [each for each in methods if each.name == name and fits(each.arguments, given, each.parameters)]
    return max(fitting, key=lambda each: sameness(each.arguments, given), default=None)


def meant(classes: Iterable[ClassAt], given: Sequence[str]) -> ClassAt | None:
    """The class that is meant by the arguments it is given: the most special of those for just these, else a general
    one."""
    found = list(classes)
    special = [each for each in found if each.arguments and fits(each.arguments, given, each.parameters)]
    if special:
        return max(special, key=lambda each: sameness(each.arguments, given))
    return next((each for each in found if not each.arguments or not given), None)


def _definitions(file: SourceFile) -> Read:
    classes: dict[str, list[ClassAt]] = {}
    methods: dict[str, list[Method]] = {}
    functions: dict[str, list[Method]] = {}
    tokens, scopes = file.outline.tokens, file.outline.scopes
    names: dict[int, tuple[str, ...]] = {}
    for at, scope in enumerate(scopes):
        above = names.get(scope.parent, ())
        if scope.kind == "class" and scope.name:
            names[at] = (*above, *_qualifiers(tokens, scope), scope.name)
            place = file.location(tokens[_name_at(tokens, scope)].start)
            parameters = parameters_of(tokens, scope)
            arguments = written(tokens, scope)
            classes.setdefault(scope.name, []).append(
                ClassAt(scope.name, names[at][:-1], parameters, arguments, scope.bases, place, at)
            )
        elif scope.kind == "function":
            found = _method(file, at, above)
            for owner in dict.fromkeys(found.owners):
                methods.setdefault(owner, []).append(found)
            if not found.owners:
                functions.setdefault(found.name, []).append(found)
    return Read(classes, methods, functions)


def _method(file: SourceFile, at: int, above: tuple[str, ...]) -> Method:
    """The method of a function's scope, inside its class or outside of it; a function has no owner."""
    tokens, scopes = file.outline.tokens, file.outline.scopes
    scope = scopes[at]
    place = file.location(tokens[file.outline.name_index(scope)].start)
    if above:
        around = scopes[scope.parent]
        arguments = written(tokens, around)
        return Method(above, arguments, parameters_of(tokens, around), scope.name, place, at)
    owner, _, name = scope.name.rpartition("::")
    plain_owner, opening, rest = owner.partition("<")
    owners = tuple(plain_owner.split("::")) if owner else ()
    parameters = parameters_of(tokens, scope)
    return Method(owners, listed(opening + rest), parameters, name, place, at)


def _name_at(tokens: Sequence[Lexeme], scope: Scope) -> int:
    """The token of a class's name: the first behind the keyword, for its parameters may be called the same."""
    return next((each for each in range(scope.start, scope.opening) if tokens[each].text == scope.name), scope.start)


def _qualifiers(tokens: Sequence[Lexeme], scope: Scope) -> tuple[str, ...]:
    """The classes that a class is written with: ``class A::B {``."""
    at = _name_at(tokens, scope)
    found: list[str] = []
    while at >= scope.start + 2 and tokens[at - 1].text == "::":
        found.insert(0, tokens[at - 2].text)
        at -= 2
    return tuple(found)
