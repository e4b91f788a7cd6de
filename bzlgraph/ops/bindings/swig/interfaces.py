"""SWIG interfaces: ``%module``, ``%include``, and the functions that they declare, unignore, rename or write.

bytes of the ``.i`` files of a tree -> ``Binding`` values, without the places of C++ functions and without targets.
Rules (https://www.swig.org/Doc4.0/SWIG.html):

1. A file that no other ``%include``s is a module, and what it includes belongs to it. Its name is that of the first
   ``%module`` in these files; without one the build gives it (``swig -module``): it has the file's path here.
2. ``%unignore ns::f;`` and ``%rename("g") ns::f;`` say that f is wrapped, the second under another name.
3. What ``%inline %{ ... %}`` defines is wrapped; so is a declaration that stands outside of ``%{ ... %}``.
4. What an included header declares is wrapped (``headers``) but for what ``%ignore`` names; after ``%ignoreall``
   (``%ignore "";``), up to ``%unignoreall``, only what rule 2 says. SWIG's own library has files for its use alone.
5. ``%extend C { ... }`` gives a class more methods; ``%template(Name) T<int>;`` makes a class of a template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.binding import Binding
from bzlgraph.ops.bindings.swig.headers import Declared, Header

MODULE = re.compile(r"^%module\s*(?:\([^)]*\))?\s*(\w+)", re.MULTILINE)
_INCLUDE = re.compile(r'^%include\s+["<]?([^">\s]+)[">]?', re.MULTILINE)
_IGNORING = re.compile(
    _INCLUDE.pattern + r'|^%(?:(ignoreall\b|ignore\s+""\s*;)|(?:unignoreall\b|rename\s*\(\s*"%s"[^)\n]*\)\s+""\s*;))',
    re.MULTILINE,
)
"""Rule 4, in the order of the text: the name that is included; whether all is ignored from here on, or no longer."""
_IGNORED = re.compile(r"^%ignore\s+([\w:~]+)", re.MULTILINE)
_EXTENDED = re.compile(r"^%extend\s+([\w:]+)\s*\{", re.MULTILINE)
_TEMPLATE = re.compile(r"^%template\s*\(\s*(\w+)\s*\)\s*([^;\n]+?)\s*;", re.MULTILINE)
_WRAPPED = re.compile(r'^%(?:unignore|rename\s*\(\s*"%s"\s*\))\s+([\w:~]+)\s*(?:\([^;\n]*\))?\s*;', re.MULTILINE)
_RENAMED = re.compile(r'^%rename\s*\(\s*"?([\w]+)"?\s*\)\s*([\w:]+)\s*(?:\([^;\n]*\))?\s*;', re.MULTILINE)
_CODE = re.compile(r"(%inline\s*)?%\{(.*?)%\}", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*[%#][^\n]*", re.MULTILINE)
_NO_BRACES = re.compile(r"[^{}\n]")
_BRACE = re.compile(r"[;{}]")
_NAMED = re.compile(r"\b(\w+)\s*\(")
_TRANSPARENT = re.compile(r'(?:\bnamespace\b[\w\s:]*|\bextern\s*"C"\s*)$')
"""What opens a brace around declarations that count."""
_NO_FUNCTIONS = re.compile(r"\b(?:return|else|using|typedef|template|operator|if|for|while|switch)\b|=\s*$")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
HOW = "SWIG %module"
SCOPE = "class or namespace"
"""The kind of what is named for the sake of what is in it: the sources say which it is."""


class Wrapped(NamedTuple):
    """A name of an interface file: what Python calls it, what C++ does, and the line."""

    name: str
    function: str
    line: int
    kind: str = "function"


def read_modules(
    paths: Mapping[str, bytes], resolve: Callable[[str, str], str | None], header: Callable[[str, Location], Header]
) -> Iterator[Binding]:
    """The bindings of all modules. ``resolve`` (an included name, the file that includes it) gives one of ``paths``,
    ``header`` (a name, and where it is included) what is none of them."""
    texts = {path: _without_comments(data.decode("utf-8", "replace")) for path, data in paths.items()}
    included = {resolve(name, path) for path, text in texts.items() for name in _INCLUDE.findall(text)}
    for path, text in texts.items():
        if path in included:
            continue
        inside = _with_included(path, texts, resolve)
        found = MODULE.search(text)
        named = (each.group(1) for each in map(MODULE.search, (texts[each] for each in inside)) if each is not None)
        module = next(named, path)
        yield Binding(
            module, "", "module", _place(path, text, found.start() if found is not None else 0), HOW, home=path
        )
        for each in inside:
            for wrapped in dict.fromkeys(_wrapped(texts[each])):
                place = Location(each, wrapped.line, 0)
                yield Binding(module, wrapped.name, wrapped.kind, place, HOW, wrapped.function, home=path)
            yield from _made_here(module, each, texts[each], path)
        ignored = {name for each in inside for name in _IGNORED.findall(texts[each])}
        ignored |= {name.lstrip(":") for each in inside for _, name in _RENAMED.findall(texts[each])}  # wrapped above
        for name, place in _headers(path, texts, resolve, [False], set()):
            known = header(name, place)
            for one in known.declared:
                if not _is_ignored(one, ignored):
                    where = Location(known.path, one.line, 0)
                    yield Binding(module, one.name, one.kind, where, HOW, one.function, home=path)


def _headers(
    path: str,
    texts: Mapping[str, str],
    resolve: Callable[[str, str], str | None],
    ignoring: list[bool],
    seen: set[str],
) -> Iterator[tuple[str, Location]]:
    """Rule 4: the headers whose declarations are wrapped, and where each is included. ``ignoring`` holds whether all is
    ignored, from one file to the next."""
    seen.add(path)
    for found in _IGNORING.finditer(texts[path]):
        name = found.group(1)
        if name is None:
            ignoring[0] = found.group(2) is not None
            continue
        interface = resolve(name, path)
        if interface is None and not ignoring[0]:
            yield name, _place(path, texts[path], found.start())
        elif interface is not None and interface not in seen:
            yield from _headers(interface, texts, resolve, ignoring, seen)


def _is_ignored(one: Declared, ignored: set[str]) -> bool:
    """Whether ``%ignore`` names it, its class or its namespace, each with as many qualifiers as it likes."""
    parts = one.function.rpartition(" ")[2].split("::")
    return any("::".join(parts[start:end]) in ignored for end in range(1, len(parts) + 1) for start in range(end))


def _made_here(module: str, path: str, text: str, home: str) -> Iterator[Binding]:
    """Rule 5."""
    plain = _without_directives(text)
    for found in _EXTENDED.finditer(text):
        owner = found.group(1)
        for method, offset, _ in _functions(plain, found.end()):
            place = _place(path, text, offset)
            name = f"{owner.rpartition('::')[2]}.{method}"
            yield Binding(module, name, "method", place, HOW, f"{owner}::{method}", place, home=home)
    for found in _TEMPLATE.finditer(text):
        place = _place(path, text, found.start())
        yield Binding(module, found.group(1), "class", place, HOW, found.group(2), home=home)


def _functions(text: str, begun: int = 0) -> Iterator[tuple[str, int, str]]:
    """The functions that a text declares (";") or defines ("{") outside of other braces than those of namespaces, each
    with its offset; from a place on, up to the brace that closes what is around it."""
    inside: list[bool] = []
    """Of each open brace, whether what is in it is no declaration that counts."""
    within = begun > 0
    for found in _BRACE.finditer(text, begun):
        mark, statement = found.group(), text[begun : found.start()]
        begun = found.end()
        if mark != "}" and not any(inside):
            named = _NAMED.search(statement)
            before = statement[: named.start()] if named is not None else ""
            if named is not None and before.strip() and not _NO_FUNCTIONS.search(before):
                yield named.group(1), found.start() - len(statement) + named.start(1), mark
        if mark == "{":
            inside.append(_TRANSPARENT.search(statement) is None)
        elif mark == "}" and inside:
            inside.pop()
        elif mark == "}" and within:
            return


def _without_directives(text: str) -> str:
    """The same with blanks for directives of SWIG and the preprocessor; the braces that they open stay."""
    return _DIRECTIVE.sub(lambda found: _NO_BRACES.sub(" ", found.group()), text)


def _with_included(path: str, texts: Mapping[str, str], resolve: Callable[[str, str], str | None]) -> list[str]:
    seen, waiting = [path], [path]
    while waiting:
        here = waiting.pop(0)
        for name in _INCLUDE.findall(texts[here]):
            found = resolve(name, here)
            if found is not None and found in texts and found not in seen:
                seen.append(found)
                waiting.append(found)
    return seen


def _wrapped(text: str) -> Iterator[Wrapped]:
    renamed = {function: name for name, function in _RENAMED.findall(text)}
    for found in _RENAMED.finditer(text):
        yield Wrapped(found.group(1), found.group(2), _line(text, found.start()))
    named = _WRAPPED.findall(text)
    for found in _WRAPPED.finditer(text):
        function = found.group(1)
        last = function.rpartition("::")[2]
        if last.startswith("~"):
            continue
        if any(other.startswith(f"{function}::") for other in named):
            if f"{function}::{last}" not in named:  # a constructor says that it is a class
                yield Wrapped(last, function, _line(text, found.start()), SCOPE)
            continue
        if function not in renamed and f"::{last}" not in renamed and last not in renamed:
            yield Wrapped(last, function, _line(text, found.start()))
    for code in _CODE.finditer(text):
        if code.group(1):
            for name, offset, _ in _functions(_without_directives(code.group(2))):
                yield Wrapped(name, name, _line(text, code.start(2) + offset))
    for name, offset, mark in _functions(_without_directives(_CODE.sub(_blank, text))):
        if mark == ";":
            yield Wrapped(name, name, _line(text, offset))


def _blank(found: re.Match[str]) -> str:
    """As many characters and lines, of nothing: what stands behind keeps its place."""
    return re.sub(r"[^\n]", " ", found.group())


def _without_comments(text: str) -> str:
    return _COMMENT.sub(_blank, text)


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _place(path: str, text: str, offset: int) -> Location:
    return Location(path, _line(text, offset), 0)
