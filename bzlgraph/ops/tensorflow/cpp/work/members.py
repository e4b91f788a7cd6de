"""Functions that a kernel keeps in a member and calls there: the bodies that call, its classes -> ``Work``.

Rules
1. What a body calls by the name of no method, and what a method of the kernel's classes sets from a call of a
   function: of ``work_ = GetCpuCastFromBool(type);`` and ``work_(context, in, out);`` the function that gives it.
2. Which of several is set, the types of a kernel decide: of one that is registered for some types only none is told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from bzlgraph.cpp.tokens import Kind, Lexeme
from bzlgraph.ops.model import KernelRegistration, Work
from bzlgraph.ops.tensorflow.cpp.work.bodies import Bodies, Body
from bzlgraph.ops.tensorflow.cpp.work.called import calls_in
from bzlgraph.ops.tensorflow.cpp.work.classes import ClassAt, Classes, Method


def kept_in_members(
    read: Bodies, kernel: KernelRegistration, bodies: Sequence[Body], chain: Sequence[ClassAt], homes: Sequence[str]
) -> list[Work]:
    """Where a kernel's work goes on in functions that its members hold. ``bodies``: Compute, and the methods that it
    calls; ``chain``: the kernel's classes; ``homes``: the files that it sees."""
    classes = read.classes
    called = {call.name for each in bodies for call in calls_in(each.tokens) if not call.arguments}
    found: dict[Method, Work] = {}
    for each in chain:
        for setter in classes.methods(each.name, homes):
            if setter.owners[-1] != each.name or setter.name in called or not _sets_any(classes, setter, called):
                continue
            body = read.of(setter, kernel.condition)
            for name in functions_set(body.tokens, called) if body is not None else ():
                defined = classes.functions(name, homes)
                if len(defined) == 1:
                    found.setdefault(defined[0], Work(name, defined[0].location, True, 1))
    return [] if len(found) > 1 and kernel.constraints else list(found.values())


def _sets_any(classes: Classes, method: Method, names: Collection[str]) -> bool:
    """Whether a method sets one of some names, whatever is compiled of it."""
    file = classes.file(method.location.path)
    scope = file.outline.scopes[method.at] if file is not None else None
    if file is None or scope is None:
        return False
    return any(functions_set(file.outline.tokens[scope.opening : scope.closing], names))


def functions_set(tokens: Sequence[Lexeme], names: Collection[str]) -> Iterator[str]:
    """The functions whose results some tokens give to variables of these names, which they do not declare.

    >>> from bzlgraph.cpp.tokens import tokenize
    >>> body = "{ if (a == b) { work_ = nullptr; } else work_ = Get(type); other = Not(1); auto run = Local(); }"
    >>> list(functions_set(tokenize(body), {"work_", "run"}))
    ['Get']
    """
    for index in range(1, len(tokens) - 3):
        before, name, sign, function, opening = tokens[index - 1 : index + 4]
        is_call = (sign.text, function.kind, opening.text) == ("=", Kind.NAME, "(")
        if name.text in names and is_call and not _ends_type(before):
            yield function.text


def _ends_type(token: Lexeme) -> bool:
    """Whether a name behind a token is declared there."""
    return token.text in (">", "*", "&") or (token.kind == Kind.NAME and token.text != "else")
