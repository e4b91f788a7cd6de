"""Flags and environment variables that one call declares or reads, in the file or in a macro of it.

``MECHANISMS`` is the table of them: Abseil, gflags (and its copies in Caffe2), TensorFlow's own switches, and the
functions that read one environment variable. Where the name, type and default stand in the call is all that differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bzlgraph.cpp import Kind, Token, arguments
from bzlgraph.cpp.own_macros import expanded_call, macros_writing
from bzlgraph.flags.rows import RuntimeFlag
from bzlgraph.flags.runtime.cpp_value import spelled, value_text
from bzlgraph.flags.runtime.source_view import SourceView, parameter_type

COMMAND_LINE = "command line"
ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Positions of a call's arguments, -1 for what the call does not say; ``type`` "" is read from ``type_at``."""

    group: str
    type: str
    name_at: int
    default_at: int
    text_at: int
    counts: tuple[int, ...]
    """How many arguments the call may have: what has others is another function of the same name."""
    bare: bool = False
    """The name is an identifier, not a text."""
    type_at: int = -1


_GFLAG_TYPES = {
    "bool": "bool", "int32": "int32", "uint32": "uint32", "int64": "int64", "uint64": "uint64", "double": "float",
    "string": "string", "int": "int32",
}  # fmt: skip
_ENV_TYPES = {"Bool": "bool", "Int64": "int64", "Float": "float", "String": "string", "Strings": "string"}

MECHANISMS = {
    "ABSL_FLAG": Mechanism("absl", "", 1, 2, 3, (4,), bare=True, type_at=0),
    "TF_DECLARE_FLAG": Mechanism(ENVIRONMENT, "bool", 0, 1, 2, (3,), bare=True),
    **{
        f"{lead}DEFINE_{word}": Mechanism("gflags", shown, 0, 1, 2, (3,), bare=True)
        for lead in ("", "C10_", "CAFFE2_", "TORCH_")
        for word, shown in _GFLAG_TYPES.items()
    },
    **{f"Read{word}FromEnvVar": Mechanism(ENVIRONMENT, shown, 0, 1, -1, (3,)) for word, shown in _ENV_TYPES.items()},
    **{name: Mechanism(ENVIRONMENT, "string", 0, -1, -1, (1,)) for name in ("getenv", "secure_getenv", "_wgetenv")},
    "GetEnvVar": Mechanism(ENVIRONMENT, "string", 0, -1, -1, (3,)),
}
"""Function or macro -> where its arguments stand."""

_NAME = re.compile(r"[A-Za-z_][\w.:-]*\Z")
_COMMENT_LINE = re.compile(r"\s*(?://[/!]?|\*|/\*+)\s?(.*?)(?:\*/)?\s*\Z")


def declared_flags(view: SourceView) -> Iterator[RuntimeFlag]:
    """The flags that a file declares, and the environment variables it reads, by one call each."""
    for called, mechanism in MECHANISMS.items():
        for index, given in view.calls(called):
            yield from _flag_of_call(view, index, mechanism, given)


def macro_flags(view: SourceView) -> Iterator[RuntimeFlag]:
    """The flags of a file's own macros, one for each call: the expansion is read as if it stood there.

    ``#define SWITCH(name, value) ... ReadBoolFromEnvVar(#name, value, &x)``
    """
    macros = {name: macro for name, macro in macros_writing(view.file, MECHANISMS).items() if macro.parameters}
    for called in macros:
        for index, _given in view.calls(called):
            if view.brackets.is_open(index + 1):
                continue
            call = view.tokens[index : view.brackets.end(index + 1) + 1]
            tokens = expanded_call(call, macros.get)
            for at, token in enumerate(tokens[:-1]):
                mechanism = MECHANISMS.get(token.text) if tokens[at + 1].text == "(" else None
                if mechanism is not None:
                    yield from _flag_of_call(view, index, mechanism, arguments(tokens, at + 1))


def _flag_of_call(
    view: SourceView, index: int, mechanism: Mechanism, given: list[list[Token]]
) -> Iterator[RuntimeFlag]:
    """The row of one call at a token of the file; none when its name is not known before the program runs."""
    name = _name(view, mechanism, given[mechanism.name_at]) if len(given) in mechanism.counts else None
    if name is None:
        return
    shown: str | None = mechanism.type
    if mechanism.type_at >= 0:
        shown = parameter_type(given[mechanism.type_at]) or spelled(given[mechanism.type_at])
    default = value_text(given[mechanism.default_at], view.constant) if mechanism.default_at >= 0 else None
    if mechanism.text_at >= 0:
        description = view.string(given[mechanism.text_at]) or ""
    else:
        description = comment_above(view, index)
    yield RuntimeFlag(name, mechanism.group, shown, default, description, view.file.path, view.line(index))


def _name(view: SourceView, mechanism: Mechanism, argument: list[Token]) -> str | None:
    if mechanism.bare:
        name = argument[0].text if len(argument) == 1 and argument[0].kind == Kind.NAME else None
    else:
        name = view.string(argument)
    return name if name is not None and _NAME.match(name) else None


def comment_above(view: SourceView, index: int) -> str:
    """The comment that stands right above the statement of a token, as one line of text."""
    tokens = view.tokens
    start = view.statement_start(index)
    text = view.file.text.text
    words: list[str] = []
    end = text.rfind("\n", 0, tokens[start].start)
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        found = _COMMENT_LINE.match(text[begin:end])
        if found is None or len(words) >= 12:
            break
        words.append(found.group(1))
        end = begin - 1
    return " ".join(reversed(words)).strip()
