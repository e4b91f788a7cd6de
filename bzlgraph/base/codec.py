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

Theory of operation: a class is turned into the text of a Python function for each way that is used, once, which is
compiled. A field of a plain type costs nothing but its place in a tuple. This is as fast as functions written by hand
and cannot forget a field: whoever adds one changes nothing here.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache, cached_property, reduce
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

    def encode(self, value: T, context: object = None) -> Plain:
        """The plain form of a value. Raises TypeError for one that has none."""
        return self._encode(value, context)

    def decode(self, plain: Plain, context: object = None) -> T:
        """The value of a plain form. Raises ValueError, TypeError, KeyError or IndexError for that of another type."""
        value: T = self._decode(plain, context)
        return value

    # Compiled when something is coded for the first time: most questions need few of the codecs there are, and one way.

    @cached_property
    def _encode(self) -> Coder:
        return _Encoding(self._records, self._bare, self._special).of(self._kind)

    @cached_property
    def _decode(self) -> Coder:
        return _Decoding(self._records, self._bare, self._special).of(self._kind)


class _Coding(ABC):
    """What codes one way: the functions of types, each made when a type first needs it."""

    way: _Way

    def __init__(self, records: Sequence[type], bare: type | None, special: Mapping[object, Special]) -> None:
        self._special = special
        self._coders: dict[object, str] = {Any: "any", object: "any"}
        self._names: dict[str, Any] = {"code_any": self._any}
        self._bare = bare
        self._of_bare = self.of(bare) if bare is not None else None
        self._records = [(each, self.of(each)) for each in records]

    def of(self, kind: object) -> Coder:
        """A function that codes values of a type."""
        coder = None if _is_plain(kind) else self._coder(kind)
        known: Coder | None = self._names.get(f"code_{coder}")  # not yet of one that holds itself
        return known or self._function(self._coding(kind, "v"))

    @abstractmethod
    def _any(self, value: Any, context: object) -> Any:
        """Codes where anything may stand: a value itself says what it is."""

    @abstractmethod
    def _union(self, plain: Container[type], coders: Sequence[tuple[type, Coder]]) -> Coder:
        """Codes a value of one of several classes, or a plain one."""

    @abstractmethod
    def _enum(self, kind: type[Enum], value: str) -> str: ...

    @abstractmethod
    def _flat(self, kind: type, value: str) -> str:
        """Codes a NamedTuple of plain fields."""

    @abstractmethod
    def _record(self, kind: type, fields: Sequence[tuple[Any, str]]) -> Coder:
        """Codes a record by the types and names of its fields."""

    def _coding(self, kind: Any, value: str) -> str:
        """The text of an expression that codes what ``value``, a name or an attribute, stands for."""
        if _is_plain(kind):
            return value
        coder = self._coder(kind)
        if coder is not None:
            return f"code_{coder}({value}, c)"
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            some = reduce(or_, (each for each in inner if each is not NoneType))
            return f"(None if {value} is None else {self._coding(some, value)})"
        if origin is tuple and inner[-1] is not Ellipsis and not all(map(_is_plain, inner)):
            return _tuple(self._coding(each, f"{value}[{at}]") for at, each in enumerate(inner))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            key, item = (self._coding(each, name) for each, name in zip(inner, ("k", "i"), strict=True))
            return f"{{{key}: {item} for k, i in {value}.items()}}"
        if origin in (list, tuple):
            item = self._coding(inner[0], "i")  # or all of them are plain
            return f"{origin.__name__}([{item} for i in {value}])" if item != "i" else f"{origin.__name__}({value})"
        if isinstance(kind, type) and issubclass(kind, Enum):
            return self._enum(kind, value)
        if _is_record(kind):
            return self._flat(kind, value)
        raise TypeError(f"{kind} has no plain form")

    def _coder(self, kind: Any) -> str | None:
        """The name of the function that codes a type; None for one whose coding is written where it stands."""
        if kind not in self._coders:
            if kind in self._special:
                self._add(kind, getattr(self._special[kind], self.way))
            elif get_origin(kind) in (Union, UnionType):
                members = get_args(kind)
                if len(members) < 2 or NoneType in members:
                    return None
                classes = [(each, self.of(each)) for each in members if each not in _PLAIN]
                self._add(kind, self._union(frozenset(each for each in members if each in _PLAIN), classes))
            elif _is_record(kind):
                hints = _hints(kind)
                if issubclass(kind, tuple) and all(map(_is_plain, hints.values())):
                    return None
                self._coders[kind] = str(len(self._coders))  # before its fields are looked at: it may hold itself
                fields = [
                    ((kind, each) if (kind, each) in self._special else hints[each], each) for each in _fields(kind)
                ]
                self._add(kind, self._record(kind, fields))
            else:
                return None
        return self._coders[kind]

    def _add(self, kind: object, coder: Coder) -> None:
        self._names[f"code_{self._coders.setdefault(kind, str(len(self._coders)))}"] = coder

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


class _Encoding(_Coding):
    """Values -> plain data."""

    way = "encode"

    def __init__(self, records: Sequence[type], bare: type | None, special: Mapping[object, Special]) -> None:
        super().__init__(records, bare, special)
        self._encoders = {kind: (number, encode) for number, (kind, encode) in enumerate(self._records)}

    def _union(self, plain: Container[type], coders: Sequence[tuple[type, Coder]]) -> Coder:
        encoders = {kind: (number, encode) for number, (kind, encode) in enumerate(coders)}

        def encode(value: object, context: object) -> Plain:
            if type(value) in plain:
                return value
            number, encoder = encoders[type(value)]
            return number, encoder(value, context)

        return encode

    def _enum(self, kind: type[Enum], value: str) -> str:
        return f"{value}.value"

    def _flat(self, kind: type, value: str) -> str:
        return f"tuple({value})"

    def _record(self, kind: type, fields: Sequence[tuple[Any, str]]) -> Coder:
        return self._function(_tuple(self._coding(hint, f"v.{name}") for hint, name in fields))

    def _any(self, value: Any, context: object) -> Plain:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is self._bare and self._of_bare is not None:
            return self._of_bare(value, context)
        if kind in self._encoders:
            number, encode = self._encoders[kind]
            return number, encode(value, context)
        if isinstance(value, list):
            return self._all(value, context)
        if isinstance(value, dict):
            return {self._any(key, context): self._any(each, context) for key, each in value.items()}
        if kind is tuple:
            return _TUPLE, self._all(value, context)
        raise TypeError(f"a {kind.__name__} has no plain form")

    def _all(self, values: Iterable[Any], context: object) -> list[Plain]:
        """Codes each of them; nearly all are bare records or plain."""
        bare, of_bare, code = self._bare, self._of_bare, self._any
        if of_bare is None:
            return [code(each, context) for each in values]
        return [of_bare(each, context) if type(each) is bare else code(each, context) for each in values]


class _Decoding(_Coding):
    """Plain data -> values."""

    way = "decode"

    def __init__(self, records: Sequence[type], bare: type | None, special: Mapping[object, Special]) -> None:
        super().__init__(records, bare, special)
        self._decoders = [decode for _, decode in self._records]

    def _union(self, plain: Container[type], coders: Sequence[tuple[type, Coder]]) -> Coder:
        decoders = [decode for _, decode in coders]

        def decode(data: Plain, context: object) -> object:
            return decoders[data[0]](data[1], context) if type(data) is tuple else data

        return decode

    def _enum(self, kind: type[Enum], value: str) -> str:
        return f"{self._name(kind._value2member_map_)}[{value}]"

    def _flat(self, kind: type, value: str) -> str:
        return f"{self._name(kind)}(*{value})"

    def _record(self, kind: type, fields: Sequence[tuple[Any, str]]) -> Coder:
        decoded = ", ".join(self._coding(hint, f"v_{name}") for hint, name in fields)
        unpack = "".join(f"v_{name}, " for _, name in fields)
        return self._function(f"{self._name(kind)}({decoded})", f"{unpack}= v")

    def _any(self, data: Plain, context: object) -> Any:
        kind = type(data)
        if kind is list:
            return [self._any(each, context) for each in data]
        if kind is dict:
            return {self._any(key, context): self._any(each, context) for key, each in data.items()}
        if kind is not tuple:
            return data
        number = data[0]
        if type(number) is str and self._of_bare is not None:
            return self._of_bare(data, context)
        if number == _TUPLE:
            return tuple([self._any(each, context) for each in data[1]])
        return self._decoders[number](data[1], context)


def _is_plain(kind: Any) -> bool:
    members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return all(each in _PLAIN for each in members)


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """The types of a record's fields: which are texts, and are evaluated once for all codecs."""
    return get_type_hints(kind)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))


def _fields(kind: Any) -> Sequence[str]:
    """The fields of a record, in the order in which its class takes them."""
    names: Sequence[str] = getattr(kind, "_fields", ())
    return names or [each.name for each in dataclasses.fields(kind) if each.init]


def _tuple(items: Iterable[str]) -> str:
    return f"({''.join(f'{each}, ' for each in items)})"
