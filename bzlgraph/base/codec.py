"""Values of declared types as plain data that ``marshal`` writes, and back: driven by the fields of their classes.

>>> from bzlgraph.base.gap import Gap
>>> from bzlgraph.base.span import Location
>>> codec = Codec(Gap)
>>> plain = codec.encode(Gap("load", "//:x.bzl", "its names", Location("BUILD", 1, 1)))
>>> plain
('load', '//:x.bzl', 'its names', ('BUILD', 1, 1), '')
>>> codec.decode(plain).location
Location(path='BUILD', line=1, column=1)

Rules
- A dataclass or a NamedTuple is the tuple of its fields in the order of their declaration; an Enum is its value.
- ``X | None`` is what X is, or None. A value of one of several classes is (number of its class, plain form).
- Lists, tuples and mappings hold the plain forms of what they hold.
- Where anything may stand (``Any``, ``object``) a record is (number, plain form) by the codec's list of ``records``, a
  tuple is (-1, list), and a record of the class ``bare`` is the tuple of its fields, of which the first is a text.
- ``special`` says how a type, or a field as (class, name), is coded that has its own way. Its functions, as all that
  are generated, take the ``context`` of the call too.

Theory of operation: a class is turned into the text of two Python functions, once, which are compiled. A field of a
plain type costs nothing but its place in a tuple. This is as fast as functions written by hand and cannot forget a
field: whoever adds one changes nothing here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Plain = Any
"""What marshal accepts: None, bool, int, float, str, bytes, tuple, list, dict of these."""
Coder = Callable[[Any, Any], Any]
"""``coder(value, context)``"""
_Way = Literal["encode", "decode"]

_PLAIN = frozenset({NoneType, bool, int, float, str, bytes})
_TUPLE = -1


class Special(NamedTuple):
    """How something is coded that has its own way."""

    encode: Coder
    decode: Coder


class Codec(Generic[T]):
    """Codes values of the type ``kind``; the first use raises TypeError when a type in it has no plain form."""

    def __init__(
        self,
        kind: type[T],
        records: Sequence[type] = (),
        bare: type | None = None,
        special: Mapping[object, Special] | None = None,
    ) -> None:
        self._kind = kind
        self._records = records
        self._bare = bare
        self._special = special or {}
        self._coders: dict[object, str] = {Any: "any", object: "any"}
        self._names: dict[str, Any] = {"encode_any": self._encode_any, "decode_any": self._decode_any}

    def encode(self, value: T, context: object = None) -> Plain:
        """The plain form of a value. Raises TypeError for one that has none."""
        return self._functions.encode(value, context)

    def decode(self, plain: Plain, context: object = None) -> T:
        """The value of a plain form. Raises ValueError, TypeError, KeyError or IndexError for that of another type."""
        value: T = self._functions.decode(plain, context)
        return value

    @cached_property
    def _functions(self) -> Special:
        """Compiled when something is coded for the first time: most questions need few of the codecs there are."""
        self._of_bare = Special(*self._both(self._bare)) if self._bare is not None else None
        pairs = [self._both(each) for each in self._records]
        self._encoders = {each: (number, pairs[number][0]) for number, each in enumerate(self._records)}
        self._decoders = [decode for _, decode in pairs]
        return Special(*self._both(self._kind))

    def _both(self, kind: object) -> tuple[Coder, Coder]:
        return self._function(self._coding("encode", kind, "v")), self._function(self._coding("decode", kind, "v"))

    def _coding(self, way: _Way, kind: Any, value: str) -> str:
        """The text of an expression that codes what ``value``, a name or an attribute, stands for."""
        if self._is_plain(kind):
            return value
        coder = self._coder(kind)
        if coder is not None:
            return f"{way}_{coder}({value}, c)"
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            some = reduce(or_, (each for each in inner if each is not NoneType))
            return f"(None if {value} is None else {self._coding(way, some, value)})"
        if origin is tuple and inner[-1] is not Ellipsis and not all(map(self._is_plain, inner)):
            return _tuple(self._coding(way, each, f"{value}[{at}]") for at, each in enumerate(inner))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            key, item = (self._coding(way, each, name) for each, name in zip(inner, ("k", "i"), strict=True))
            return f"{{{key}: {item} for k, i in {value}.items()}}"
        if origin in (list, tuple):
            item = self._coding(way, inner[0], "i")  # or all of them are plain
            return f"{origin.__name__}([{item} for i in {value}])" if item != "i" else f"{origin.__name__}({value})"
        if isinstance(kind, type) and issubclass(kind, Enum):
            return f"{value}.value" if way == "encode" else f"{self._name(kind._value2member_map_)}[{value}]"
        if _is_record(kind):  # a NamedTuple of plain fields
            return f"tuple({value})" if way == "encode" else f"{self._name(kind)}(*{value})"
        raise TypeError(f"{kind} has no plain form")

    def _is_plain(self, kind: Any) -> bool:
        members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        return all(each in _PLAIN for each in members)

    def _coder(self, kind: Any) -> str | None:
        """The name of the two functions that code a type; None for one whose coding is written where it stands."""
        if kind not in self._coders:
            if kind in self._special:
                self._add(kind, *self._special[kind])
            elif get_origin(kind) in (Union, UnionType):
                members = get_args(kind)
                if len(members) < 2 or NoneType in members:
                    return None
                self._add(kind, *self._of_union(members))
            elif _is_record(kind):
                hints = get_type_hints(kind)
                if issubclass(kind, tuple) and all(map(self._is_plain, hints.values())):
                    return None
                self._add_record(kind, hints)
            else:
                return None
        return self._coders[kind]

    def _add(self, kind: object, encode: Coder, decode: Coder) -> None:
        name = self._coders.setdefault(kind, str(len(self._coders)))
        self._names[f"encode_{name}"], self._names[f"decode_{name}"] = encode, decode

    def _add_record(self, kind: Any, hints: Mapping[str, Any]) -> None:
        self._coders[kind] = str(len(self._coders))  # before its fields are looked at: it may hold itself
        fields = [((kind, name) if (kind, name) in self._special else hints[name], name) for name in _fields(kind)]
        encoded = _tuple(self._coding("encode", hint, f"v.{name}") for hint, name in fields)
        decoded = ", ".join(self._coding("decode", hint, f"v_{name}") for hint, name in fields)
        unpack = "".join(f"v_{name}, " for _, name in fields)
        self._add(kind, self._function(encoded), self._function(f"{self._name(kind)}({decoded})", f"{unpack}= v"))

    def _of_union(self, members: Sequence[Any]) -> tuple[Coder, Coder]:
        plain = frozenset(each for each in members if each in _PLAIN)
        classes = [each for each in members if each not in _PLAIN]
        pairs = [self._both(each) for each in classes]
        encoders = {each: (number, pairs[number][0]) for number, each in enumerate(classes)}
        decoders = [decode for _, decode in pairs]

        def encode(value: object, context: object) -> Plain:
            if type(value) in plain:
                return value
            number, encoder = encoders[type(value)]
            return number, encoder(value, context)

        def decode(data: Plain, context: object) -> object:
            return decoders[data[0]](data[1], context) if type(data) is tuple else data

        return encode, decode

    def _name(self, value: object) -> str:
        """A name of generated code for a value of ours."""
        name = f"g{len(self._names)}"
        self._names[name] = value
        return name

    def _function(self, result: str, first: str = "pass") -> Coder:
        name = f"g{len(self._names)}"
        exec(f"def {name}(v, c):\n    {first}\n    return {result}", self._names)
        made: Coder = self._names[name]
        return made

    # Where anything may stand, a value itself says what it is.

    def _encode_any(self, value: Any, context: object) -> Plain:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is self._bare and self._of_bare is not None:
            return self._of_bare.encode(value, context)
        if kind in self._encoders:
            number, encode = self._encoders[kind]
            return number, encode(value, context)
        if isinstance(value, list):
            return [self._encode_any(each, context) for each in value]
        if isinstance(value, dict):
            return {self._encode_any(key, context): self._encode_any(each, context) for key, each in value.items()}
        if kind is tuple:
            return _TUPLE, [self._encode_any(each, context) for each in value]
        raise TypeError(f"a {kind.__name__} has no plain form")

    def _decode_any(self, data: Plain, context: object) -> Any:
        kind = type(data)
        if kind is list:
            return [self._decode_any(each, context) for each in data]
        if kind is dict:
            return {self._decode_any(key, context): self._decode_any(each, context) for key, each in data.items()}
        if kind is not tuple:
            return data
        number = data[0]
        if type(number) is str and self._of_bare is not None:
            return self._of_bare.decode(data, context)
        if number == _TUPLE:
            return tuple([self._decode_any(each, context) for each in data[1]])
        return self._decoders[number](data[1], context)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))


def _fields(kind: Any) -> Sequence[str]:
    """The fields of a record, in the order in which its class takes them."""
    names: Sequence[str] = getattr(kind, "_fields", ())
    return names or [each.name for each in dataclasses.fields(kind) if each.init]


def _tuple(items: Iterable[str]) -> str:
    return f"({''.join(f'{each}, ' for each in items)})"
