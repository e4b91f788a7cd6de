"""Variables that a macro of the file reads: ``#define SWITCH(name, value) ... ReadBoolFromEnvVar(#name, value, &x)``.

Each invocation of such a macro is expanded, and the call inside is read as if it stood there.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.cpp import Kind, Token, arguments, closing
from bzlgraph.cpp.expand import Expander, TooMuch, pieces
from bzlgraph.cpp.macro import Macro, parse_define
from bzlgraph.flags.runtime.declared_flag import MECHANISMS, flag_of_call
from bzlgraph.flags.runtime.flag_row import RuntimeFlag
from bzlgraph.flags.runtime.source_view import Scene


def macro_flags(scene: Scene) -> Iterator[RuntimeFlag]:
    """The flags of a file's own macros, one for each invocation."""
    for macro in _readers(scene):
        for index in scene.places(macro.name):
            if scene.tokens[index + 1 : index + 2] and scene.tokens[index + 1].text == "(":
                yield from _expanded(scene, macro, index)


def _readers(scene: Scene) -> list[Macro]:
    """The function-like macros of a file whose bodies call something of ``MECHANISMS``."""
    found = []
    for each in scene.directives.all:
        if each.word != "define" or not any(f"{name}(" in each.rest for name in MECHANISMS):
            continue
        start = scene.text.text.find(each.rest[:20], each.start)
        macro = parse_define(scene.text, start, each.end) if start >= 0 else None
        if macro is not None and macro.parameters:
            found.append(macro)
    return found


def _expanded(scene: Scene, macro: Macro, index: int) -> Iterator[RuntimeFlag]:
    call = scene.tokens[index : closing(scene.tokens, index + 1) + 1]
    try:
        result = Expander({macro.name: macro}.get).expand(pieces(call))
    except TooMuch:
        return
    tokens = [Token(piece.kind, piece.text, piece.start) for piece in result]
    for at, token in enumerate(tokens[:-1]):
        mechanism = MECHANISMS.get(token.text) if token.kind == Kind.NAME and tokens[at + 1].text == "(" else None
        if mechanism is not None:
            flag = flag_of_call(scene, index, mechanism, arguments(tokens, at + 1))
            if flag is not None:
                yield flag
