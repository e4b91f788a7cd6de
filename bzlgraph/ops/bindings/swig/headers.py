"""What SWIG wraps of a header that an interface ``%include``s: the functions of its namespaces, its classes, and of
these what is public; values of enums, and constants.

``SourceFile`` -> ``Declared`` values, in the order of the text. Operators, destructors and what is deleted are not
wrapped; nor is what is nested in a class. A template is told as such: only ``%template`` wraps it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.cpp.condition import TRUE, Formula
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.outline import Outline, Scope, without_template
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.tokens import Token
from bzlgraph.ops.bindings.swig.statements import Statement, enumerators, fields, statements

LIBRARY = (".i", ".swg")
"""How the names of the files of SWIG's own library end."""
_ACCESS = ("public", "private", "protected")
_NO_FUNCTIONS = frozenset({"friend", "using", "typedef", "operator", "~", "delete", "static_assert"})
_CLASSES = {"class": "private", "struct": "public"}
"""What a class is declared with, and who may use its members before a label says so."""
_CONSTANT = frozenset({"const", "constexpr"})


class Declared(NamedTuple):
    """``name`` is ``Class.method`` as Python has it, ``function`` ``a::Class::method``, ``kind`` that of a binding."""

    name: str
    function: str
    kind: str
    line: int
    condition: Formula = TRUE
    template: bool = False
    """Whether it is a template, or a member of one."""


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
    found = list(_of_namespace(file, outline, -1, 0, len(outline.tokens)))
    for number, scope in enumerate(outline.scopes):
        if scope.kind == "namespace" and scope.name and _is_in_namespaces(outline, scope):
            found += _of_namespace(file, outline, number, scope.opening + 1, scope.closing)
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


def _made(file: SourceFile, at: int, name: str, function: str, kind: str, template: bool = False) -> Declared:
    """What the token at ``at`` of the outline names."""
    start = file.outline.tokens[at].start
    return Declared(name, function, kind, file.line(start), file.directives.condition(start), template)


def _of_namespace(file: SourceFile, outline: Outline[Token], number: int, start: int, end: int) -> Iterator[Declared]:
    """What a namespace (or the file, -1) declares itself."""
    opened = {each.opening for each in outline.scopes if each.parent == number and each.kind != "function"}
    for each in statements(outline, start, end, opened):
        texts = each.texts(outline)
        if each.name_at > each.words[0] and _NO_FUNCTIONS.isdisjoint(texts):
            name = outline.tokens[each.name_at].text
            template = texts[0] == "template"
            yield _made(file, each.name_at, name, _qualified(outline, number, name), "function", template)
        elif each.name_at < 0:
            yield from _values(file, each, _qualified(outline, number, ""), "")


def _values(file: SourceFile, each: Statement, around: str, inside: str) -> Iterator[Declared]:
    """The values of an enum, and constants; ``around`` is ``a::``, ``inside`` the class in Python, with a dot."""
    outline, texts = file.outline, each.texts(file.outline)
    enum, scoped, places = enumerators(outline, each)
    for at in places:
        name = outline.tokens[at].text
        full = f"{around}{enum}::{name}" if enum else f"{around}{name}"
        yield _made(file, at, f"{inside}{enum}_{name}" if scoped and enum else f"{inside}{name}", full, "value")
    if not inside and not _CONSTANT.isdisjoint(texts) and "=" in texts and texts[0] != "template":
        for at in fields(outline, each):
            name = outline.tokens[at].text
            yield _made(file, at, name, f"{around}{name}", "value")


def _of_class(file: SourceFile, outline: Outline[Token], scope: Scope) -> Iterator[Declared]:
    """A class and its public members."""
    words = [outline.tokens[at].text for at in range(scope.start, scope.opening)]
    head = without_template(words)
    access = next((_CLASSES[each] for each in head if each in _CLASSES), "public")
    template = len(head) < len(words)
    if template and head[head.index(scope.name) + 1 :][:1] == ["<"]:
        return  # a specialization
    own = _qualified(outline, scope.parent, scope.name)
    yield _made(file, scope.start, scope.name, own, "class", template)
    for each in statements(outline, scope.opening + 1, scope.closing, set()):
        texts, first = each.texts(outline), 0
        while texts[first : first + 1] and texts[first] in _ACCESS and texts[first + 1 : first + 2] == [":"]:
            access, first = texts[first], first + 2
        each = each._replace(words=each.words[first:])
        if access == "public" and each.words and _NO_FUNCTIONS.isdisjoint(texts) and "template" not in texts:
            yield from _member(file, each, scope.name, own, template)


def _member(file: SourceFile, each: Statement, name: str, own: str, template: bool) -> Iterator[Declared]:
    """What a public statement of the class ``name`` declares; ``own`` is its name in C++."""
    outline = file.outline
    if each.name_at < 0:
        yield from _values(file, each, f"{own}::", f"{name}.")
        for at in fields(outline, each):
            field = outline.tokens[at].text
            yield _made(file, at, f"{name}.{field}", f"{own}::{field}", "field", template)
        return
    method = outline.tokens[each.name_at].text
    kind = "static" if "static" in each.texts(outline) else "method"
    if method == name:
        yield _made(file, each.name_at, f"{name}.__init__", f"constructor of {own}", "method", template)
    elif each.name_at > each.words[0]:
        yield _made(file, each.name_at, f"{name}.{method}", f"{own}::{method}", kind, template)
