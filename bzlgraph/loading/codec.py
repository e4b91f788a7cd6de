"""Packages as bytes and back: for the package cache and for packages that travel between processes.

Package -> marshal of plain tuples -> Package. marshal is some ten times faster than pickled object graphs.
Tuples mark what is not a plain value: (repo, package, name) is a label, ("S", ...) a ``SelectorList``, ("s", ...) a
``Selector``. Attribute values are kept as bytes of their own, equal ones once, and decoded when somebody asks: most
questions never look at copts. Each blob stands alone; rule classes that are equal become one object again when
decoded.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bzlgraph.base.diagnostic import Diagnostic, Note
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame, Location, Position, Span
from bzlgraph.bazel.model import (
    Aspect,
    Attribute,
    AttrType,
    BuildSettingKind,
    Condition,
    Generator,
    OutputFile,
    Package,
    PackageGroup,
    Rule,
    RuleClass,
    Selector,
    SelectorList,
    SourceFile,
    Target,
)

Plain = Any
"""What marshal accepts: None, bool, int, float, str, bytes, tuple, list, dict of these."""


@dataclass(slots=True)
class Encoder:
    """Turns packages into bytes; a rule class is encoded once for all of them."""

    _class_data: dict[RuleClass, bytes] = field(default_factory=dict)

    def encode(self, package: Package) -> bytes:
        """The package as bytes."""
        return marshal.dumps(_Tables(self).package(package))

    def rule_class(self, rule_class: RuleClass) -> bytes:
        """A rule class as bytes."""
        known = self._class_data.get(rule_class)
        if known is None:
            known = self._class_data[rule_class] = _encode_class(rule_class)
        return known


@dataclass(slots=True)
class Decoder:
    """Turns bytes into packages; equal rule classes, labels and frames of all of them are shared."""

    _classes: dict[bytes, RuleClass] = field(default_factory=dict)
    _labels: dict[tuple[str, str, str], Label] = field(default_factory=dict)

    def package(self, data: bytes) -> Package:
        """The package behind ``Encoder.encode``'s bytes. Raises ValueError, EOFError or TypeError for other bytes."""
        parts = marshal.loads(data)
        repo, name, build, frames, classes, table, targets, visibility, defaults, bzl, problems, gaps, broken = parts
        values = _ValueTable(table, self)
        places = [Frame(function, Location(*place)) for function, place in frames]
        known = [self._rule_class(each) for each in classes]
        made = (self._target(each, places, known, values) for each in targets)
        return Package(
            repo,
            name,
            self._label(build),
            {target.label.name: target for target in made},
            self._values(visibility),
            {key: self.value(value) for key, value in defaults.items()},
            tuple(self._label(each) for each in bzl),
            [_decode_diagnostic(each) for each in problems],
            [Gap(kind, what, hides, _location(place)) for kind, what, hides, place in gaps],
            broken,
        )

    def _target(self, data: Plain, frames: list[Frame], classes: list[RuleClass], table: _ValueTable) -> Target:
        tag, label, rest = data[0], self._label(data[1]), data[2:]
        if tag == "r":
            class_index, indexes, stack, outputs, generator, visibility, macros = rest
            return Rule(
                label,
                classes[class_index],
                StoredValues(indexes, table),
                tuple([frames[index] for index in stack]),
                tuple([self._label(each) for each in outputs]),
                Generator(generator[0], generator[1], Location(*generator[2])) if generator else None,
                self._values(visibility),
                macros,
            )
        if tag == "s":
            return SourceFile(label, Location(*rest[0]), self._values(rest[1]))
        if tag == "o":
            return OutputFile(label, self._label(rest[0]), Location(*rest[1]), rest[2])
        packages, includes, place = rest
        return PackageGroup(label, packages, tuple(self._label(each) for each in includes), Location(*place))

    def _label(self, data: tuple[str, str, str]) -> Label:
        label = self._labels.get(data)
        if label is None:
            label = self._labels[data] = Label(*data)
        return label

    def _values(self, data: Plain) -> Any:
        return None if data is None else tuple([self.value(each) for each in data])

    def value(self, data: Plain) -> Any:
        """An attribute value from its plain form."""
        kind = type(data)
        if kind is list:
            return [self.value(each) for each in data]
        if kind is dict:
            return {self.value(key): self.value(value) for key, value in data.items()}
        if kind is not tuple:
            return data
        if data[0] == "S" and len(data) == 2:
            return SelectorList(tuple(self.value(each) for each in data[1]))
        if data[0] == "s" and len(data) == 4:
            branches = tuple(
                (Condition(self._label(label) if label else None, unknown), self.value(value))
                for label, unknown, value in data[1]
            )
            return Selector(branches, data[2], _location(data[3]))
        return self._label(data)

    def _rule_class(self, data: bytes) -> RuleClass:
        known = self._classes.get(data)
        if known is None:
            name, attributes, bzl, test, executable, unknown, setting, genfiles, stack = marshal.loads(data)
            known = self._classes[data] = RuleClass(
                name,
                self._attributes(attributes),
                self._label(bzl) if bzl else None,
                test,
                executable,
                unknown,
                None if setting is None else BuildSettingKind(*setting),
                genfiles,
                tuple(Frame(function, Location(*place)) for function, place in stack),
            )
        return known

    def _attributes(self, data: Plain) -> dict[str, Attribute]:
        return {
            name: Attribute(
                name,
                AttrType(kind),
                self.value(default),
                aspects=tuple(self._aspect(each) for each in aspects),
                location=_location(place),
                **dict(zip(_FLAGS, flags, strict=True)),
            )
            for name, kind, default, flags, aspects, place in data
        }

    def _aspect(self, data: Plain) -> Aspect:
        name, attributes, propagates, requires, bzl = data
        return Aspect(
            name,
            self._attributes(attributes),
            tuple(propagates),
            tuple(self._aspect(each) for each in requires),
            self._label(bzl) if bzl else None,
        )


class _ValueTable:
    """The attribute values of one package: bytes until asked for, then decoded once."""

    __slots__ = ("_blobs", "_decoded", "_decoder")

    def __init__(self, blobs: list[bytes], decoder: Decoder) -> None:
        self._blobs = blobs
        self._decoded: list[Any] = [_ValueTable] * len(blobs)
        self._decoder = decoder

    def value(self, index: int) -> Any:
        """The value of that number."""
        value = self._decoded[index]
        if value is _ValueTable:
            value = self._decoded[index] = self._decoder.value(marshal.loads(self._blobs[index]))
        return value


class StoredValues(Mapping[str, Any]):
    """The attribute values of one decoded rule; behaves as the dict they were."""

    __slots__ = ("_indexes", "_table")

    def __init__(self, indexes: dict[str, int], table: _ValueTable) -> None:
        self._indexes = indexes
        self._table = table

    def __getitem__(self, name: str) -> Any:
        return self._table.value(self._indexes[name])

    def __contains__(self, name: object) -> bool:
        return name in self._indexes

    def __iter__(self) -> Iterator[str]:
        return iter(self._indexes)

    def __len__(self) -> int:
        return len(self._indexes)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(slots=True)
class _Tables:
    """Tables of one package while it is encoded."""

    encoder: Encoder
    frames: dict[Frame, int] = field(default_factory=dict)
    values: dict[bytes, int] = field(default_factory=dict)
    classes: dict[RuleClass, int] = field(default_factory=dict)
    class_data: list[bytes] = field(default_factory=list)

    def package(self, package: Package) -> Plain:
        targets = [self._target(target) for target in package.targets.values()]
        frames = [(frame.function, tuple(frame.location)) for frame in self.frames]
        return (
            package.repo,
            package.name,
            tuple(package.build_file),
            frames,
            self.class_data,
            list(self.values),
            targets,
            _plain_tuple(package.default_visibility),
            {key: _plain(value) for key, value in package.defaults.items()},
            [tuple(label) for label in package.bzl_files],
            [_encode_diagnostic(each) for each in package.diagnostics],
            [(gap.kind, gap.what, gap.hides, _place(gap.location)) for gap in package.gaps],
            package.broken,
        )

    def _target(self, target: Target) -> Plain:
        label = tuple(target.label)
        if isinstance(target, Rule):
            generator = target.generator
            return (
                "r",
                label,
                self._class(target.rule_class),
                {key: self._value(value) for key, value in target.values.items()},
                [self.frames.setdefault(frame, len(self.frames)) for frame in target.stack],
                [tuple(output) for output in target.outputs],
                (generator.name, generator.function, tuple(generator.location)) if generator else None,
                _plain_tuple(target.visibility),
                target.macros,
            )
        if isinstance(target, SourceFile):
            return ("s", label, tuple(target.location), _plain_tuple(target.visibility))
        if isinstance(target, OutputFile):
            return ("o", label, tuple(target.rule), tuple(target.location), target.attribute)
        includes = [tuple(each) for each in target.includes]
        return ("g", label, target.packages, includes, tuple(target.location))

    def _value(self, value: Any) -> int:
        return self.values.setdefault(marshal.dumps(_plain(value)), len(self.values))

    def _class(self, rule_class: RuleClass) -> int:
        index = self.classes.get(rule_class)
        if index is None:
            index = self.classes[rule_class] = len(self.class_data)
            self.class_data.append(self.encoder.rule_class(rule_class))
        return index


def _encode_class(rule_class: RuleClass) -> bytes:
    return marshal.dumps(
        (
            rule_class.name,
            _encode_attributes(rule_class.attributes),
            tuple(rule_class.bzl) if rule_class.bzl else None,
            rule_class.test,
            rule_class.executable,
            rule_class.unknown,
            None if rule_class.build_setting is None else tuple(rule_class.build_setting),
            rule_class.output_to_genfiles,
            [(frame.function, tuple(frame.location)) for frame in rule_class.stack],
        )
    )


_FLAGS = (
    "mandatory", "configurable", "nodep", "implicit", "tool", "executable", "late_bound", "sorted"
)  # fmt: skip
"""The yes-or-no fields of an attribute, in the order they are stored."""


def _encode_attributes(attributes: Mapping[str, Attribute]) -> Plain:
    return [
        (
            each.name,
            each.type.value,
            _plain(each.default),
            [getattr(each, flag) for flag in _FLAGS],
            [_encode_aspect(aspect) for aspect in each.aspects],
            _place(each.location),
        )
        for each in attributes.values()
    ]


def _encode_aspect(aspect: Aspect) -> Plain:
    return (
        aspect.name,
        _encode_attributes(aspect.attributes),
        list(aspect.propagates),
        [_encode_aspect(each) for each in aspect.requires],
        tuple(aspect.bzl) if aspect.bzl else None,
    )


def _plain(value: Any) -> Plain:
    """An attribute value as marshal accepts it."""
    if isinstance(value, Label):
        return tuple(value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, SelectorList):
        return ("S", [_plain(part) for part in value.parts])
    if isinstance(value, Selector):
        branches = [
            (tuple(condition.label) if condition.label else None, condition.unknown, _plain(branch))
            for condition, branch in value.branches
        ]
        return ("s", branches, value.no_match_error, _place(value.location))
    if isinstance(value, str | int | float | bool | bytes | None):
        return value
    return str(value)


def _plain_tuple(values: tuple[Label | str, ...] | None) -> Plain:
    return None if values is None else [_plain(each) for each in values]


def _place(location: Location | None) -> Plain:
    return tuple(location) if location is not None else None


def _location(data: Plain) -> Location | None:
    return Location(*data) if data is not None else None


def _encode_diagnostic(each: Diagnostic) -> Plain:
    span = (tuple(each.span.start), tuple(each.span.end)) if each.span else None
    notes = [(note.message, _place(note.location)) for note in each.notes]
    stack = [(frame.function, tuple(frame.location)) for frame in each.stack]
    return (each.message, _place(each.location), span, each.source_line, each.hint, notes, stack, each.severity)


def _decode_diagnostic(data: Plain) -> Diagnostic:
    message, place, span, source_line, hint, notes, stack, severity = data
    return Diagnostic(
        message,
        _location(place),
        Span(Position(*span[0]), Position(*span[1])) if span else None,
        source_line,
        hint,
        tuple(Note(text, _location(where)) for text, where in notes),
        tuple(Frame(function, Location(*where)) for function, where in stack),
        severity,
    )
