"""The attributes of a repository rule's call or of a tag, typed by their schema: what ``ctx.attr`` holds.

Texts of label attributes are resolved where the call was written; defaults were, when the schema was made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import AttrType
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.rules.attr import KINDS, AttrValue
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.starlark.lib.struct import Struct
from bzlgraph.starlark.values import Dict, List, freeze

_OF_ALL_RULES: dict[str, Callable[[], object]] = {
    "deprecation": lambda: None,
    "features": List,
    "tags": List,
    "testonly": bool,
    "visibility": List,
}
Resolve = Callable[[str], Label]
_Convert = Callable[[object], object]


def attribute_values(
    schema: Mapping[str, AttrValue], given: Mapping[str, object], resolve: Resolve, name: str | None = None
) -> Struct:
    """The values of all attributes of ``schema``; of others only those that are given.

    ``name`` is that of a repository, whose rule has the attributes of all rules, too; a tag has none.
    """
    fields = {key: _value(each, given.get(key), resolve) for key, each in schema.items()}
    for key, value in given.items():
        if key not in fields:
            fields[key] = _typed(_plain, _plain, value)
    if name is not None:
        fields = {**{key: make() for key, make in _OF_ALL_RULES.items()}, **fields, "name": name}
    for value in fields.values():
        freeze(value)
    return Struct(fields)


def _value(schema: AttrValue, given: object, resolve: Resolve) -> object:
    """One attribute; what is not given has the default, or the empty value of its type."""
    if isinstance(given, Uncertain):
        return given
    value = schema.default if given is None else given
    if (schema.computed is not None and given is None) or value is None:
        value = KINDS[schema.kind_name].empty()
    to_label = _label(resolve)
    kind = schema.type
    if kind is AttrType.BOOLEAN:
        return bool(value)
    keys = to_label if kind is AttrType.LABEL_KEYED_STRING_DICT else _plain
    return _typed(keys, to_label if kind in _LABELS else _plain, value)


_LABELS = (
    AttrType.LABEL,
    AttrType.LABEL_LIST,
    AttrType.LABEL_DICT_UNARY,
    AttrType.STRING_KEYED_LABEL_DICT,
    AttrType.OUTPUT,
    AttrType.OUTPUT_LIST,
    AttrType.UNKNOWN,
)


def _typed(key: _Convert, item: _Convert, value: object) -> object:
    """A copy of a value with its parts converted."""
    if isinstance(value, list | tuple) and not isinstance(value, Label):
        return List(_typed(key, item, each) for each in value)
    if isinstance(value, dict):
        return Dict({key(name): _typed(key, item, each) for name, each in value.items()})
    return item(value)


def _plain(value: object) -> object:
    return LabelValue(value) if isinstance(value, Label) else value


def _label(resolve: Resolve) -> _Convert:
    def convert(value: object) -> object:
        if isinstance(value, str):
            return LabelValue(resolve(value)) if value else None
        return _plain(value)

    return convert
