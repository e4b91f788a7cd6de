"""The body of a method or function as it is compiled: its scope -> tokens.

Rules
1. What some macro beside those of the kernel and the method has compiled (``#ifdef USE_LIBXSMM``) does not run.
2. Calls of macros that the file of a body defines itself are what they stand for (``HANDLE_DIM(2)``), and so are the
   names that a body gives to types (``typedef functor::ReduceFunctor<Device, Reducer> Functor;``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from bzlgraph.cpp.condition import FALSE, TRUE, Formula, assuming, atoms_of, parse_condition
from bzlgraph.cpp.own_macros import with_own_macros
from bzlgraph.cpp.own_types import with_own_types
from bzlgraph.cpp.tokens import Lexeme
from bzlgraph.ops.tensorflow.cpp.work.called import calls_in
from bzlgraph.ops.tensorflow.cpp.work.classes import Classes, Method


class Body(NamedTuple):
    """What a method or function does. ``depth``: how many of the methods that are told, itself one, stand between
    Compute and what it calls."""

    method: Method
    tokens: Sequence[Lexeme]
    depth: int = 0


def body_of(classes: Classes, method: Method, condition: str = "") -> Body | None:
    """The body of a method of a kernel that is compiled under a condition; None where there is no file."""
    file = classes.file(method.location.path)
    if file is None:
        return None
    scope = file.outline.scopes[method.at]
    tokens = file.outline.tokens[scope.opening : scope.closing]
    around = file.directives.condition(tokens[0].start) if tokens else TRUE
    known = atoms_of(around) | (atoms_of(parse_condition(condition)) if condition else set())
    compiled = [each for each in tokens if _is_compiled(file.directives.condition(each.start), known)]
    return Body(method, with_own_types(with_own_macros(file, compiled)))


def works(body: Body) -> bool:
    """Whether a method does more than to return a value."""
    return body.tokens[1:2] != [] and (body.tokens[1].text != "return" or any(calls_in(body.tokens)))


def _is_compiled(condition: Formula, known: Collection[str]) -> bool:
    """Whether a line is compiled where no macro is defined but some."""
    return assuming(condition, dict.fromkeys(atoms_of(condition) - set(known), False)) != FALSE
