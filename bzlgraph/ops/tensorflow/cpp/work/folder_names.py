"""What a class comes to in the folder of its file: its own text, then what that names, and so on.

Looked up by name in the files of the folder that a file sees (``near``): classes with their methods,
functions, macros, other names of types; and a function that a header declares, wherever in the folder it is. Of device
code there are such functions only, and what is written for the CPU's device alone is no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from bzlgraph.cpp.include_tree import IncludeTree, beside, in_force
from bzlgraph.cpp.outline import Scope
from bzlgraph.cpp.own_types import aliases_of
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import SOURCES
from bzlgraph.ops.tensorflow.cpp.work.arguments import listed, plain, written

_WORD = re.compile(r"[^\W\d]\w*")
_BEFORE_BRACKET = re.compile(rb"\b([A-Z]\w*)\s*\(")
_DECLARED = re.compile(
    rb"(?:\b(?!return\b|else\b|new\b)\w+|>|[&*])[\s&*]+([A-Z]\w*)\s*\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)\s*;"
)
"""``Status Launch(const GPUDevice& d, ...);``"""


@dataclass(slots=True, eq=False)
class Text:
    """A definition, and the file it stands in."""

    path: str
    text: str
    is_function: bool = False
    _names: frozenset[str] | None = None

    @property
    def names(self) -> frozenset[str]:
        """The names in it."""
        if self._names is None:
            self._names = frozenset(_WORD.findall(self.text))
        return self._names


@dataclass(slots=True)
class FolderNames:
    """Answers for one tree, of whose files ``contents`` are the bytes."""

    tree: IncludeTree
    contents: Mapping[str, bytes]
    _folders: dict[str, list[str]] = field(default_factory=dict)
    _defined: dict[str, dict[str, list[Text]]] = field(default_factory=dict)
    _near: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _seen: dict[str, dict[str, list[Text]]] = field(default_factory=dict)
    _declares: dict[str, frozenset[str]] = field(default_factory=dict)
    _declared: dict[str, frozenset[str]] = field(default_factory=dict)
    _followed: dict[tuple[Text, str], list[Text]] = field(default_factory=dict)
    _sources: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    _elsewhere: dict[tuple[str, str], list[Text]] = field(default_factory=dict)

    def reached(self, start: Text, homes: Sequence[str]) -> Iterator[Text]:
        """All that a text comes to which stands in one of the files ``homes``, itself first; device code that it comes
        to is not followed."""
        waiting, known = [start], {start}
        while waiting:
            text = waiting.pop()
            yield text
            places = () if text is not start and is_device_code(text.path) else dict.fromkeys((text.path, *homes))
            for path in places:
                fresh = dict.fromkeys(each for each in self._named(text, path) if each not in known)
                known.update(fresh)
                waiting += fresh

    def of_folder(self, path: str) -> list[str]:
        """The files of a file's folder."""
        if not self._folders:
            for each in self.contents:
                self._folders.setdefault(folder_of(each), []).append(each)
        return self._folders.get(folder_of(path), [])

    def _named(self, text: Text, path: str) -> list[Text]:
        """The definitions of what a text names that a file sees, and of the functions that headers declare to it."""
        key = (text, path)
        if key not in self._followed:
            seen = self._seen_from(path)
            found = self._followed[key] = [each for name in text.names & seen.keys() for each in seen[name]]
            for name in text.names & self._declared_to(path):  # for another device it may be defined elsewhere, too
                found += self._defined_elsewhere(name, path)
        return self._followed[key]

    def near(self, path: str) -> tuple[str, ...]:
        """A file and those of its folder that it includes, directly or through others of the folder, each with the
        source beside it."""
        if path not in self._near:
            found = [path]
            for each in found:  # which grows
                included = (one for one in self.tree.included(each) if folder_of(one) == folder_of(path))
                found += (one for one in included if one not in found)
            sources = (one for each in found for one in beside(each, SOURCES, self.tree.paths))
            self._near[path] = tuple(dict.fromkeys((*found, *sources)))
        return self._near[path]

    def _seen_from(self, path: str) -> dict[str, list[Text]]:
        """What the files of its folder define that a file sees."""
        if path not in self._seen:
            found = self._seen[path] = {}
            for place in self.near(path):
                if place == path or not is_device_code(place):
                    for name, texts in self._defined_in(place).items():
                        found.setdefault(name, []).extend(texts)
        return self._seen[path]

    def _declared_to(self, path: str) -> frozenset[str]:
        """The functions that a file, or a header of its folder that it sees, declares."""
        if path not in self._declared:
            headers = (each for each in self.near(path) if each != path and not each.endswith(SOURCES))
            self._declared[path] = self._declared_in(path).union(*map(self._declared_in, headers))
        return self._declared[path]

    def _declared_in(self, path: str) -> frozenset[str]:
        if path not in self._declares:
            self._declares[path] = frozenset(self.found_in(path, _DECLARED))
        return self._declares[path]

    def _defined_elsewhere(self, name: str, path: str) -> list[Text]:
        """The definitions of a function in the sources of a file's folder: of those to which a header declares it, too,
        else the only one of what the file itself declares."""
        key = (path, name)
        if key not in self._elsewhere:
            sources = (self._defined_in(each).get(name, ()) for each in self._naming(path).get(name, ()))
            found = [text for texts in sources for text in texts if text.is_function]
            shared = [text for text in found if name in self._declared_to(text.path)]
            is_own = (
                path.endswith(SOURCES) and name in self._declared_in(path) and len({text.path for text in found}) == 1
            )
            self._elsewhere[key] = shared or (found if is_own else [])
        return self._elsewhere[key]

    def _naming(self, path: str) -> dict[str, list[str]]:
        """The sources of a file's folder by what is called or defined in them."""
        folder = folder_of(path)
        if folder not in self._sources:
            found = self._sources[folder] = {}
            for each in self.of_folder(path):
                if each.endswith(SOURCES):
                    for name in self.found_in(each, _BEFORE_BRACKET):
                        found.setdefault(name, []).append(each)
        return self._sources[folder]

    def _defined_in(self, path: str) -> dict[str, list[Text]]:
        if path not in self._defined:
            found = self._defined[path] = {}
            file = self.tree.file(path)
            if file is not None and not file.is_cut:
                file = file.without_tokens()  # those of all files of a folder do not fit into memory
            for name, text in self.tree.within(path, partial(_texts_of, file)) or ():
                found.setdefault(name, []).append(text)
        return self._defined[path]

    def found_in(self, path: str, pattern: re.Pattern[bytes]) -> set[str]:
        """What a pattern finds in the bytes of a file."""
        data = self.contents.get(path, b"")
        return {name.decode() for name in self.tree.within(path, lambda: pattern.findall(data)) or ()}


def folder_of(path: str) -> str:
    """The folder of a file."""
    return path.rpartition("/")[0]


def is_device_code(path: str) -> bool:
    """Whether a file is compiled for GPUs, or is a header of such files."""
    return path.endswith((".cu.cc", ".cu", ".cu.h", ".cuh"))


def _texts_of(file: SourceFile | None) -> list[tuple[str, Text]]:
    """The definitions of a file by name: a method by its class's."""
    return [*_scopes_of(file), *_shorthands_of(file)] if file is not None else []


def _scopes_of(file: SourceFile) -> Iterator[tuple[str, Text]]:
    tokens, scopes, text = file.outline.tokens, file.outline.scopes, file.text.text
    changing = _changing(file)
    for scope in scopes:
        within = scope.parent < 0 or scopes[scope.parent].kind == "namespace"
        if scope.kind == "namespace" or not within or _is_on_host(file, scope):
            continue
        owner = scope.name.partition("<")[0] if "<" in scope.name else scope.name.partition("::")[0]
        start, end = tokens[scope.start].start, tokens[min(scope.closing, len(tokens) - 1)].end
        bodies = (
            macro.body
            for name in changing.intersection(_WORD.findall(text[start:end]))
            for macro in in_force(file, end, name, file.directives.condition(start)) or ()
        )
        is_function = scope.kind == "function" and "::" not in scope.name
        yield owner.rpartition("::")[2], Text(file.path, "\n".join((text[start:end], *bodies)), is_function)


def _shorthands_of(file: SourceFile) -> Iterator[tuple[str, Text]]:
    """Its macros, and its other names of types."""
    changing = _changing(file)
    for _, name, macro in file.defines:
        if macro is not None and name not in changing:
            yield name, Text(file.path, macro.body)
    yield from ((name, Text(file.path, meaning)) for name, meaning in aliases_of(file.text.text).items())


def _changing(file: SourceFile) -> set[str]:
    """The macros that a file takes back: what one stands for depends on the place, and ends with the file."""
    return {name for _, name, macro in file.defines if macro is None}


def _is_on_host(file: SourceFile, scope: Scope) -> bool:
    """Whether a class, or the class of a method, is the specialisation for the CPU's device."""
    _, opening, rest = scope.name.partition("<")
    given = listed(opening + rest) if scope.kind == "function" else written(file.outline.tokens, scope)
    return "CPUDevice" in map(plain, given)
