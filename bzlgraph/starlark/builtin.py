"""Builtins: Python functions that Starlark code can call, and methods bound to their receiver.

The signature of the Python function *is* the Starlark signature: positional-only ``/``, keyword-only ``*``, defaults,
``*args``, ``**kwargs``. Python binds the arguments; only a failure is worded again, in Starlark's words.
Both classes are ``functools.partial`` underneath, because that is the fastest callable object Python code can make.

>>> @builtin("double")
... def double(x, /):
...     return x + x
>>> double(21), double.to_repr()
(42, '<built-in function double>')

A ``Value`` gets methods from a table of its class (``Value.methods``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import ClassVar

from bzlgraph.starlark.value import Value
from bzlgraph.starlark.values import type_name


class Builtin(partial, Value):  # type: ignore[type-arg]
    """A function of the host, by name. Not hashable, as in Bazel."""

    type_name: ClassVar[str] = "builtin_function_or_method"
    __hash__ = None  # type: ignore[assignment]

    def __new__(cls, function: Callable[..., object], name: str, pure: bool = False) -> Builtin:
        made = super().__new__(cls, function)
        made.name = name
        made.pure = pure
        return made

    name: str
    pure: bool
    """Whether it gives the same for the same arguments all through an evaluation, and changes nothing."""

    def to_repr(self) -> str:
        return f"<built-in function {self.name}>"

    def __repr__(self) -> str:
        return self.to_repr()


class BoundMethod(partial, Value):  # type: ignore[type-arg]
    """``receiver.name``, not called yet. Not hashable, and equal only to itself, as in Bazel."""

    type_name: ClassVar[str] = "builtin_function_or_method"
    __hash__ = None  # type: ignore[assignment]

    @property
    def name(self) -> str:
        """The method's name."""
        return str(self.func.__qualname__).lstrip(".:")

    def to_repr(self) -> str:
        return f"<built-in method {self.name} of {type_name(self.args[0])} value>"

    def __repr__(self) -> str:
        return self.to_repr()


def builtin(name: str, *, pure: bool = False) -> Callable[[Callable[..., object]], Builtin]:
    """Make a Python function a Starlark function called ``name``; ``pure``: see ``Builtin.pure``."""

    def wrap(function: Callable[..., object]) -> Builtin:
        name_function(function, f":{name}")
        return Builtin(function, name, pure)

    return wrap


def name_function(function: Callable[..., object], name: str) -> None:
    """Let Python's own binding errors say the Starlark name; they are worded again in ``problems``, where a first ``:``
    means a builtin function and a first ``.`` a method, whose receiver is not counted as an argument."""
    if isinstance(function, FunctionType):
        function.__qualname__ = name


def method_table(*functions: Callable[..., object], **named: Callable[..., object]) -> dict[str, Callable[..., object]]:
    """A table of methods (``self`` first), by their own names or by the ones given."""
    table = {**{each.__name__: each for each in functions}, **named}
    for name, function in table.items():
        name_function(function, f".{name}")
    return table
