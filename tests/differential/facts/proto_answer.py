"""`bazel query --output=proto --noproto:flatten_selects` bytes -> facts.

The field numbers are those of Bazel's src/main/protobuf/build.proto (QueryResult, Target, Rule, Attribute, ...), which
are the same from 0.19 to 7 for everything read here. Unlike the XML, the proto keeps each branch of a select().
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter

from tests.differential.facts import wire
from tests.differential.facts.records import DEFAULT_CONDITION, Answer, Attribute, Select, TargetFacts, Value

# Attribute.Discriminator -> (name, field in Attribute, field in SelectorEntry, shape)
_TYPES: dict[int, tuple[str, int, int, str]] = {
    1: ("integer", 3, 2, "int"),
    2: ("string", 5, 3, "str"),
    3: ("label", 5, 3, "str"),
    4: ("output", 5, 3, "str"),
    5: ("string_list", 6, 6, "strs"),
    6: ("label_list", 6, 6, "strs"),
    7: ("output_list", 6, 6, "strs"),
    8: ("distribution_set", 6, 6, "strs"),
    9: ("license", 7, 7, "license"),
    10: ("string_dict", 8, 8, "dict"),
    12: ("label_list_dict", 10, 10, "list_dict"),
    13: ("string_list_dict", 11, 11, "list_dict"),
    14: ("boolean", 14, 4, "bool"),
    15: ("tristate", 15, 5, "tristate"),
    16: ("integer_list", 17, 13, "ints"),
    19: ("label_dict_unary", 19, 15, "dict"),
    21: ("label_keyed_string_dict", 22, 17, "dict"),
}
_SELECTOR_LIST = 20
_AUTO = 2  # Tristate: NO, YES, AUTO; people write -1 for AUTO


def read_proto(data: bytes, place: Callable[[str], str]) -> Answer:
    """All targets of a query result; `place` shortens an absolute location."""
    answer: Answer = {}
    for target in wire.messages(wire.decode(data), 1):
        facts = _target(target, place)
        answer[facts.label] = facts
    return answer


def _target(target: wire.Fields, place: Callable[[str], str]) -> TargetFacts:
    body = wire.messages(target, wire.number(target, 1) + 1)[0]
    kind = wire.number(target, 1)
    if kind == 1:
        return _rule(body, place)
    if kind == 2:
        return TargetFacts(
            wire.text(body, 1), "source file", place(wire.text(body, 2)), members=tuple(sorted(wire.texts(body, 5)))
        )
    if kind == 3:
        return TargetFacts(
            wire.text(body, 1),
            "generated file",
            place(wire.text(body, 3)),
            inputs=frozenset((wire.text(body, 2),)),
        )
    members = tuple(sorted(wire.texts(body, 2))) + tuple(f"includes {label}" for label in wire.texts(body, 3))
    name = "package group" if kind == 4 else "environment group"
    return TargetFacts(wire.text(body, 1), name, "", members=members)


def _rule(rule: wire.Fields, place: Callable[[str], str]) -> TargetFacts:
    label = wire.text(rule, 1)
    attributes = dict(sorted(map(_attribute, wire.messages(rule, 4)), key=itemgetter(0)))
    generator = attributes.get("generator_location")
    if generator and generator.value and isinstance(generator.value, str):
        relative = _after_package(generator.value, label)
        attributes["generator_location"] = Attribute(generator.type, relative, generator.explicit)
    return TargetFacts(
        label=label,
        kind=wire.text(rule, 2) + " rule",
        location=place(wire.text(rule, 3)),
        attributes=attributes,
        inputs=frozenset(wire.texts(rule, 5)),
        outputs=tuple(wire.texts(rule, 6)),
    )


def _after_package(location: str, label: str) -> str:
    """generator_location without what depends on where the checkout lies.

    Bazel cuts the absolute path at the first place where the package's name occurs, wherever that is; for the root
    package it does not cut. What remains the same everywhere is PACKAGE/FILE:LINE.
    """
    package = label.partition("//")[2].partition(":")[0]
    return f"{package}/{location.rpartition('/')[2]}".lstrip("/")


def _attribute(message: wire.Fields) -> tuple[str, Attribute]:
    code = wire.number(message, 2)
    explicit = bool(wire.number(message, 13))
    if code == _SELECTOR_LIST:
        selectors = wire.messages(message, 21)[0]
        name, _, field, shape = _TYPES[wire.number(selectors, 1)]
        parts = tuple(_part(selector, field, shape) for selector in wire.messages(selectors, 2))
        return wire.text(message, 1), Attribute(name, Select(parts), explicit)
    name, field, _, shape = _TYPES.get(code, (f"type {code}", 0, 0, "str"))
    return wire.text(message, 1), Attribute(name, _value(message, field, shape), explicit)


def _part(selector: wire.Fields, field: int, shape: str) -> tuple[tuple[str, Value], ...]:
    entries = wire.messages(selector, 1)
    return tuple(
        (wire.text(entry, 1) or DEFAULT_CONDITION, None if wire.number(entry, 16) else _value(entry, field, shape))
        for entry in entries
    )


def _value(message: wire.Fields, field: int, shape: str) -> Value:
    if shape == "str":
        return wire.text(message, field)
    if shape == "strs":
        return wire.texts(message, field)
    if shape == "int":
        return wire.number(message, field)
    if shape == "tristate":
        value = wire.number(message, field)
        return -1 if value == _AUTO else value
    if shape == "bool":
        return bool(wire.number(message, field))
    if shape == "ints":
        return wire.numbers(message, field)
    if shape == "dict":
        return {wire.text(entry, 1): wire.text(entry, 2) for entry in wire.messages(message, field)}
    if shape == "list_dict":
        return {wire.text(entry, 1): wire.texts(entry, 2) for entry in wire.messages(message, field)}
    licenses = wire.messages(message, field)
    return [*wire.texts(licenses[0], 1), *wire.texts(licenses[0], 2)] if licenses else []
