"""Checks of argument types for builtins, in Bazel's words.

>>> want_string("a", "f", "x")
'a'
>>> want_int(True, "f", "n")
Traceback (most recent call last):
bzlgraph.starlark.value.EvalError: in call to f(), parameter 'n' got value of type 'bool', want 'int'
"""

from __future__ import annotations

from typing import TypeVar

from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import type_name

T = TypeVar("T")

INT32 = 1 << 31
"""The first positive int that 32 bits have no room for."""


def wrong_type(value: object, function: str, parameter: str, wanted: str) -> EvalError:
    """The error of an argument of the wrong type."""
    return EvalError(
        f"in call to {function}(), parameter '{parameter}' got value of type '{type_name(value)}', want '{wanted}'"
    )


def stand_in(value: object, kind: type[T], function: str, parameter: str, wanted: str) -> T:
    """What a host value offers in place of a plain one; the error when it offers nothing."""
    found = value.stand_in(kind) if isinstance(value, Value) else NotImplemented
    if found is NotImplemented:
        raise wrong_type(value, function, parameter, wanted)
    return found


def want_member(kind: str, name: str) -> None:
    """EvalError where values of that type have no such method yet."""
    if not has_member(kind, name):
        raise EvalError(f"'{kind}' value has no field or method '{name}'")


def has_member(kind: str, name: str) -> bool:
    """Whether values of a type have a method that is known, in the language at hand."""
    return f"{kind}.{name}" not in language().absent_members


def want_string(value: object, function: str, parameter: str) -> str:
    """``value``, which must be a string."""
    return value if type(value) is str else stand_in(value, str, function, parameter, "string")


def want_bool(value: object, function: str, parameter: str) -> bool:
    """``value``, which must be a bool."""
    return value if type(value) is bool else stand_in(value, bool, function, parameter, "bool")


def want_int(value: object, function: str, parameter: str, name: str = "") -> int:
    """``value``, which must be an int (no bool) of 32 bits; ``name`` is what Bazel calls one that is larger."""
    found = value if type(value) is int else stand_in(value, int, function, parameter, "int")
    return int32(found, name or parameter)


def want_int_or_none(value: object, function: str, parameter: str, name: str = "") -> int | None:
    """``value``, which must be an int of 32 bits or None."""
    if value is None:
        return None
    found = value if type(value) is int else stand_in(value, int, function, parameter, "int or NoneType")
    return int32(found, name or parameter)


def int32(value: int, what: str) -> int:
    """``value``, for which an int of 32 bits has room. EvalError for any other."""
    if not -INT32 <= value < INT32:
        raise EvalError(f"got {value} for {what}, want value in signed 32-bit range")
    return value


def want_iterable(value: object, function: str, parameter: str) -> object:
    """``value``, which must be something a loop accepts."""
    if isinstance(value, (list, tuple, dict, range)):
        return value
    if not isinstance(value, Value) or type(value).iterate is Value.iterate:
        raise wrong_type(value, function, parameter, "iterable")
    return value


def out_of_range(position: int, length: int) -> EvalError:
    """The error of an index beyond a sequence."""
    return EvalError(f"index out of range (index is {position}, but sequence has {length} elements)")
