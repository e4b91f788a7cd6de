"""What a tree binds: C++ files, interfaces of SWIG, files that name extensions -> ``Read``, bindings with the places of
their C++ functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.base.words import counted
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.ops.binding import LAMBDA, Binding
from bzlgraph.ops.bindings.definitions import INTERFACES, Definitions
from bzlgraph.ops.bindings.extensions import extension_names
from bzlgraph.ops.bindings.pybind.file_units import read_units
from bzlgraph.ops.bindings.pybind.functions import MAX_CALLS
from bzlgraph.ops.bindings.pybind.module_macros import ModuleMacro, module_macros, writing_macros
from bzlgraph.ops.bindings.pybind.modules import Modules
from bzlgraph.ops.bindings.pybind.registrars import registered_units
from bzlgraph.ops.bindings.pybind.units import Unit
from bzlgraph.ops.bindings.pybind.words import WORDS
from bzlgraph.ops.bindings.swig.headers import SwigHeaders
from bzlgraph.ops.bindings.swig.interfaces import HOW as SWIG
from bzlgraph.ops.bindings.swig.interfaces import SCOPE, read_modules
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source, TolerantSource


class Read(NamedTuple):
    """What is kept: all bindings, and what could not be read."""

    bindings: list[Binding]
    gaps: list[Gap]


_LIBRARY = re.compile(rb"\b(?:op|schema|RegisterOperators)\s*\(\s*\"(\w+)::")


def module_names(source: Source, paths: list[str]) -> list[str]:
    """The names of all modules of C++ files, found by a search: nothing is cut into tokens."""
    read = TolerantSource(source).read
    macros = module_macros(paths, read)
    names = "|".join(macros.macros).encode()
    begins = re.compile(rb"^[ \t]*#[ \t]*define\b[^\n]*|\b(%b)\s*\(([\w\s,]*)" % names, re.MULTILINE)
    found: dict[bytes, None] = {}
    for path in paths:
        data = read(path)
        if macros.may_bind(data):
            for macro, written in filter(any, begins.findall(data)):
                arguments, place = written.split(b","), macros.macros[macro.decode()].name
                found.update(dict.fromkeys(each.strip() for each in arguments[place : place + 1]))
            found.update(dict.fromkeys(_LIBRARY.findall(data)))
    return [each.decode() for each in found]


def read_tree(source: Source, paths: list[str], interfaces: list[str], setups: list[str]) -> Read:
    """All that the C++ files and interfaces of SWIG bind; ``setups`` are the files that name extensions."""
    files = TolerantSource(source)
    tree = IncludeTree(frozenset(paths), files.read, guard=reading, anywhere=True)
    macros = module_macros(paths, files.read)
    headers = writing_macros(paths, tree, WORDS)
    units: list[Unit] = []
    for path in paths:
        file = tree.read_file(path) if macros.may_bind(files.read(path)) else None
        if file is not None:
            units += tree.within(path, partial(_units, file, macros.macros, tree, headers)) or []
    modules = Modules(extension_names({path: files.read(path) for path in setups}, frozenset(paths)))
    bindings = modules.bindings(units)
    texts = {path: files.read(path) for path in interfaces}
    wrapped = SwigHeaders(tree)
    try:
        with reading():
            bindings += list(read_modules(texts, lambda name, inside: _resolved(name, inside, texts), wrapped.of))
    except OverBudget as problem:
        wrapped.gaps.append(Gap(GapKind.FILE.value, "what SWIG wraps", f"not read to its end: {problem}"))
    definitions = Definitions(tree)
    found = [made for each in bindings if (made := _defined(each, definitions)).kind]
    gaps = [*_not_known(modules, units), *wrapped.gaps, *files.gaps.values()]
    gaps += [Gap(GapKind.FILE.value, path, f"cannot be read as C++: {why}") for path, why in tree.broken.items()]
    return Read(found, gaps)


def _not_known(modules: Modules, units: Sequence[Unit]) -> Iterator[Gap]:
    """What is bound in ways that are not read."""
    kind = GapKind.FILE.value
    for place, module in sorted(modules.unnamed.items()):
        yield Gap(kind, f"a name that {module} binds", "it is built at run time or in a template", place)
    for place, (module, name) in sorted(modules.opaque.items()):
        yield Gap(kind, f"what {name} binds to {module}", "what it does with the module is not understood", place)
    for each in units:
        if each.is_macro:
            yield Gap(kind, f"what the macro {each.name} binds", "its calls are not read", _place(each))
    for unit in modules.unreached:
        what = f"the module of {counted(len(unit.bound), 'name')} that {unit.name} binds"
        yield Gap(kind, what, "no call that passes it one was found", _first_place(unit))


def _place(unit: Unit) -> Location:
    return Location(unit.path, unit.line, 0)


def _first_place(unit: Unit) -> Location:
    return Location(unit.path, unit.bound[0].line, 0)


def _units(
    file: SourceFile, macros: Mapping[str, ModuleMacro], tree: IncludeTree, headers: Mapping[str, Mapping[str, Macro]]
) -> list[Unit]:
    """``headers``: macros that bind something, by name and header."""
    used = {token.text for token in file.tokens if token.text in headers}
    included = tree.closure(file.path) if used else frozenset()
    others = {name: macro for name in used for path, macro in headers[name].items() if path in included}
    return [*read_units(file, macros, others), *registered_units(file)]


def _resolved(name: str, inside: str, texts: dict[str, bytes]) -> str | None:
    beside = f"{inside.rpartition('/')[0]}/{name}".lstrip("/")
    return next((each for each in (name, beside) if each in texts), None)


def _defined(each: Binding, definitions: Definitions) -> Binding:
    """With the place of its function, and of those that it hands on to, or that a lambda calls."""
    home = each.location.path
    if each.function == LAMBDA:
        asked = ((name, definitions.find(name, home)) for name in each.calls)
        return replace(each, calls=tuple(f"{name} {found.short}" for name, found in asked if found is not None))
    if not each.function or each.defined is not None or each.kind in ("class", "enum", "exception", "value"):
        return each
    if each.function.startswith("constructor of "):
        return each
    if each.how == SWIG and home.endswith(INTERFACES):
        each = _as_member(each, definitions)
    place = definitions.find(each.function, home)
    further = list(definitions.handed_on(place))[:MAX_CALLS] if place is not None else []
    return replace(each, defined=place, calls=tuple(f"{name} {found.short}" for name, found in further))


def _as_member(each: Binding, definitions: Definitions) -> Binding:
    """Of an interface of SWIG, which does not say what is a class's: with its kind, "" for what is not there, and
    that class in its name."""
    kind = definitions.kind(each.function, each.location.path)
    owner = each.function.rpartition("::")[0].rpartition("::")[2]
    if each.kind == SCOPE:
        return replace(each, kind=kind if kind == "class" else "")
    inside = kind in ("method", "static", "field")
    return replace(each, kind=kind, name=f"{owner}.{each.name}" if inside else each.name)
