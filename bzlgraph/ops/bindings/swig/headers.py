"""What SWIG wraps of a header that an interface ``%include``s: the functions of its namespaces, its classes, and of
these what is public.

``SourceFile`` -> ``Declared`` values, in the order of the text. Templates (without ``%template``), operators,
destructors and what is deleted are not wrapped; nor is what is nested in a class.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.tokens import Token

LIBRARY = (".i", ".swg")
"""How the names of the files of SWIG's own library end."""
_ACCESS = ("public", "private", "protected")
_NO_FUNCTIONS = frozenset({"template", "friend", "using", "typedef", "operator", "~", "delete", "static_assert"})
_CLASSES = {"class": "private", "struct": "public"}
"""What a class is declared with, and who may use its members before a label says so."""


class Declared(NamedTuple):
    """``name`` is ``Class.method`` as Python has it, ``function`` ``a::Class::method``, ``kind`` that of a binding."""

    name: str
    function: str
    kind: str
    line: int


class Header(NamedTuple):
    """A header of the tree ("" for one that is not in it), and what SWIG wraps of it."""

    path: str
    declared: list[Declared]


class SwigHeaders:
    """Finds and reads headers of one tree; ``gaps`` are those that are not there, or several, as far as was asked."""

    def __init__(self, tree: IncludeTree) -> None:
        self._tree = tree
        self._by_name: dict[str, list[str]] = {}
        self.gaps: list[Gap] = []
        for path in sorted(tree.paths):
            self._by_name.setdefault(posixpath.basename(path), []).append(path)

    def of(self, name: str, place: Location) -> Header:
        """What an interface includes at a place: the file of that path, from the top or beside the interface, else the
        one file whose path ends so."""
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(place.path), name))
        exact = [each for each in (name, beside) if each in self._tree.paths]
        named = [each for each in self._by_name.get(posixpath.basename(name), ()) if f"/{each}".endswith(f"/{name}")]
        found = exact[:1] or named
        file = self._tree.read_file(found[0]) if len(found) == 1 else None
        if file is not None:
            return Header(file.path, self._tree.within(file.path, partial(declared_in, file)) or [])
        if not name.endswith(LIBRARY):
            why = f"{len(found)} files of the tree may be meant" if found else "it is not in this tree"
            self.gaps.append(Gap(GapKind.FILE.value, f"what SWIG wraps of {name}", why, place))
        return Header("", [])


def declared_in(file: SourceFile) -> list[Declared]:
    """What SWIG wraps of a header."""
    outline = file.outline
    found = list(_functions(file, outline, -1, 0, len(outline.tokens)))
    for number, scope in enumerate(outline.scopes):
        if scope.kind == "namespace" and scope.name and _is_in_namespaces(outline, scope):
            found += _functions(file, outline, number, scope.opening + 1, scope.closing)
        elif scope.kind == "class" and scope.name and _is_in_namespaces(outline, scope):
            found += _of_class(file, outline, scope)
    return sorted(found, key=lambda each: each.line)


def _is_in_namespaces(outline: Outline[Token], scope: Scope) -> bool:
    """Whether all that is around is namespaces with names."""
    while scope.parent >= 0:
        scope = outline.scopes[scope.parent]
        if scope.kind != "namespace" or not (scope.name or _is_of_c(outline, scope.opening)):
            return False
    return True


def _is_of_c(outline: Outline[Token], opening: int) -> bool:
    """Whether a ``{`` is that of ``extern "C" {``."""
    return opening > 1 and outline.tokens[opening - 2].text == "extern"


def _qualified(outline: Outline[Token], number: int, name: str) -> str:
    while number >= 0:
        scope = outline.scopes[number]
        name, number = f"{scope.name}::{name}" if scope.name else name, scope.parent
    return name


def _functions(file: SourceFile, outline: Outline[Token], number: int, start: int, end: int) -> Iterator[Declared]:
    """The functions that a namespace (or the file, -1) declares itself."""
    inside = [each for each in outline.scopes if each.parent == number and each.kind != "function"]
    opened = {each.opening for each in inside}
    for words, name_at in _statements(outline, start, end, opened):
        if name_at > words[0] and _NO_FUNCTIONS.isdisjoint(_texts(outline, words)):
            name = outline.tokens[name_at].text
            line = file.line(outline.tokens[name_at].start)
            yield Declared(name, _qualified(outline, number, name), "function", line)


def _of_class(file: SourceFile, outline: Outline[Token], scope: Scope) -> Iterator[Declared]:
    """A class and its public members."""
    texts = _texts(outline, range(scope.start, scope.opening))
    access = next((_CLASSES[each] for each in texts if each in _CLASSES), "public")
    if "template" in texts:
        return
    own = _qualified(outline, scope.parent, scope.name)
    yield Declared(scope.name, own, "class", file.line(outline.tokens[scope.start].start))
    for words, name_at in _statements(outline, scope.opening + 1, scope.closing, set()):
        texts = _texts(outline, words)
        while len(texts) > 1 and texts[0] in _ACCESS and texts[1] == ":":
            access, texts, words = texts[0], texts[2:], words[2:]
        if access != "public" or name_at < 0 or not _NO_FUNCTIONS.isdisjoint(texts):
            continue
        name = outline.tokens[name_at].text
        kind = "static" if "static" in texts else "method"
        line = file.line(outline.tokens[name_at].start)
        if name == scope.name:
            yield Declared(f"{scope.name}.__init__", f"constructor of {own}", "method", line)
        elif name_at > words[0]:
            yield Declared(f"{scope.name}.{name}", f"{own}::{name}", kind, line)


def _texts(outline: Outline[Token], places: Sequence[int]) -> list[str]:
    return [outline.tokens[at].text for at in places]


def _statements(outline: Outline[Token], start: int, end: int, opened: set[int]) -> Iterator[tuple[Sequence[int], int]]:
    """The statements between two places, as the places of their tokens outside of brackets, each with that of the name
    before its first ``(``, -1 for none; what opens another scope (``opened``) ends none of its own."""
    tokens, ends = outline.tokens, outline.brackets.ends
    words: list[int] = []
    name_at = -1
    at = start
    while at < end:
        text = tokens[at].text
        if text == "(" and name_at < 0 and words and tokens[at - 1].text.isidentifier():
            name_at = at - 1 if tokens[at - 2].text != "::" else -1  # what a class defines outside of it
        of_c = text == "{" and _is_of_c(outline, at)
        if text in (";", "{", "}"):
            if words and at not in opened and not of_c:
                yield words, name_at
            words, name_at = [], -1
        else:
            words.append(at)
        at = ends[at] + 1 if text in ("(", "{", "[") and not of_c else at + 1
