"""What calls in PyTorch's Python give functions, and what these do with their parameters.

a call and a function -> the constants that its parameters are; a function -> which of its parameters are functions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import NamedTuple

from bzlgraph.python_source.syntax import (
    AnyFunction,
    children,
    dotted,
    last_name,
    parameter_defaults,
    parameter_names,
    walk,
)


class Given(NamedTuple):
    """The arguments of a call: how many have no name, and the names of the others."""

    unnamed: int
    names: frozenset[str]


def given_by(call: ast.Call) -> Given | None:
    """What a call is given, None when that is not all written."""
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return None
    return Given(len(call.args), frozenset(each.arg for each in call.keywords if each.arg is not None))


def constants_given(call: ast.Call, function: AnyFunction, known: Mapping[str, object]) -> dict[str, object]:
    """The parameters of a function that a call, or their defaults, makes constants and that stay so. ``known`` are the
    constants where the call stands.

    >>> function, call = ast.parse("def f(x, how='a', p=0.5, q=None, *r): q = q or 1\\nf(y, mode, p=2)").body
    >>> constants_given(call.value, function, {"mode": "b"})
    {'how': 'b', 'p': 2}
    """
    if given_by(call) is None:
        return {}
    names = [name for name in parameter_names(function.args) if name not in _BOUND]
    given = dict(parameter_defaults(function.args))
    given |= dict(zip(names, call.args, strict=False)) | {each.arg: each.value for each in call.keywords if each.arg}
    changing = set().union(*map(stored_by, function.body))
    found: dict[str, object] = {}
    for name in (*names, *(each.arg for each in function.args.kwonlyargs)):
        value = given.get(name)
        if isinstance(value, ast.Constant):
            found[name] = value.value
        elif isinstance(value, ast.Name) and value.id in known:
            found[name] = known[value.id]
    return {name: value for name, value in found.items() if name not in changing}


def takes(call: ast.Call, function: AnyFunction) -> bool:
    """Whether a function may be given what a call gives it: no generator stands for a tensor. ``any(x for x in y)`` is
    Python's own where a module has another ``any``.

    >>> function, *calls = ast.parse("def f(x: TensorLike, y): pass\\nf(x for x in y)\\nf(x, (x for x in y))").body
    >>> [takes(each.value, function) for each in calls]
    [False, True]
    """
    given = zip(function.args.args, call.args, strict=False)
    return not any(isinstance(value, ast.GeneratorExp) and _is_tensor(each.annotation) for each, value in given)


def _is_tensor(annotation: ast.expr | None) -> bool:
    written = annotation.value if isinstance(annotation, ast.Constant) else annotation
    word = written if isinstance(written, str) else dotted(written) if isinstance(written, ast.expr) else ""
    return _TENSOR.fullmatch(word.rpartition(".")[2]) is not None


_TENSOR = re.compile(r"Tensor(?:Like(?:Type)?)?")
_BOUND = ("self", "cls", "ctx")
"""Parameters that no call gives."""


def bound_by(function: AnyFunction | ast.Lambda) -> frozenset[str]:
    """The parameters of a function and the names that it gives values; not those of functions inside."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    body = function.body if isinstance(function.body, list) else []
    return frozenset(each.arg for each in given if each is not None).union(*map(stored_by, body))


def stored_by(root: ast.AST) -> set[str]:
    """The names that a statement gives values."""
    found: set[str] = set()
    waiting = [root]
    for node in waiting:
        if isinstance(node, AnyFunction | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif not isinstance(node, ast.Lambda | ast.Global):
            waiting += children(node)
    return found


def taken_functions(function: AnyFunction) -> tuple[str, ...]:
    """The parameters of a function that are functions: it calls them, says that they are, or asks whether they are.

    >>> text = "def cond(p, yes, no: Optional[Callable[[], int]], or_):\\n  if callable(or_): return yes(p)"
    >>> taken_functions(ast.parse(text).body[0])
    ('yes', 'no', 'or_')
    """
    calls = [node for node in walk(function) if isinstance(node, ast.Call)]
    asked = {last_name(each.args[0]) for each in calls if last_name(each.func) == "callable" and each.args}
    called = {each.func.id for each in calls if isinstance(each.func, ast.Name)} | asked
    stored = set().union(*map(stored_by, function.body))
    every = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return tuple(
        each.arg
        for each in every
        if (each.arg in called and each.arg not in stored) or (each.annotation and _is_callable(each.annotation))
    )


def _is_callable(annotation: ast.expr) -> bool:
    """``Callable``, ``Callable[[int], int]``, ``Optional[Callable]``."""
    if isinstance(annotation, ast.Subscript) and last_name(annotation.value) == "Optional":
        return _is_callable(annotation.slice)
    named = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return last_name(named) == "Callable"
