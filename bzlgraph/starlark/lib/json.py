"""``json.encode``, ``json.decode``, ``json.indent`` and ``json.encode_indent``, as Bazel has them.

>>> from bzlgraph.starlark.values import List
>>> encode(List([1, "é", None, True])), decode("[1, 2.0]")
('[1,"é",null,true]', [1, 2.0])
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

from bzlgraph.starlark.budget import LOOK, OverBudget, charge, charge_string
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.checks import want_string
from bzlgraph.starlark.lib.struct import Struct
from bzlgraph.starlark.printing import float_repr, int_repr, quote
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, List, set_item, type_name

MAX_DEPTH = 500
_MISSING = object()


def _encode(value: Any, out: list[str], depth: int) -> None:
    """Append the pieces of a value's JSON."""
    charge(2 * LOOK)
    if depth > MAX_DEPTH:
        raise EvalError("the value is nested too deeply to be encoded as JSON")
    kind = type(value)
    if value is None or kind is bool:
        out.append({None: "null", True: "true", False: "false"}[value])
    elif kind is int:
        out.append(int_repr(value))
    elif kind is float:
        if not math.isfinite(value):
            raise EvalError(f"cannot encode non-finite float {float_repr(value)}")
        out.append(float_repr(value))
    elif kind is str:
        charge_string(len(value))
        out.append(json.dumps(value, ensure_ascii=False))
    elif isinstance(value, dict):
        _encode_dict(value, out, depth)
    elif isinstance(value, Struct):
        fields = [(name, value.fields[name]) for name in sorted(value.fields)]
        _encode_members(fields, out, depth, "struct field .")
    elif isinstance(value, (list, tuple, range, Value)):
        _encode_items(value, out, depth)
    else:
        raise EvalError(f"cannot encode {type_name(value)} as JSON")


def _encode_dict(value: dict[Any, Any], out: list[str], depth: int) -> None:
    for key in value:
        if type(key) is not str:
            raise EvalError(f"dict has {type_name(key)} key, want string")
    _encode_members(sorted(value.items(), key=lambda item: str(item[0])), out, depth, "dict key ")


def _encode_members(members: Iterable[tuple[str, Any]], out: list[str], depth: int, what: str) -> None:
    separator = "{"
    for key, member in members:
        out.append(f"{separator}{json.dumps(key, ensure_ascii=False)}:")
        try:
            _encode(member, out, depth + 1)
        except OverBudget:
            raise
        except EvalError as error:
            shown = key if what.endswith(".") else quote(key)
            raise EvalError(f"in {what}{shown}: {error.message}") from None
        separator = ","
    out.append("{}" if separator == "{" else "}")


def _encode_items(value: Any, out: list[str], depth: int) -> None:
    items = value
    if isinstance(value, Value):
        try:
            items = list(value.iterate())
        except EvalError:
            raise EvalError(f"cannot encode {type_name(value)} as JSON") from None
    separator = "["
    for position, item in enumerate(items):
        out.append(separator)
        try:
            _encode(item, out, depth + 1)
        except OverBudget:
            raise
        except EvalError as error:
            raise EvalError(f"at {type_name(value)} index {position}: {error.message}") from None
        separator = ","
    out.append("[]" if separator == "[" else "]")


def encode(value: Any, /) -> str:
    out: list[str] = []
    _encode(value, out, 0)
    return "".join(out)


def decode(x: Any, /, default: Any = _MISSING) -> Any:
    text = want_string(x, "decode", "x")
    charge(len(text))
    try:
        return _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        if default is not _MISSING:
            return default
        if isinstance(error, json.JSONDecodeError):
            raise EvalError(f"json.decode: at offset {error.pos}, {error.msg[:1].lower()}{error.msg[1:]}") from None
        raise EvalError(f"json.decode: {error or 'nested too deeply'}") from None


def _object(pairs: list[tuple[str, Any]]) -> Dict:
    made = Dict()
    for key, value in pairs:
        if key in made:
            raise ValueError(f"object has duplicate key: {quote(key)}")
        set_item(made, key, value)
    return made


def _refuse(text: str) -> Any:
    raise ValueError(f"unexpected character {quote(text[0])}")


class _Decoder(json.JSONDecoder):
    """Python's decoder making Starlark's values, with its laxness taken away."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=_object, parse_constant=_refuse, parse_int=_integer)

    def decode(self, s: str, _w: Any = None) -> Any:
        return _lists(super().decode(s))


def _integer(text: str) -> int:
    if len(text) > 4000:
        raise ValueError("number too large")
    return int(text)


def _lists(value: Any) -> Any:
    """Python's lists as ours, all the way down."""
    if type(value) is list:
        return List([_lists(item) for item in value])
    if type(value) is Dict:
        for key in value:
            value[key] = _lists(value[key])
    return value


_decoder = _Decoder()
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def indent(s: Any, /, *, prefix: str = "", indent: str = "\t") -> str:
    text = want_string(s, "indent", "s")
    charge(len(text) >> 1)
    out: list[str] = []
    depth = size = 0
    after = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        opening, closing = token in "{[", token in "}]"
        if closing:
            depth -= 1
        if (after and after in "{[," and not (closing and after in "{[")) or (closing and after not in "{["):
            line = "\n" + prefix + indent * depth
            out.append(line)
            size += len(line)
            charge_string(size if len(line) > 4096 else len(line))
        out.append(": " if token == ":" else token)
        if opening:
            depth += 1
        after = token
    return "".join(out)


def encode_indent(value: Any, /, *, prefix: str = "", indent: str = "\t") -> str:
    return _indent(encode(value), prefix=prefix, indent=indent)


_indent = indent


class Json(Value):
    """The ``json`` module."""

    __slots__ = ()
    type_name = "json"

    def get_attr(self, name: str) -> Any:
        try:
            return _FUNCTIONS[name]
        except KeyError:
            raise AttributeError(name) from None

    def attr_names(self) -> Iterable[str]:
        return _FUNCTIONS

    def to_repr(self) -> str:
        return '<module "json">'


_FUNCTIONS: dict[str, Any] = {
    "encode": builtin("encode")(encode),
    "decode": builtin("decode")(decode),
    "indent": builtin("indent")(indent),
    "encode_indent": builtin("encode_indent")(encode_indent),
}
json_module = Json()
