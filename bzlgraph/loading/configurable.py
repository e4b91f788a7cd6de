"""The values of a package that depend on the configuration: a part of an encoded package of its own.

``packed`` takes them from targets that are encoded already (``codec.py``); ``Configurable`` reads one rule's, without
the rest of the package and without what decodes that. Rows stand in the order of the names of the rules that have such
values: (number of how its attribute is read, number of the value) of each, in the order of its attributes.

This module is imported before anything heavy is: nothing but built-in modules and what is as light here.
"""

from __future__ import annotations

import marshal
import zlib

from bzlgraph.base.resolved_label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.condition import Condition, Selector, SelectorList
from bzlgraph.bazel.selects import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

_LIST, _SELECT, _TUPLE = 0, 1, -1
"""How ``base.codec`` tells apart what may stand anywhere: the numbers of classes of values, and of a tuple."""
_new = tuple.__new__
"""What ``Label(...)`` does, for tens of thousands."""
_RULE = 0
"""The number of rules among classes of targets, as encoded ones have them."""


def packed(
    names: Iterable[str], targets: Iterable[Any], values: list[bytes], reading: Callable[[int, str], Any]
) -> bytes:
    """The values and rows of encoded targets. ``values``: all that are conditional, encoded, by the numbers that
    targets have for them, which are counted down from -1. ``reading``: how an attribute of a class, by its number, is
    read, encoded."""
    readings: dict[tuple[int, str], int] = {}
    rows: list[tuple[str, list[tuple[int, int]]]] = []
    for target, (kind, fields) in zip(names, targets, strict=True):
        if kind == _RULE and (own := [each for each in fields[2].items() if each[1] < 0]):
            row = [(readings.setdefault((fields[1], name), len(readings)), ~number) for name, number in own]
            rows.append((target, row))
    read = [reading(*each) for each in readings]
    return zlib.compress(marshal.dumps(([row for _, row in sorted(rows)], read, values)), 1)


def values_in(data: bytes) -> list[bytes]:
    """The values that ``packed`` was given. Raises ValueError for other bytes."""
    values: list[bytes] = _unpacked(data)[2]
    return values


class Configurable:
    """What ``packed`` made. Raises ValueError for other bytes.

    ``shared``: what several of them have read, by the bytes of it; macros give one ``select()`` to many packages.
    """

    def __init__(self, data: bytes, shared: dict[bytes, Any] | None = None) -> None:
        self._rows, readings, self._values = _unpacked(data)
        self._shared = {} if shared is None else shared
        self._readings = [self._once(marshal.dumps(each), _reading) for each in readings]

    def __len__(self) -> int:
        return len(self._rows)

    def values(self, number: int) -> Iterator[tuple[Reading, object]]:
        """The values of a rule. ``number``: that of its name among those of the rules that have some, in order."""
        for reading, value in self._rows[number]:
            yield self._readings[reading], self._once(self._values[value], value_of)

    def _once(self, data: bytes, read: Callable[[Any], Any]) -> Any:
        """What is read of these bytes, one object each time."""
        if data not in self._shared:
            self._shared[data] = read(marshal.loads(data))
        return self._shared[data]


def _reading(plain: Any) -> Reading:
    how, default = plain
    return Reading._make((*how, value_of(default)))


def value_of(plain: Any) -> object:
    """The value of an attribute, as ``codec.py`` encodes it: what its ``Codec`` makes of it takes longer to be
    imported."""
    kind = type(plain)
    if kind is list:
        return list(map(value_of, plain))
    if kind is dict:
        return {value_of(key): value_of(each) for key, each in plain.items()}
    if kind is not tuple:
        return plain
    first = plain[0]
    if type(first) is str:
        return _new(Label, plain)
    if first == _TUPLE:
        return tuple(map(value_of, plain[1]))
    fields = plain[1]
    if first == _LIST:
        return SelectorList(tuple(map(value_of, fields[0])))
    branches, message, place = fields
    pairs = [(_condition(*condition), value_of(value)) for condition, value in branches]
    return Selector(tuple(pairs), message, Location(*place) if place is not None else None)


def _condition(label: tuple[str, str, str] | None, unknown: str) -> Condition:
    return Condition(Label(*label) if label is not None else None, unknown)


def _unpacked(data: bytes) -> Any:
    try:
        return marshal.loads(zlib.decompress(data))
    except (zlib.error, EOFError, TypeError) as error:
        raise ValueError(str(error)) from None
