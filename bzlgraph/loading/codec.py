"""Packages as bytes and back: for the package cache and for packages that travel between processes.

Package -> marshal of plain data (``base/codec.py``) -> Package; marshal is some ten times faster than pickled object
graphs. A blob has five parts, each unpacked when it is needed: what is known of the package and the names, kinds and
classes of its targets, with the innermost calls that made these and which of them have selects; their edges, which a
graph is made of; the targets themselves, which most questions never look at, and which are read one by one; their
values that depend on the configuration (``configurable.py``); and how they are written (``written.py``). What many
targets share stands once, in tables: rule classes, frames of call stacks, attribute values; a value is decoded when
somebody asks for it. Each blob stands alone; rule classes that are equal become one object again when decoded.
"""

from __future__ import annotations

import marshal
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

from bzlgraph.base.codec import Codec, Plain, Special
from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame
from bzlgraph.bazel.model import Package, Rule, RuleClass, Selector, SelectorList, Target
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.stored import KINDS, PackageEdges, StoredTargets, has_selects, innermost_call
from bzlgraph.loading import configurable, written

if TYPE_CHECKING:
    from bzlgraph.graph.package_reader import PackageReader

_VALUES = (SelectorList, Selector)
"""What an attribute value may hold beside plain data and labels."""
_SINGLE = frozenset({NoneType, bool, int, str})


def _new_reader() -> PackageReader:
    from bzlgraph.graph.package_reader import PackageReader  # those who only decode do without

    return PackageReader()


@dataclass(slots=True)
class Encoder:
    """Turns packages into bytes; a rule class is encoded once for all of them."""

    classes: dict[RuleClass, bytes] = field(default_factory=dict)
    reader: PackageReader = field(default_factory=_new_reader)

    def encode(self, package: Package) -> bytes:
        """The package as bytes."""
        tables, all_targets = _EncodeTables(self.classes), package.targets.values()
        edges = self.reader.read(package)
        packed_edges = _packed(_EDGES.encode(edges) if edges is not None else None)
        del edges  # packed one after another, as each takes much memory
        targets = [_TARGET.encode(each, tables) for each in all_targets]
        frames = [_FRAME.encode(frame) for frame in tables.frames]
        kinds = bytes(KINDS[type(each)] for each in all_targets)
        numbers = array("H", [tables.rule_classes[each.rule_class] for each in package.rules()]).tobytes()
        classes = [self.classes[each] for each in tables.rule_classes]
        calls = dict[Frame, int]()
        called = [calls.setdefault(call, len(calls)) if call else -1 for call in map(innermost_call, all_targets)]
        innermost = marshal.dumps((array("i", called).tobytes(), list(map(_FRAME.encode, calls))))
        selects = bytes(map(has_selects, all_targets))
        plain = _PACKAGE.encode(package)
        head = _packed((plain, list(package.targets), kinds, numbers, classes, innermost, selects))
        packed_targets = _packed((targets, frames, list(tables.values)))
        chosen = configurable.packed(package.targets, targets, list(tables.configurable), tables.reading)
        how = written.packed(package.targets, targets, frames, plain[_DEFAULT_VISIBILITY])
        return marshal.dumps([head, packed_edges, packed_targets, chosen, how])


@dataclass(slots=True)
class Decoder:
    """Turns bytes into packages; equal rule classes and labels of all of them are shared."""

    classes: dict[bytes, RuleClass] = field(default_factory=dict)
    labels: dict[tuple[str, str, str], Label] = field(default_factory=dict)

    def package(self, data: bytes) -> Package:
        """The package behind ``Encoder.encode``'s bytes; its targets are read when somebody asks for one. Raises
        ValueError, EOFError, TypeError, KeyError or IndexError for other bytes."""
        head, edges, targets, chosen, how = marshal.loads(data)
        plain, names, kinds, numbers, encoded, calls, selects = _unpacked(head)
        classes = [self._rule_class(each) for each in encoded]
        of_rules = map(classes.__getitem__, array("H", numbers))
        of_each = {
            name: next(of_rules) if kind == NodeKind.RULE else None for name, kind in zip(names, kinds, strict=True)
        }
        package = _PACKAGE.decode(plain)
        package.targets = StoredTargets(
            kinds,
            of_each,
            partial(self._targets, targets, chosen, names, classes),
            partial(_edges, edges),
            partial(_calls, calls, names),
            selects,
            chosen,
            how,
        )
        return package

    def _targets(
        self, data: bytes, chosen: bytes, names: list[str], classes: list[RuleClass]
    ) -> Callable[[str], Target]:
        """What reads targets of a package, by name."""
        targets, frames, values = _unpacked(data)
        values += reversed(configurable.values_in(chosen))  # counted down from -1
        tables = _DecodeTables(
            self.labels, [_FRAME.decode(each) for each in frames], classes, values, [_UNREAD] * len(values)
        )
        plain = dict(zip(names, targets, strict=True))
        return lambda name: _TARGET.decode(plain[name], tables)

    def _rule_class(self, data: bytes) -> RuleClass:
        known = self.classes.get(data)
        if known is None:
            known = self.classes[data] = _RULE_CLASS.decode(marshal.loads(data), self)
        return known


@dataclass(slots=True)
class _EncodeTables:
    """The tables of one package while it is encoded: each thing by its number."""

    classes: dict[RuleClass, bytes]
    frames: dict[Frame, int] = field(default_factory=dict)
    rule_classes: dict[RuleClass, int] = field(default_factory=dict)
    values: dict[bytes, int] = field(default_factory=dict)
    configurable: dict[bytes, int] = field(default_factory=dict)
    """The values that depend on the configuration; where they are named they are counted down from -1."""
    shared: dict[int, int] = field(default_factory=dict)
    """Values that several targets may share, by their identity: the package holds them meanwhile."""
    single: dict[tuple[type, object], int] = field(default_factory=dict)
    """Values that are no collections, by type and value."""

    def reading(self, number: int, attribute: str) -> Plain:
        """How an attribute of a class, by its number here, is read, encoded."""
        from bzlgraph.graph.selects import reading_of  # those who only decode do without

        *how, default = reading_of(list(self.rule_classes)[number], attribute)
        return how, _VALUE.encode(default)


@dataclass(slots=True)
class _DecodeTables:
    """The tables of one decoded package; ``values`` are the bytes of those that nobody has asked for."""

    labels: dict[tuple[str, str, str], Label]
    frames: list[Frame]
    rule_classes: list[RuleClass]
    values: list[bytes]
    read: list[object]


_UNREAD = object()


class StoredValues(Mapping[str, Any]):
    """The attribute values of one decoded rule; behaves as the dict they were."""

    __slots__ = ("_numbers", "_tables")

    def __init__(self, numbers: dict[str, int], tables: _DecodeTables) -> None:
        self._numbers = numbers
        self._tables = tables

    def __getitem__(self, name: str) -> Any:
        number, tables = self._numbers[name], self._tables
        value = tables.read[number]
        if value is _UNREAD:
            value = tables.read[number] = _VALUE.decode(marshal.loads(tables.values[number]), tables)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return repr(dict(self))


def written_in(data: bytes) -> bytes:
    """How the targets of an encoded package are written (``written.py``)."""
    how: bytes = marshal.loads(data)[-1]
    return how


def configurable_in(data: bytes) -> bytes:
    """The values of an encoded package that depend on the configuration (``configurable.py``)."""
    chosen: bytes = marshal.loads(data)[-2]
    return chosen


def _label(data: tuple[str, str, str], tables: _DecodeTables | Decoder) -> Label:
    label = tables.labels.get(data)
    if label is None:
        label = Label(*data)
        tables.labels[label] = label
    return label


def _edges(data: bytes) -> PackageEdges | None:
    plain = _unpacked(data)
    return None if plain is None else _EDGES.decode(plain)


def _calls(data: bytes, names: list[str]) -> dict[str, Frame]:
    numbers, plain = marshal.loads(data)
    frames = [_FRAME.decode(each) for each in plain]
    called = zip(names, array("i", numbers), strict=True)
    return {name: frames[number] for name, number in called if number >= 0}


def _packed(plain: Plain) -> bytes:
    """A package repeats itself: a third of the size for a fiftieth of the time that evaluating them takes."""
    return zlib.compress(marshal.dumps(plain), 1)


def _unpacked(data: bytes) -> Plain:
    """Raises ValueError for bytes that ``_packed`` did not make."""
    try:
        return marshal.loads(zlib.decompress(data))
    except zlib.error as error:
        raise ValueError(str(error)) from None


def _number_of_class(rule_class: RuleClass, tables: _EncodeTables) -> int:
    if rule_class not in tables.classes:
        tables.classes[rule_class] = marshal.dumps(_RULE_CLASS.encode(rule_class))
    return tables.rule_classes.setdefault(rule_class, len(tables.rule_classes))


def _numbers_of_values(values: Mapping[str, Any], tables: _EncodeTables) -> Plain:
    return {name: _number_of_value(value, tables) for name, value in values.items()}


def _number_of_value(value: Any, tables: _EncodeTables) -> int:
    kind = type(value)
    if kind in _SINGLE:
        single = (kind, value)  # 1 is no True
        number = tables.single.get(single)
        if number is None:
            number = tables.single[single] = tables.values.setdefault(marshal.dumps(value), len(tables.values))
        return number
    if kind not in _VALUES:
        return tables.values.setdefault(marshal.dumps(_VALUE.encode(value)), len(tables.values))
    known = tables.shared.get(id(value))
    if known is None:
        plain = marshal.dumps(_VALUE.encode(value))
        known = tables.shared[id(value)] = ~tables.configurable.setdefault(plain, len(tables.configurable))
    return known


_LABEL: dict[object, Special] = {Label: Special(lambda label, _: tuple(label), _label)}
_SHARED: dict[object, Special] = {
    **_LABEL,
    Frame: Special(
        lambda frame, tables: tables.frames.setdefault(frame, len(tables.frames)),
        lambda number, tables: tables.frames[number],
    ),
    RuleClass: Special(_number_of_class, lambda number, tables: tables.rule_classes[number]),
    (Rule, "values"): Special(_numbers_of_values, StoredValues),
}
_FRAME = Codec(Frame)
_VALUE = Codec(object, _VALUES, Label, _LABEL)
_RULE_CLASS = Codec(RuleClass, _VALUES, Label, _LABEL)
_TARGET: Codec[Target] = Codec(cast(type[Target], Target), _VALUES, Label, _SHARED)
_EDGES = Codec(PackageEdges)
_NO_TARGETS = Special(lambda _targets, _context: None, lambda _none, _context: {})
_PACKAGE = Codec(Package, _VALUES, Label, {(Package, "targets"): _NO_TARGETS})
"""A package but for its targets."""
_DEFAULT_VISIBILITY = [each.name for each in fields(Package)].index("default_visibility")
