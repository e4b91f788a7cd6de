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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.cpp.condition import FALSE, TRUE, Formula, both, condition_text
from bzlgraph.ops.binding import Binding
from bzlgraph.ops.bindings.swig.headers import Declared, Header
from bzlgraph.ops.bindings.swig.interface_text import Interface, blank, for_python, read_interface

MODULE = re.compile(r"^%module\s*(?:\([^)]*\))?\s*(\w+)", re.MULTILINE)
_INCLUDE = re.compile(r'^%include\s+["<]?([^">\s]+)[">]?', re.MULTILINE)
_IGNORING = re.compile(
    _INCLUDE.pattern + r'|^%(?:(ignoreall\b|ignore\s+""\s*;)|(?:unignoreall\b|rename\s*\(\s*"%s"[^)\n]*\)\s+""\s*;))',
    re.MULTILINE,
)
"""Rule 4, in the order of the text: the name that is included; whether all is ignored from here on, or no longer."""
_IGNORED = re.compile(r"^%ignore\s+([\w:~]+)", re.MULTILINE)
_EXTENDED = re.compile(r"^%extend\s+([\w:]+)\s*\{", re.MULTILINE)
_TEMPLATE = re.compile(r"^%template\s*\(\s*(\w+)\s*\)\s*([^;{}]+?)\s*;", re.MULTILINE)
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
HOW = "SWIG %module"
_CONSTRUCTOR = "constructor of "
SCOPE = "class or namespace"
"""The kind of what is named for the sake of what is in it: the sources say which it is."""


class Wrapped(NamedTuple):
    """A name of an interface file: what Python calls it, what C++ does, and the place in the text."""

    name: str
    function: str
    offset: int
    kind: str = "function"


class Included(NamedTuple):
    """A header whose declarations are wrapped: where it is included, and what must hold there."""

    name: str
    place: Location
    condition: Formula


def read_modules(
    paths: Mapping[str, bytes], resolve: Callable[[str, str], str | None], header: Callable[[str, Location], Header]
) -> Iterator[Binding]:
    """The bindings of all modules. ``resolve`` (an included name, the file that includes it) gives one of ``paths``,
    ``header`` (a name, and where it is included) what is none of them."""
    texts = {path: read_interface(path, data) for path, data in paths.items()}
    included = {resolve(name, path) for path, each in texts.items() for name in _INCLUDE.findall(each.text)}
    for path, top in texts.items():
        if path not in included:
            yield from _Module(path, texts, resolve, header).bindings(top)


@dataclass(slots=True)
class _Module:
    """The module of one interface file, ``home``, and of what it includes."""

    home: str
    texts: Mapping[str, Interface]
    resolve: Callable[[str, str], str | None]
    header: Callable[[str, Location], Header]
    name: str = ""
    inside: dict[str, Formula] = field(default_factory=dict)
    """The interfaces it is made of, and what must hold for each to be read."""
    templates: dict[str, list[tuple[str, Declared, Formula]]] = field(default_factory=dict)
    """By the name of a template: what it declares, with its header."""

    def bindings(self, top: Interface) -> Iterator[Binding]:
        """All that is wrapped."""
        self._include(self.home, TRUE)
        parts = [self.texts[each] for each in self.inside]
        named = [found.group(1) for each in parts if (found := MODULE.search(each.text)) is not None]
        found = MODULE.search(top.text)
        self.name = named[0] if named else self.home
        place = top.place(found.start() if found is not None else 0)
        yield Binding(self.name, "", "module", place, HOW, home=self.home)
        headers = list(self._declared(parts))
        for each in parts:
            for wrapped in dict.fromkeys(_wrapped(each.text)):
                yield from self._at(each, wrapped)
            yield from self._extended(each)
            yield from self._of_templates(each)
        yield from headers

    def _include(self, path: str, condition: Formula) -> None:
        """Rule 1."""
        self.inside[path] = condition
        text = self.texts[path]
        for each in _INCLUDE.finditer(text.text):
            found = self.resolve(each.group(1), path)
            if found is not None and found in self.texts and found not in self.inside:
                self._include(found, both(condition, text.condition(each.start())))

    def _at(self, text: Interface, one: Wrapped, defined: bool = False) -> Iterator[Binding]:
        """What an interface says itself, unless it does not for Python."""
        condition = both(self.inside[text.path], text.condition(one.offset))
        place = text.place(one.offset)
        if condition != FALSE:
            yield Binding(
                self.name, one.name, one.kind, place, HOW, one.function, place if defined else None,
                condition=condition_text(condition), home=self.home,
            )  # fmt: skip

    def _of_header(self, path: str, one: Declared, condition: Formula, name: str = "") -> Iterator[Binding]:
        """What a header declares."""
        condition = both(condition, for_python(one.condition))
        place = Location(path, one.line, 0)
        if condition != FALSE:
            yield Binding(
                self.name, name or one.name, one.kind, place, HOW, one.function,
                place if one.kind == "field" else None, condition=condition_text(condition), home=self.home,
            )  # fmt: skip

    def _declared(self, parts: Sequence[Interface]) -> Iterator[Binding]:
        """Rule 4; what templates declare is kept for rule 5."""
        ignored = {name for each in parts for name in _IGNORED.findall(each.text)}
        ignored |= {name.lstrip(":") for each in parts for _, name in _RENAMED.findall(each.text)}  # wrapped above
        for included in self._headers(self.home, [False], set()):
            known = self.header(included.name, included.place)
            for one in known.declared:
                if _is_ignored(one, ignored):
                    continue
                if one.template:
                    owner = one.function.removeprefix(_CONSTRUCTOR)
                    owner = owner if owner != one.function or "." not in one.name else owner.rpartition("::")[0]
                    self.templates.setdefault(owner, []).append((known.path, one, included.condition))
                else:
                    yield from self._of_header(known.path, one, included.condition)

    def _headers(self, path: str, ignoring: list[bool], seen: set[str]) -> Iterator[Included]:
        """Rule 4: the headers whose declarations are wrapped. ``ignoring`` holds whether all is ignored, from one file
        to the next."""
        seen.add(path)
        text = self.texts[path]
        for found in _IGNORING.finditer(text.text):
            name = found.group(1)
            if name is None:
                ignoring[0] = found.group(2) is not None
                continue
            interface = self.resolve(name, path)
            condition = both(self.inside[path], text.condition(found.start()))
            if interface is None and not ignoring[0] and condition != FALSE:
                yield Included(name, text.place(found.start()), condition)
            elif interface is not None and interface not in seen:
                yield from self._headers(interface, ignoring, seen)

    def _extended(self, text: Interface) -> Iterator[Binding]:
        """``%extend`` of rule 5."""
        plain = _without_directives(text.text)
        for found in _EXTENDED.finditer(text.text):
            owner = found.group(1)
            for method, offset, _ in _functions(plain, found.end()):
                name = f"{owner.rpartition('::')[2]}.{method}"
                yield from self._at(text, Wrapped(name, f"{owner}::{method}", offset, "method"), defined=True)

    def _of_templates(self, text: Interface) -> Iterator[Binding]:
        """``%template`` of rule 5: one of a function is a function, one of a class has its members."""
        for found in _TEMPLATE.finditer(text.text):
            name, of = found.group(1), " ".join(found.group(2).split())
            wanted = of.partition("<")[0].strip().lstrip(":")
            known = next((all_ for full, all_ in self.templates.items() if f"::{full}".endswith(f"::{wanted}")), [])
            kind = "function" if known and all(one.kind == "function" for _, one, _ in known) else "class"
            yield from self._at(text, Wrapped(name, of if kind == "class" else wanted, found.start(), kind))
            here = both(self.inside[text.path], text.condition(found.start()))
            for path, one, condition in known:
                if "." in one.name:
                    member = f"{name}.{one.name.partition('.')[2]}"
                    yield from self._of_header(path, one, both(here, condition), member)


def _is_ignored(one: Declared, ignored: set[str]) -> bool:
    """Whether ``%ignore`` names it, its class or its namespace, each with as many qualifiers as it likes."""
    parts = one.function.rpartition(" ")[2].split("::")
    return any("::".join(parts[start:end]) in ignored for end in range(1, len(parts) + 1) for start in range(end))


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


def _wrapped(text: str) -> Iterator[Wrapped]:
    renamed = {function: name for name, function in _RENAMED.findall(text)}
    for found in _RENAMED.finditer(text):
        yield Wrapped(found.group(1), found.group(2), found.start())
    named = _WRAPPED.findall(text)
    for found in _WRAPPED.finditer(text):
        function = found.group(1)
        last = function.rpartition("::")[2]
        if last.startswith("~"):
            continue
        if any(other.startswith(f"{function}::") for other in named):
            if f"{function}::{last}" not in named:  # a constructor says that it is a class
                yield Wrapped(last, function, found.start(), SCOPE)
            continue
        if function not in renamed and f"::{last}" not in renamed and last not in renamed:
            yield Wrapped(last, function, found.start())
    for code in _CODE.finditer(text):
        if code.group(1):
            for name, offset, _ in _functions(_without_directives(code.group(2))):
                yield Wrapped(name, name, code.start(2) + offset)
    for name, offset, mark in _functions(_without_directives(_CODE.sub(blank, text))):
        if mark == ";":
            yield Wrapped(name, name, offset)
