"""``str`` and ``repr`` of every value, with a stack of its own: deep, cyclic and shared values are no danger.

>>> from bzlgraph.starlark.values import Dict, List
>>> to_repr(List(["a", 1, 1e17, None, (True,)])), to_str(Dict(a=List()))
('["a", 1, 1e+17, None, (True,)]', '{"a": []}')

A value met again inside itself prints as ``...``; ``str`` does not count the outermost value as being printed (so
``str(x)`` of ``x = [x]`` is ``[[...]]``), which is how Bazel does it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

from bzlgraph.starlark.equality import Container
from bzlgraph.starlark.evaluation.budget import FREE, LOOK, charge, charge_digits, charge_string
from bzlgraph.starlark.value import Value
from bzlgraph.starlark.values import DictView

_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}
_TO_ESCAPE = re.compile(r'["\\\n\r\t]')


def quote(text: str) -> str:
    """A string literal: double quotes, only what must be escaped is escaped."""
    if len(text) > FREE:
        charge_string(len(text))
    if _TO_ESCAPE.search(text):
        charge(2 * len(text))
        text = text.translate(_ESCAPES)
    return f'"{text}"'


def to_str(value: object) -> str:
    """``str(value)``: a string is itself, everything else prints as ``repr`` does."""
    if type(value) is str:
        return value
    if isinstance(value, Value):
        return value.to_str()
    if isinstance(value, (list, tuple, dict)):
        return _container_repr(value, outermost_counts=False)
    return to_repr(value)


def to_repr(value: object) -> str:
    """``repr(value)``"""
    simple = _SIMPLE.get(type(value))
    if simple is not None:
        return simple(value)
    if isinstance(value, (list, tuple, dict)):
        return _container_repr(value, outermost_counts=True)
    if isinstance(value, Value):
        return value.to_repr()
    return f"<{type(value).__name__}>"


class _Close:
    """A mark on the printing stack: the container is finished."""

    __slots__ = ("ident", "text")

    def __init__(self, text: str, ident: int) -> None:
        self.text = text
        self.ident = ident


class _Text(str):
    """Text on the printing stack that goes out as it is."""

    __slots__ = ()


_COMMA, _COLON = _Text(", "), _Text(": ")


def _container_repr(value: Container, outermost_counts: bool) -> str:
    """Print a container; ``open_ids`` are those being printed now, to notice cycles."""
    out: list[str] = []
    size = 0
    open_ids: set[int] = set()
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if type(item) is _Text:
            out.append(item)
            continue
        if type(item) is _Close:
            open_ids.discard(item.ident)
            out.append(item.text)
            continue
        if type(item) is DictView:
            out.append(item.shown)
            continue
        if isinstance(item, (list, tuple, dict)):
            charge(2 * LOOK * (len(item) + 1))
            opening, closing = _brackets(item)
            if id(item) in open_ids:
                out.append("...")
                continue
            if outermost_counts:
                open_ids.add(id(item))
            outermost_counts = True
            out.append(opening)
            stack.append(_Close(closing, id(item)))
            _push_parts(item, stack)
            continue
        text = to_repr(item)
        size += len(text)
        out.append(text)
    charge_string(size)
    return "".join(out)


def _brackets(item: Container) -> tuple[str, str]:
    if isinstance(item, list):
        return "[", "]"
    if isinstance(item, dict):
        return "{", "}"
    return "(", ",)" if len(item) == 1 else ")"


def _push_parts(item: Container, stack: list[object]) -> None:
    """Push the elements (last first) with their separators."""
    if isinstance(item, dict):
        parts: list[object] = []
        for key, value in item.items():
            parts += (key, _COLON, value, _COMMA)
    else:
        parts = []
        for element in item:
            parts += (element, _COMMA)
    if parts:
        parts.pop()
    parts.reverse()
    stack.extend(parts)


def float_repr(value: float) -> str:
    """A float the way Bazel writes it: shortest digits that read back, always with a point or an exponent."""
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "+inf" if value > 0 else "-inf"
    text = repr(value)
    if text == "1e+16" or (abs(value) >= 1e16 and abs(value) < 1e17):
        text = f"{value:.1f}"
    return text


_BIG_DIGITS = 4000
_BIG = 10**_BIG_DIGITS


def int_repr(value: int) -> str:
    """Decimal digits, also of integers beyond Python's limit for ``str(int)``."""
    bits = value.bit_length()
    if bits > 512:
        charge_digits(bits, bits)
    if -_BIG < value < _BIG:
        return str(value)
    if value < 0:
        return f"-{int_repr(-value)}"
    pieces: list[str] = []
    while value >= _BIG:
        value, rest = divmod(value, _BIG)
        pieces.append(str(rest).zfill(_BIG_DIGITS))
    pieces.append(str(value))
    return "".join(reversed(pieces))


def function_name(function: FunctionType) -> str:
    """The name a function was given; ``lambda`` for one without."""
    name = function.__name__
    return "lambda" if name == "<lambda>" else name


def _function_repr(function: FunctionType) -> str:
    origin = function.__globals__.get("$origin")
    return f"<function {function_name(function)} from {origin}>" if origin else f"<function {function_name(function)}>"


def _bytes_repr(value: bytes) -> str:
    return "b" + quote(value.decode("latin-1"))


_SIMPLE: dict[type, Callable[[Any], str]] = {
    str: quote,
    int: int_repr,
    float: float_repr,
    bool: str,
    type(None): str,
    range: repr,
    bytes: _bytes_repr,
    FunctionType: _function_repr,
}
