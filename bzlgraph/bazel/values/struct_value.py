"""``struct`` as Bazel has it: with ``to_json()`` and ``to_proto()``, which macros of old trees write into genrules.

Gone from Bazel 8; a field of that name wins. Rules: https://bazel.build/rules/lib/builtins/struct
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bzlgraph.starlark.builtin import BoundMethod, builtin
from bzlgraph.starlark.lib.json import encode
from bzlgraph.starlark.lib.struct import Struct
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name


class BazelStruct(Struct):
    """A struct with the two methods of old."""

    __slots__ = ()

    def get_attr(self, name: str) -> object:
        if name not in self.fields and name in _METHODS:
            return BoundMethod(_METHODS[name], self)
        return super().get_attr(name)


def to_json(value: Struct) -> str:
    """The struct as JSON."""
    return encode(value)


def to_proto(value: Struct) -> str:
    """The struct as the text form of a protocol message."""
    return "".join(f"{line}\n" for line in _message(value, 0))


def _message(value: Struct, depth: int) -> Iterator[str]:
    for name in sorted(value.fields):
        item = value.fields[name]
        for element in item if isinstance(item, list | tuple) else [item]:
            yield from _field(name, element, depth)


def _field(name: str, value: object, depth: int) -> Iterator[str]:
    lead = "  " * depth
    if value is None:
        return
    if isinstance(value, Struct):
        yield f"{lead}{name} {{"
        yield from _message(value, depth + 1)
        yield f"{lead}}}"
    elif isinstance(value, bool):
        yield f"{lead}{name}: {str(value).lower()}"
    elif isinstance(value, str | int | float):
        yield f"{lead}{name}: {to_repr(value)}"
    else:
        raise EvalError(
            f"Invalid text format, expected a struct, a string, a bool, or an int but got a {type_name(value)}"
        )


to_json.__qualname__, to_proto.__qualname__ = "to_json", "to_proto"
_METHODS: dict[str, Callable[..., object]] = {"to_json": to_json, "to_proto": to_proto}


@builtin("struct")
def struct_function(**kwargs: object) -> BazelStruct:
    """``struct(a = 1, ...)``"""
    return BazelStruct(kwargs)
