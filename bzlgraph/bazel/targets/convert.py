"""Attribute values: what Starlark code passed -> what the model stores, by attribute type.

``convert(attribute, value, owner, context)``: label text is resolved against the package under evaluation, types are
checked with Bazel's words, a ``select()`` or something unknown becomes a ``SelectorList``. ``None`` never comes here:
it means unset. EvalError carries one problem; the caller reports it and leaves the attribute unset, as Bazel does.

Doc: https://bazel.build/reference/be/common-definitions; the messages are those of Bazel 4.2.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from bzlgraph.base.label import Label, LabelError, may_be_target
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.context.scope import facts
from bzlgraph.bazel.model import DICT_TYPES, LIST_TYPES, Attribute, AttrType, Selector, SelectorList
from bzlgraph.bazel.parts import Flattened, Uncertain
from bzlgraph.bazel.targets.licenses import distributions, licenses
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import DEFAULT_CONDITION, SelectValue, is_uncertain
from bzlgraph.bazel.values.select_model import is_configurable, lift, listed, shared_model, to_model
from bzlgraph.starlark.checks import INT32
from bzlgraph.starlark.evaluation.budget import charge
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import type_name

_SINGLE = frozenset({bool, int, str})
_STRINGS = frozenset({str})
_PLAIN = frozenset({str, LabelValue})
"""Elements that no list has to be taken apart for; all elements of nearly all lists."""


class Assignment(NamedTuple):
    """What is being converted, for messages: an attribute of a rule class, and the package it resolves in."""

    attribute: str
    owner: str
    context: PackageContext

    def __str__(self) -> str:
        return f"attribute '{self.attribute}' in '{self.owner}' rule"


_WITHOUT_SUM = {
    AttrType.BOOLEAN: "boolean",
    AttrType.LABEL: "label",
    AttrType.LABEL_DICT_UNARY: "dict(string, label)",
    AttrType.LABEL_KEYED_STRING_DICT: "dict(label, string)",
    AttrType.STRING_DICT: "dict(string, string)",
    AttrType.STRING_LIST_DICT: "dict(string, list(string))",
    AttrType.TRISTATE: "tristate",
}
"""Types whose values Bazel cannot add up."""

_Converter = Callable[[object, Assignment], object]
"""(value, attribute being set) -> what the model stores."""


def convert(attribute: Attribute, value: Any, owner: str, context: PackageContext) -> Any:
    """The value of ``attribute`` of a rule of class ``owner`` as the model stores it."""
    target = Assignment(attribute.name, owner, context)
    plain = _NODEP.get(attribute.type) if attribute.nodep else None
    plain = plain or _CONVERTERS[attribute.type]
    if type(value) in _SINGLE:
        return plain(value, target)
    if isinstance(value, (list, tuple, dict, range)):
        charge(4 * len(value))
        context.hold(len(value))
    if isinstance(value, list) and _PLAIN.issuperset(map(type, value)):
        return plain(value, target)
    if type(value) is not SelectValue:
        value = lift(value, attribute.type in LIST_TYPES)
        if not is_configurable(value):
            return plain(value, target)
    if attribute.configurable:
        _refuse_sum(attribute.type, value)
        of = (plain, attribute.name) if attribute.type is AttrType.UNKNOWN else plain
        found = shared_model(value, attribute.type, lambda item: plain(item, target), context, of)
        return _simplified(found) if context.facts.selects_simplified else found
    if isinstance(value, SelectValue) and not value.uncertain():
        raise EvalError(f'attribute "{attribute.name}" is not configurable')
    return plain(list(value.iterate()), target) if attribute.type in LIST_TYPES else None


def _simplified(value: SelectorList) -> object:
    """The sum of a value that no condition decides: each of its selects has a default and nothing else."""
    values: list[Any] = []
    for part in value.parts:
        if isinstance(part, Selector):
            (condition, inside), *others = part.branches
            if others or condition.label != DEFAULT_CONDITION.label:
                return value
            part = inside
        if part is None or isinstance(part, Selector | SelectorList):
            return value
        values.append(part)
    if len(values) == 1:
        return values[0]
    if all(isinstance(each, list) for each in values):
        return [item for each in values for item in each]
    if all(isinstance(each, dict) for each in values):
        return {key: item for each in values for key, item in each.items()}
    return "".join(values) if all(isinstance(each, str) for each in values) else value


def _refuse_sum(kind: AttrType, value: object) -> None:
    """EvalError for a concatenation of selects in an attribute of a type that has none."""
    name = "" if kind in DICT_TYPES and facts().select_of_dicts else _WITHOUT_SUM.get(kind, "")
    if name and isinstance(value, SelectValue) and len(value.parts) > 1 and not value.uncertain():
        raise EvalError(f"type '{name}' doesn't support select concatenation")


def labels(value: Any, what: str, context: PackageContext) -> list[Label]:
    """A list of labels that is no attribute of a rule (``package(default_visibility = ...)``)."""
    items = list(value.iterate()) if is_uncertain(value) else listed(value)
    if items is None:
        raise _wrong("list(label)", what, value)
    known = [item for item in items if not isinstance(item, Uncertain)]
    return [_resolve(item, Assignment("", "", context), f"element {at} of {what}") for at, item in enumerate(known)]


def _resolve(value: object, target: Assignment, what: object) -> Label:
    if isinstance(value, LabelValue):
        return value.label
    if not isinstance(value, str):
        raise _wrong("string", what, value)
    try:
        return target.context.labels[value]
    except LabelError as error:
        reason = str(error).removeprefix(f"invalid label '{value}': ")
        raise EvalError(f"invalid label '{value}' in {what}: {reason}") from None


def _wrong(expected: str, what: object, value: object) -> EvalError:
    shown = to_repr(value)
    shown = shown if len(shown) <= 200 else f"{shown[:200]}..."
    hint = None
    if expected.startswith("list(") and isinstance(value, str):
        hint = f"write [{shown}]"
    elif isinstance(value, SelectValue):
        hint = "select() may only be the whole value, or be added to it with '+'"
    return EvalError(f"expected value of type '{expected}' for {what}, but got {shown} ({type_name(value)})", hint)


def _boolean(value: object, target: Assignment) -> bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, int):
        raise _wrong("int", target, value)
    if value not in (0, 1):
        raise EvalError("boolean is not one of [0, 1]")
    return bool(value)


def _tristate(value: object, target: Assignment) -> int:
    if not isinstance(value, int):
        raise _wrong("int", target, value)
    if value not in (-1, 0, 1):
        raise _wrong("tristate", "TriState values is not one of [-1, 0, 1]", value)
    return int(value)


def _integer(value: object, target: Assignment) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong("int", target, value)
    return _int32(value, str(target))


def _int32(value: int, what: str) -> int:
    if not -INT32 <= value < INT32:
        raise EvalError(f"for {what}, got {value}, want value in signed 32-bit range")
    return value


def _string(value: object, target: Assignment) -> str:
    if not isinstance(value, str):
        raise _wrong("string", target, value)
    return value


def _label(value: object, target: Assignment) -> Label:
    return _resolve(value, target, target)


def _label_list(value: object, target: Assignment) -> list[Label]:
    items = _sequence(value, target, "label")
    if _STRINGS.issuperset(map(type, items)):
        label_of: Callable[[Any], Label] = target.context.labels.__getitem__
        with suppress(LabelError):  # in which element it is, is found out below
            return list(map(label_of, items))
    return [_resolve(item, target, f"element {at} of {target}") for at, item in enumerate(items)]


def _string_list(value: object, target: Assignment) -> list[str]:
    if isinstance(value, (list, tuple)) and _STRINGS.issuperset(map(type, value)):
        return list(value)
    return [_element(str, "string", item, at, target) for at, item in enumerate(_sequence(value, target, "string"))]


def _integer_list(value: object, target: Assignment) -> list[int]:
    items = enumerate(_sequence(value, target, "int"))
    return [_int32(_element(int, "int", item, at, target), f"element {at} of {target}") for at, item in items]


def _sequence(value: object, target: Assignment, element: str) -> Sequence[object]:
    items = listed(value)
    if items is None:
        raise _wrong(f"list({element})", target, value)
    return items


def _element(wanted: type, word: str, item: object, at: int, target: Assignment) -> Any:
    if not isinstance(item, wanted) or (wanted is int and isinstance(item, bool)):
        raise _wrong(word, f"element {at} of {target}", item)
    return item


def _output(value: object, target: Assignment) -> Label:
    return _output_label(value, target, target)


def _output_list(value: object, target: Assignment) -> list[Label]:
    items = _sequence(value, target, "output")
    return [_output_label(item, target, f"element {at} of {target}") for at, item in enumerate(items)]


def _output_label(value: object, target: Assignment, what: object) -> Label:
    if not isinstance(value, str | LabelValue):
        raise _wrong("output", what, value)
    label = _resolve(value, target, what)
    if (label.repo, label.package) != (target.context.repo, target.context.package):
        raise EvalError(f"label '{value}' is not in the current package", "outputs belong to the package of their rule")
    return label


def _dict(key: _Converter, item: _Converter, word: str) -> Callable[..., dict[object, object]]:
    def converted(value: object, target: Assignment) -> dict[object, object]:
        if not isinstance(value, dict):
            raise _wrong(word, target, value)
        return {key(k, target): item(v, target) for k, v in value.items()}

    return converted


def _label_keyed(value: object, target: Assignment) -> dict[object, object]:
    """Labels -> strings; two spellings of one label are refused."""
    found = _LABEL_KEYED(value, target)
    assert isinstance(value, dict), "nothing else is converted"
    if len(found) == len(value):
        return found
    spelt: dict[Label, list[object]] = {}
    for key in value:
        spelt.setdefault(_label(key, target), []).append(key)
    again = ", ".join(f"{label} (as {to_repr(keys)})" for label, keys in spelt.items() if len(keys) > 1)
    raise EvalError(f"duplicate labels in {target}: {again}")


def _dict_string(word: str) -> Callable[[object, Assignment], str]:
    def converted(value: object, _target: Assignment) -> str:
        if not isinstance(value, str):
            raise _wrong("string", f"dict {word} element", value)
        return value

    return converted


def _dict_strings(value: object, _target: Assignment) -> list[str]:
    items = listed(value)
    if items is None:
        raise _wrong("list(string)", "dict value element", value)
    return [_element(str, "string", item, at, _target) for at, item in enumerate(items)]


def _licenses(value: object, target: Assignment) -> list[str | Label]:
    return licenses(_string_list(value, target))


def _distributions(value: object, target: Assignment) -> list[str]:
    return distributions(_string_list(value, target))


LABEL_ATTRIBUTES = frozenset(
    {
        "actual",
        "data",
        "deps",
        "exports",
        "hdrs",
        "main",
        "resources",
        "runtime_deps",
        "srcs",
        "textual_hdrs",
        "tool",
        "tools",
    }
)
"""Attributes whose plain strings are labels in nearly every rule; elsewhere only what is written like a label
counts."""


def _unknown(value: object, target: Assignment) -> object:
    """An attribute of a rule class that is not on disk: strings that look like labels become labels."""
    if isinstance(value, str):
        looks = value.startswith(("//", ":", "@")) or target.attribute in LABEL_ATTRIBUTES
        if not looks or not may_be_target(value) or any(char in value for char in " \n$*"):
            return value
        try:
            return target.context.labels[value]
        except LabelError:
            return value
    if isinstance(value, LabelValue):
        return value.label
    if isinstance(value, (list, tuple, range, Flattened)):
        return [_unknown(item, target) for item in listed(value) or ()]
    if isinstance(value, dict):
        return {_key(_unknown(k, target)): _unknown(v, target) for k, v in value.items()}
    if is_configurable(value):
        return to_model(value, AttrType.UNKNOWN, lambda item: _unknown(lift(item, True), target), target.context)
    return to_repr(value) if isinstance(value, Value) or callable(value) else value


def _key(value: object) -> object:
    """A dict key of an unknown attribute; anything unusual by its text."""
    return value if isinstance(value, str | int | Label) else to_repr(value)


_DICT_KEY, _DICT_VALUE = _dict_string("key"), _dict_string("value")
_LABEL_KEYED = _dict(_label, _DICT_VALUE, "dict(label, string)")
_CONVERTERS: dict[AttrType, _Converter] = {
    AttrType.BOOLEAN: _boolean,
    AttrType.DISTRIBUTION_SET: _distributions,
    AttrType.INTEGER: _integer,
    AttrType.INTEGER_LIST: _integer_list,
    AttrType.LABEL: _label,
    AttrType.LABEL_DICT_UNARY: _dict(_DICT_KEY, _label, "dict(string, label)"),
    AttrType.LABEL_KEYED_STRING_DICT: _label_keyed,
    AttrType.LABEL_LIST: _label_list,
    AttrType.LICENSE: _licenses,
    AttrType.OUTPUT: _output,
    AttrType.OUTPUT_LIST: _output_list,
    AttrType.STRING: _string,
    AttrType.STRING_DICT: _dict(_DICT_KEY, _DICT_VALUE, "dict(string, string)"),
    AttrType.STRING_KEYED_LABEL_DICT: _dict(_DICT_KEY, _label, "dict(string, label)"),
    AttrType.STRING_LIST: _string_list,
    AttrType.STRING_LIST_DICT: _dict(_DICT_KEY, _dict_strings, "dict(string, list(string))"),
    AttrType.TRISTATE: _tristate,
    AttrType.UNKNOWN: _unknown,
}
_NODEP: dict[AttrType, _Converter] = {
    AttrType.STRING: _label,
    AttrType.STRING_LIST: _label_list,
}
"""Strings that are labels all the same, but no dependencies (``toolchain(toolchain = ...)``)."""
