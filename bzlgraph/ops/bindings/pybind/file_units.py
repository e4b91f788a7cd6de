"""What the functions of one C++ file bind: ``SourceFile`` -> ``Unit`` for each that binds something, or hands a module
on.

Macros of the file, and of headers that it includes, that write any of ``chains`` are expanded where they are called,
other names of types (``using Class = a::B;``) replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from bzlgraph.cpp import Kind, Token, joined_string
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.outline import Outline, Scope, read_outline
from bzlgraph.cpp.own_macros import expand_calls, macros_writing
from bzlgraph.cpp.own_types import with_own_types
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import HEADERS
from bzlgraph.ops.bindings.pybind.chain_tokens import angle_end
from bzlgraph.ops.bindings.pybind.chains import Reader
from bzlgraph.ops.bindings.pybind.module_macros import ModuleMacro
from bzlgraph.ops.bindings.pybind.units import Unit
from bzlgraph.ops.bindings.pybind.words import WORDS


def read_units(file: SourceFile, macros: Mapping[str, ModuleMacro], others: Mapping[str, Macro]) -> list[Unit]:
    """The functions of a file that bind something; ``macros`` begin modules, ``others`` are those of headers."""
    own = {**others, **macros_writing(file, {*WORDS, *others})}
    expanded = expand_calls(file.tokens, lambda name, _last: own.get if file.tokens[name].text in own else None)[0]
    tokens = with_own_types(expanded)
    outline = read_outline(tokens) if own or tokens is not expanded else file.outline
    made = [Reader(file, outline, scope, macros).unit() for scope in outline.scopes if scope.kind == "function"]
    made += [Reader(file, outline, scope, macros, library).unit() for library, scope in _torch_classes(outline)]
    made += _uncalled(file)
    made = _with_registrations(made, outline)
    return [unit for unit in made if unit.module or unit.bound or unit.handed or unit.takes_module or unit.is_macro]


def _with_registrations(made: list[Unit], outline: Outline[Token]) -> list[Unit]:
    """Rule 11: with the functions that are given a unit's name."""
    last = {unit.name.rpartition("::")[2] for unit in made if not unit.module and not unit.is_macro}
    given: dict[str, dict[str, None]] = {}
    for at, token in enumerate(outline.tokens[:-1]):
        if token.text in last and outline.tokens[at + 1].text in (",", ")"):
            given.setdefault(token.text, {})[_given_to(outline, at)] = None
    return [unit._replace(registered=tuple(given.get(unit.name.rpartition("::")[2], ()))) for unit in made]


def _given_to(outline: Outline[Token], at: int) -> str:
    """The function that an argument is given to which is the name (or address) at ``at``; "" where it is none."""
    tokens = outline.tokens
    at -= 2 if tokens[at - 1].text == "&" else 1
    while at > 0 and tokens[at].text not in ("(", "{", ";"):
        at = outline.brackets.openings.get(at, at) - 1
    return tokens[at - 1].text if tokens[at].text == "(" and tokens[at - 1].kind == Kind.NAME else ""


def _uncalled(file: SourceFile) -> Iterator[Unit]:
    """Macros of a source file that bind names, and that the file never calls: it gives them to one of a header, which
    calls them for each of its fields (``#define X(field) cls.def_readwrite(#field, ...)``)."""
    if file.path.endswith(HEADERS):
        return
    bodies = {name: {each.text for each in macro.tokens} for _, name, macro in file.defines if macro is not None}
    called = {first.text for first, second in pairwise(file.tokens) if second.text == "("}
    waiting = sorted(called & bodies.keys())
    while waiting:
        inside = bodies[waiting.pop()] & bodies.keys() - called
        called |= inside
        waiting += inside
    for _, name, macro in file.defines:
        if macro is not None and macro.parameters and name not in called and not WORDS.isdisjoint(bodies[name]):
            yield Unit(name, file.path, (), (), line=macro.line, is_macro=True)


def _torch_classes(outline: Outline[Token]) -> Iterator[tuple[str, Scope]]:
    """The statements of rule 7 that name a library, with it."""
    tokens = outline.tokens
    for index in (at for at, token in enumerate(tokens) if token.text == "class_"):
        opening = angle_end(tokens, index + 1, len(tokens)) + 1
        given = outline.brackets.arguments(opening) if opening < len(tokens) and tokens[opening].text == "(" else []
        names = [joined_string(each) for each in given[:2]]
        if len(names) == 2 and names[0] and names[1]:
            end = opening
            while end < len(tokens) and tokens[end].text not in (";", "}"):
                end = outline.brackets.ends[end] + 1 if tokens[end].text in ("(", "{") else end + 1
            yield names[0], Scope("function", "", index - 1, index - 1, end, -1)
