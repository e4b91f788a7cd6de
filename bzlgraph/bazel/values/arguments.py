"""Arguments of functions: sequences and functions, checked, with Bazel's words when they are something else.

A value that is partly unknown gives the elements that are certain (it notes the gap itself).
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.values.analysis_stubs import Inert
from bzlgraph.bazel.values.select import is_uncertain
from bzlgraph.starlark.checks import stand_in, wrong_type
from bzlgraph.starlark.evaluation.budget import charge
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name


def want_function(value: object, parameter: str, callee: str) -> Callable[..., object]:
    """An implementation, which must be a Starlark function: EvalError."""
    return value if isinstance(value, FunctionType) else stand_in(value, FunctionType, callee, parameter, "function")


def sequence(value: Any, parameter: str, function: str) -> list[object]:
    """The elements of a list, a tuple or a range."""
    if isinstance(value, list | tuple | range):
        charge(len(value))
        return list(value)
    if is_uncertain(value):
        return list(value.iterate())
    raise wrong_type(value, function, parameter, "sequence")


def strings(value: object, parameter: str, function: str, *, kind: str = "argument") -> list[str]:
    """The elements of a list of strings. Unknown elements are left out."""
    found: list[str] = []
    for index, item in enumerate(sequence(value, parameter, function)):
        if isinstance(item, str):
            found.append(item)
        elif not isinstance(item, Uncertain):
            raise EvalError(
                f"expected value of type 'string' for element {index} of '{function}' {kind}, "
                f"but got {to_repr(item)} ({type_name(item)})"
            )
    return found


def check_elements(values: object, what: str, wanted: str) -> None:
    """EvalError for something in a list that is not of the type ``wanted``."""
    for at, value in enumerate(values if isinstance(values, list | tuple) else ()):
        if type_name(value) != wanted and not isinstance(value, Uncertain | Inert):
            raise EvalError(f"at index {at} of {what}, got element of type {type_name(value)}, want {wanted}")
