"""The body of a method or function as it is compiled: its scope -> tokens.

Rules
1. What some macro beside those of the kernel and the method has compiled (``#ifdef USE_LIBXSMM``) does not run.
2. Calls of macros that the file of a body defines itself are what they stand for (``HANDLE_DIM(2)``), and so are the
   names that a body gives to types (``typedef functor::ReduceFunctor<Device, Reducer> Functor;``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.cpp.condition import FALSE, TRUE, assuming, atoms_of, parse_condition
from bzlgraph.cpp.own_macros import with_own_macros
from bzlgraph.cpp.own_types import with_own_types
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.tokens import Lexeme, Token
from bzlgraph.ops.tensorflow.cpp.work.called import calls_in
from bzlgraph.ops.tensorflow.cpp.work.classes import Classes, Method


class Body(NamedTuple):
    """What a method or function does. ``depth``: how many of the methods that are told, itself one, stand between
    Compute and what it calls."""

    method: Method
    tokens: Sequence[Lexeme]
    depth: int = 0


@dataclass(slots=True)
class Bodies:
    """Those of one tree, each read once."""

    classes: Classes
    _read: dict[tuple[Method, str], Body | None] = field(default_factory=dict)

    def of(self, method: Method, condition: str = "") -> Body | None:
        """The body of a method of a kernel that is compiled under a condition; None where there is no file."""
        key = method, condition
        if key not in self._read:
            file = self.classes.file(method.location.path)
            self._read[key] = Body(method, _tokens(file, method, condition)) if file is not None else None
        return self._read[key]


def _tokens(file: SourceFile, method: Method, condition: str) -> Sequence[Lexeme]:
    """The tokens of a body as it is compiled."""
    scope = file.outline.scopes[method.at]
    tokens = file.outline.tokens[scope.opening : scope.closing]
    around = file.directives.condition(tokens[0].start) if tokens else TRUE
    known = atoms_of(around) | (atoms_of(parse_condition(condition)) if condition else set())
    return with_own_types(with_own_macros(file, list(_compiled(file, tokens, known))))


def works(body: Body) -> bool:
    """Whether a method does more than to return a value."""
    return body.tokens[1:2] != [] and (body.tokens[1].text != "return" or any(calls_in(body.tokens)))


def _compiled(file: SourceFile, tokens: Sequence[Token], known: Collection[str]) -> Iterator[Token]:
    """The tokens that are compiled where no macro is defined but some; one condition holds for many of them."""
    before, is_compiled = TRUE, True
    for each in tokens:
        condition = file.directives.condition(each.start)
        if condition is not before:
            undefined = dict.fromkeys(atoms_of(condition) - set(known), False)
            before, is_compiled = condition, assuming(condition, undefined) != FALSE
        if is_compiled:
            yield each
