"""Answers as data for JSON: dataclasses and named tuples become dictionaries of their fields, in the fields' order.

>>> from bzlgraph.base.gap import Gap
>>> plain_data(Gap("file", "a/BUILD", "targets"))
{'kind': 'file', 'what': 'a/BUILD', 'hides': 'targets', 'location': None, 'repository': ''}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.graph.model import EdgeFlag

Shape = Callable[[Any], object] | tuple[str, ...]
"""What a type becomes: a function of the value, or the names of the attributes that are shown."""


def _flag_names(flags: EdgeFlag) -> list[str]:
    return [(flag.name or "").lower() for flag in flags]


GAP_KEYS = ("kind", "what", "hides", "location", "repository")
PROBLEM_KEYS = ("severity", "message", "location", "hint")
SHAPES: Mapping[type, Shape] = {
    Diagnostic: PROBLEM_KEYS,
    EdgeFlag: _flag_names,
    Gap: GAP_KEYS,
    Label: str,
}


def json_text(value: object) -> str:
    """Plain data as indented JSON."""
    import json  # most answers are texts

    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def plain_data(value: object, shapes: Mapping[type, Shape] = SHAPES) -> object:
    """Dictionaries, lists, texts, numbers and None; ``shapes`` are the types that are not shown field by field."""
    shape = shapes.get(type(value))
    if callable(shape):
        return shape(value)
    if shape is not None:
        return record(value, shape, shapes)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) or hasattr(value, "_fields"):
        return record(value, None, shapes)
    return [plain_data(each, shapes) for each in value] if isinstance(value, list | tuple) else value


def record(value: Any, names: Iterable[str] | None = None, shapes: Mapping[type, Shape] = SHAPES) -> dict[str, object]:
    """Some attributes of a value as a dictionary; of a dataclass or a named tuple all fields, if none are named."""
    if names is None:
        names = (each.name for each in fields(value)) if is_dataclass(value) else value._fields
    return {name: plain_data(getattr(value, name), shapes) for name in names}
