"""What one C++ file defines: functions with their places, classes with their members, namespaces.

``SourceFile`` -> ``Defined``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bzlgraph.cpp.outline import Outline, Scope, read_outline
from bzlgraph.cpp.own_macros import Lookup, expand_calls, macros_writing
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import HEADERS
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.bindings.pybind.functions import OUTSIDE, name_from


class Place(NamedTuple):
    """A definition: its qualified name, its line, whether it is a member of a class; what must be defined for it; the
    functions whose results it returns, else those that it calls as statements."""

    name: str
    line: int
    member: bool
    condition: str = ""
    hands_on: tuple[str, ...] = ()


class Members(NamedTuple):
    """The functions that a class declares or defines: those that are static, and the others; its variables, and whether
    it has bases."""

    static: frozenset[str]
    others: frozenset[str]
    fields: frozenset[str]
    derived: bool


class Defined(NamedTuple):
    """What a file defines: functions by their last names, classes by theirs, the names of namespaces."""

    functions: dict[str, list[Place]]
    classes: dict[str, Members]
    namespaces: frozenset[str]


NOTHING = Defined({}, {}, frozenset())


def defined_in(file: SourceFile) -> Defined:
    """What a file defines; what a macro of the file writes stands where it is called."""
    functions: dict[str, list[Place]] = {}
    classes: dict[str, Members] = {}
    outline = _outline(file)
    scopes = outline.scopes
    for scope in scopes:
        if scope.kind == "class" and scope.name:
            classes.setdefault(scope.name, _members(outline, scope))
        if scope.kind != "function" or not scope.name:
            continue
        names, at = [scope.name], scope.parent
        while at >= 0:
            names.append(scopes[at].name)
            at = scopes[at].parent
        start = outline.tokens[outline.name_index(scope)].start
        full = "::".join(name for name in reversed(names) if name)
        member = "::" in scope.name or (scope.parent >= 0 and scopes[scope.parent].kind == "class")
        functions.setdefault(full.rpartition("::")[2], []).append(
            Place(full, file.line(start), member, file.condition(start), _handed_on(file, outline, scope))
        )
    namespaces = frozenset(
        part for each in scopes if each.kind == "namespace" for part in each.name.split("::") if part
    )
    return Defined(functions, classes, namespaces)


def _handed_on(file: SourceFile, outline: Outline[Token], scope: Scope) -> tuple[str, ...]:
    """``ns::f`` of ``return ns::f<T>(x);``; in headers, without one, of ``ns::f(x);``. Each is given something."""
    tokens, places = outline.tokens, range(scope.opening + 1, scope.closing)
    returned = [at for at in places if tokens[at - 1].text == "return"]
    said = [at for at in places if tokens[at - 1].text in ("{", "}", ";") and tokens[at].kind == Kind.NAME]
    for starts in (returned, said if file.path.endswith(HEADERS) else ()):
        called = [name_from(tokens, at) for at in starts if _is_given(tokens, at)]
        if found := tuple(dict.fromkeys(name for name in called if name and not name.startswith(OUTSIDE))):
            return found
    return ()


def _is_given(tokens: Sequence[Token], at: int) -> bool:
    """Whether a call that begins at a token has arguments."""
    opening = next((each for each in range(at, len(tokens)) if tokens[each].text in ("(", ";")), at)
    return tokens[at].kind == Kind.NAME and [each.text for each in tokens[opening : opening + 2]] not in (
        ["(", ")"],
        [],
    )


def _outline(file: SourceFile) -> Outline[Token]:
    """With the calls of the file's own macros expanded that write functions, or declare some."""
    writing = macros_writing(file, ("{", ";"))
    if not writing:
        return file.outline

    def lookup_of(name: int, _last: int) -> Lookup | None:
        called = file.tokens[name].text
        return writing.get if called in writing and _declares(file.tokens, name) else None

    tokens, _made_by = expand_calls(file.tokens, lookup_of)
    return read_outline(tokens)


def _declares(tokens: Sequence[Token], at: int) -> bool:
    """Whether a macro is called where a declaration may begin."""
    return at == 0 or tokens[at - 1].text in ("{", "}", ";", ")", ":") or tokens[at - 1].text.startswith("#")


def _members(outline: Outline[Token], scope: Scope) -> Members:
    """The functions of a class, names before a bracket, each statement's first; and its variables, names before the end
    of one, of an initial value or of a part."""
    static: set[str] = set()
    others: set[str] = set()
    fields: set[str] = set()
    tokens, ends = outline.tokens, outline.brackets.ends
    words: set[str] = set()
    at, named, variable = scope.opening + 1, "", ""
    while at < scope.closing:
        text = tokens[at].text
        if text == "(" and not named and tokens[at - 1].text.isidentifier():
            named = tokens[at - 1].text
        if text in (";", "{", "}", ":"):
            if named:
                (static if "static" in words else others).add(named)
            elif text in (";", "{") and variable:
                fields.add(variable)
            words, named, variable = set(), "", ""
        elif text == "," and variable:
            fields.add(variable)
        elif text.isidentifier() and "=" not in words:
            variable = text
        words.add(text)
        at = ends[at] + 1 if text in ("(", "{", "[") else at + 1
    return Members(frozenset(static), frozenset(others), frozenset(fields), bool(scope.bases))
