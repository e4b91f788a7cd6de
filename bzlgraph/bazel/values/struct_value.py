"""``struct`` as Bazel has it: with ``to_json()`` and ``to_proto()``, which macros of old trees write into genrules.

Gone from Bazel 8; a field of that name wins; since Bazel 4 ``proto.encode_text(struct)`` gives the same text.
Rules: https://bazel.build/rules/lib/builtins/struct, https://bazel.build/rules/lib/core/proto
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from bzlgraph.bazel.context.scope import facts
from bzlgraph.starlark.builtin import BoundMethod, Builtin, builtin
from bzlgraph.starlark.checks import stand_in
from bzlgraph.starlark.evaluation.budget import LOOK, charge, charge_string
from bzlgraph.starlark.lib.json import encode
from bzlgraph.starlark.lib.struct import Struct
from bzlgraph.starlark.printing import to_repr, to_str
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import type_name

MAX_DEPTH = 100
"""Structs inside one another."""
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n"})


class BazelStruct(Struct):
    """What ``struct()`` and providers give: a record with the two methods of old."""

    __slots__ = ()

    def get_attr(self, name: str) -> object:
        if name not in self.fields and name in _METHODS:
            return BoundMethod(_METHODS[name], self)
        return super().get_attr(name)

    def attr_names(self) -> Iterable[str]:
        return {*self.fields, *_METHODS} if facts().structs_have_methods else self.fields


def to_json(value: Struct) -> str:
    """The struct as JSON."""
    return encode(value)


def to_proto(value: Struct) -> str:
    """The struct as the text form of a protocol message. EvalError for what has none."""
    lines: list[str] = []
    _message(value, 0, lines)
    text = "".join(lines)
    charge_string(len(text))
    return text


@builtin("encode_text")
def encode_text(x: object, /) -> str:
    """``proto.encode_text(struct(...))``: the same; text for what is unknown. EvalError for what is no struct."""
    found = stand_in(x, Struct, "encode_text", "x", "structure") if not isinstance(x, Struct) else x
    return to_proto(found) if isinstance(found, Struct) else to_str(found)


def _message(value: Struct, depth: int, lines: list[str]) -> None:
    if depth > MAX_DEPTH:
        raise EvalError("the value is nested too deeply to be encoded as text")
    for name in sorted(value.fields):
        item = value.fields[name]
        if item is not None:
            with _inside(f"in struct field .{name}"):
                _field(name, item, depth, lines)


def _field(name: str, value: object, depth: int, lines: list[str]) -> None:
    """One field: elements of a sequence and entries of a dictionary are fields of the same name."""
    if isinstance(value, dict):
        lead = "  " * depth
        for key, item in value.items():
            if type(key) not in (str, int):
                raise EvalError(f"invalid dict key: got {type_name(key)}, want int or string")
            lines.append(f"{lead}{name} {{\n")
            _single("key", key, depth + 1, lines)
            with _inside(f"in value for dict key {to_repr(key)}"):
                _single("value", item, depth + 1, lines)
            lines.append(f"{lead}}}\n")
    elif isinstance(value, list | tuple):
        for at, item in enumerate(value):
            with _inside(f"at {type_name(value)} index {at}"):
                _single(name, item, depth, lines)
    else:
        _single(name, value, depth, lines)


def _single(name: str, value: object, depth: int, lines: list[str]) -> None:
    charge(LOOK)
    lead = "  " * depth
    unknown = value.stand_in(str) if isinstance(value, Value) and not isinstance(value, Struct) else NotImplemented
    plain = value if unknown is NotImplemented else unknown
    if isinstance(plain, Struct):
        lines.append(f"{lead}{name} {{\n")
        _message(plain, depth + 1, lines)
        lines.append(f"{lead}}}\n")
    elif isinstance(plain, str):
        lines.append(f'{lead}{name}: "{plain.translate(_ESCAPES)}"\n')
    elif isinstance(plain, bool):
        lines.append(f"{lead}{name}: {str(plain).lower()}\n")
    elif isinstance(plain, int | float):
        shown = facts().proto_infinity if plain == float("inf") else to_repr(plain)
        lines.append(f"{lead}{name}: {shown}\n")
    else:
        raise EvalError(f"got {type_name(plain)}, want string, int, float, bool, or struct")


@contextmanager
def _inside(where: str) -> Iterator[None]:
    """Say in an error where the value stands."""
    try:
        yield
    except EvalError as error:
        raise EvalError(f"{where}: {error.message}") from None


to_json.__qualname__, to_proto.__qualname__ = "to_json", "to_proto"
_METHODS: dict[str, Callable[..., object]] = {"to_json": to_json, "to_proto": to_proto}


class StructFunction(Builtin):
    """``struct`` itself, which Bazel takes for a provider."""

    type_name = "Provider"

    def to_repr(self) -> str:
        return f"<function {self.name}>"


def _struct(**kwargs: object) -> BazelStruct:
    return BazelStruct(kwargs)


_struct.__qualname__ = ":struct"
struct_function = StructFunction(_struct, "struct")
"""``struct(a = 1, ...)``"""
