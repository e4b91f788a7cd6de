"""``json.encode``, ``json.decode``, ``json.indent`` and ``json.encode_indent``, as Bazel has them.

>>> from bzlgraph.starlark.values import List
>>> encode(List([1, "é", None, True])), decode("[1, 2.0]")
('[1,"é",null,true]', [1, 2.0])
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.checks import want_string
from bzlgraph.starlark.evaluation.budget import LOOK, charge, charge_string
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.lib.struct import Namespace, Struct
from bzlgraph.starlark.printing import float_repr, int_repr, quote
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, List, set_item, type_name

MAX_DEPTH = 500
_MISSING = object()

_Member = tuple[str, str, object]
"""(text before the value, where it stands in words, the value)"""


@dataclass(slots=True)
class _Open:
    """A container whose members are being written."""

    members: Iterator[_Member]
    closing: str
    where: str = ""


def encode(value: object, /) -> str:
    """The value as JSON. A loop, not a recursion: hostile values nest without end."""
    out: list[str] = []
    stack: list[_Open] = []
    try:
        _add(value, out, stack)
        while stack:
            level = stack[-1]
            member = next(level.members, None)
            if member is None:
                out.append(level.closing)
                stack.pop()
                continue
            before, level.where, item = member
            out.append(before)
            if len(stack) > MAX_DEPTH:
                raise EvalError("the value is nested too deeply to be encoded as JSON")
            _add(item, out, stack)
    except EvalError as error:
        path = "".join(f"{level.where}: " for level in stack)
        raise EvalError(f"{path}{error.message}") from None
    return "".join(out)


def _add(value: object, out: list[str], stack: list[_Open]) -> None:
    """Write a scalar, or open a container."""
    charge(2 * LOOK)
    if value is None or type(value) is bool:
        out.append({None: "null", True: "true", False: "false"}[value])
    elif type(value) is int:
        out.append(int_repr(value))
    elif type(value) is float:
        if not math.isfinite(value):
            raise EvalError(f"cannot encode non-finite float {float_repr(value)}")
        out.append(float_repr(value))
    elif type(value) is str:
        _add_string(value, out)
    elif isinstance(value, dict):
        _open(_dict_members(value), "{}", out, stack)
    elif isinstance(value, Struct):
        _open([(f"struct field .{name}", name, value.fields[name]) for name in sorted(value.fields)], "{}", out, stack)
    elif isinstance(value, (list, tuple, range, Value)):
        stand_in = value.stand_in(str) if isinstance(value, Value) else NotImplemented
        if stand_in is not NotImplemented:
            _add_string(stand_in, out)
            return
        what = type_name(value)
        _open(((f"{what} index {at}", None, item) for at, item in enumerate(_items(value))), "[]", out, stack)
    else:
        raise EvalError(f"cannot encode {type_name(value)} as JSON")


def _add_string(value: str, out: list[str]) -> None:
    text = json.dumps(value, ensure_ascii=False)
    charge_string(len(text))
    out.append(text)


def _open(members: Iterable[tuple[str, str | None, object]], brackets: str, out: list[str], stack: list[_Open]) -> None:
    """Open a container; ``members`` are (where in words, key or None, value)."""

    def written() -> Iterator[_Member]:
        separator = ""
        for where, key, item in members:
            name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}:"
            yield separator + name, f"at {where}" if key is None else f"in {where}", item
            separator = ","

    out.append(brackets[0])
    stack.append(_Open(written(), brackets[1]))


def _dict_members(value: dict[object, object]) -> list[tuple[str, str, object]]:
    members = []
    for key in value:
        if type(key) is not str:
            raise EvalError(f"dict has {type_name(key)} key, want string")
        members.append((f"dict key {quote(key)}", key, value[key]))
    return sorted(members, key=itemgetter(1))


def _items(value: list[object] | tuple[object, ...] | range | Value) -> Iterable[object]:
    if not isinstance(value, Value):
        return value
    try:
        return list(value.iterate())
    except EvalError:
        raise EvalError(f"cannot encode {type_name(value)} as JSON") from None


def decode(x: object, /, default: object = _MISSING) -> object:
    """The value of a JSON text. EvalError for a bad one, unless there is a default."""
    if isinstance(x, Value) and (whole := x.converted("json.decode")) is not NotImplemented:
        return whole
    text = want_string(x, "decode", "x")
    charge(len(text))
    try:
        return _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        if default is not _MISSING:
            return default
        if isinstance(error, json.JSONDecodeError):
            raise EvalError(f"json.decode: at offset {error.pos}, {error.msg[:1].lower()}{error.msg[1:]}") from None
        raise EvalError(f"json.decode: {str(error) or 'nested too deeply'}") from None


def _object(pairs: list[tuple[str, object]]) -> Dict:
    made = Dict()
    for key, value in pairs:
        if key in made and language().json_keys_once:
            raise ValueError(f"object has duplicate key: {quote(key)}")
        set_item(made, key, value)
    return made


def _refuse(text: str) -> object:
    raise ValueError(f"unexpected character {quote(text[0])}")


class _Decoder(json.JSONDecoder):
    """Python's decoder making Starlark's values, with its laxness taken away."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=_object, parse_constant=_refuse, parse_int=_integer)

    def decode(self, s: str, _w: object = None) -> object:
        """The value of a JSON text. EvalError for a bad one, unless there is a default."""
        return _lists(super().decode(s))


def _integer(text: str) -> int:
    if len(text) > 4000:
        raise ValueError("number too large")
    return int(text)


def _lists(value: object) -> object:
    """Python's lists as ours, all the way down."""
    if type(value) is list:
        return List([_lists(item) for item in value])
    if type(value) is Dict:
        for key in value:
            value[key] = _lists(value[key])
    return value


_decoder = _Decoder()
_TOKEN = re.compile(
    r'"(?:[^"\\]|\\u.{4}|\\[^u])*"|n.{3}|t.{3}|f.{4}|[0-9-][0-9.eE+-]*+(?=.)|[\[\]{},:]', re.DOTALL | re.ASCII
)
"""A token as Bazel's indent() takes it on trust: of ``null`` it looks at the first letter, and behind a number it wants
something."""
_SPACE = re.compile("[ \t\n\r]*")


def indent(s: object, /, *, prefix: object = "", indent: object = "\t") -> str:
    """A JSON text over several lines, one member on each; what follows its first value is left out."""
    text, begin = want_string(s, "indent", "s"), "\n" + want_string(prefix, "indent", "prefix")
    step = want_string(indent, "indent", "indent")
    charge(len(text) >> 1)
    out: list[str] = []
    depth = at = size = 0
    while depth > 0 or not out:
        token, at = _token(text, at)
        line = ""
        if token in "[{":
            closing = text[_next(text, at)]
            if closing in "]}":
                token, at = token + closing, _next(text, at) + 1
            else:
                depth += 1
                line = begin + step * depth
        elif token in "]}":
            depth -= 1
            token = begin + step * depth + token
        elif token == ",":
            line = begin + step * depth
        out += (": " if token == ":" else token, line)
        size += len(token) + len(line)
        charge_string(size if len(line) > 4096 else len(line))
    return "".join(out)


def _next(text: str, at: int) -> int:
    """Where the next token begins. EvalError for none."""
    found = _SPACE.match(text, at)
    if found is None or found.end() == len(text):
        raise EvalError("unexpected end of file")
    return found.end()


def _token(text: str, at: int) -> tuple[str, int]:
    """The next token, and where it ends. EvalError for what is none."""
    at = _next(text, at)
    found = _TOKEN.match(text, at)
    if found is not None:
        return found[0], found.end()
    known = text[at] in '"ntf-0123456789'
    raise EvalError("input is not valid JSON" if known else f"unexpected character {quote(text[at])}")


def encode_indent(value: object, /, *, prefix: object = "", indent: object = "\t") -> str:
    """``indent`` of ``encode``."""
    want_string(prefix, "encode_indent", "prefix")
    want_string(indent, "encode_indent", "indent")
    return _indent(encode(value), prefix=prefix, indent=indent)


_indent = indent


class Json(Namespace):
    """The ``json`` module."""

    __slots__ = ()
    type_name = "json"

    def hashable(self) -> bool:
        return False

    def to_repr(self) -> str:
        return '<module "json">'


json_module = Json({each.__name__: builtin(each.__name__)(each) for each in (encode, decode, indent, encode_indent)})
