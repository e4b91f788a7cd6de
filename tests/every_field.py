"""Values of a class with every declared field set to something that is not its default, found by the declaration.

``sample(Package)`` -> a Package; ``fields_of(value)`` -> the same as plain comparable data, rule classes included.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

LEAVES: dict[object, object] = {
    bool: True,
    int: 7,
    float: 1.5,
    str: "text",
    bytes: b"data",
    Any: ["any", 1],
    object: "x",
}
DEPTH = 2
"""How often a class may stand inside itself."""


def sample(kind: Any, above: tuple[object, ...] = ()) -> Any:
    """A value of a type; a class that holds itself does so ``DEPTH`` times."""
    if kind in LEAVES:
        return LEAVES[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        members = [each for each in inner if each is not NoneType]
        return sample(members[len(above) % len(members)], above)
    if origin is tuple and inner[-1] is not Ellipsis:
        return tuple(sample(each, above) for each in inner)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        items = _one_of_each(inner[1], above)
        return {f"{at}" if inner[0] is str else sample(inner[0], above): item for at, item in enumerate(items)}
    if origin in (list, tuple):
        return origin(_one_of_each(inner[0], above))
    if issubclass(kind, Enum):
        return list(kind)[-1]
    hints = get_type_hints(kind)
    values = {name: sample(hints[name], (*above, kind)) for name in field_names(kind)}
    for name, value in values.items():
        assert value != _default(kind, name) or above, f"{kind.__name__}.{name} is at its default"
    return kind(**values)


def _one_of_each(kind: Any, above: tuple[object, ...]) -> list[Any]:
    """A value of each member of a union."""
    members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [sample(each, above) for each in members if above.count(each) < DEPTH]


def classes_in(value: Any) -> set[type]:
    """The classes of all records in a value."""
    if hasattr(value, "_fields") or dataclasses.is_dataclass(value):
        inside = [getattr(value, name) for name in field_names(type(value))]
        return {type(value)}.union(*map(classes_in, inside))
    if isinstance(value, Mapping):
        return set().union(*map(classes_in, [*value.keys(), *value.values()]))
    return set().union(*map(classes_in, value)) if isinstance(value, list | tuple) else set()


def field_names(kind: Any) -> list[str]:
    """The declared fields of a dataclass or a NamedTuple."""
    return list(getattr(kind, "_fields", ())) or [each.name for each in dataclasses.fields(kind) if each.init]


def fields_of(value: Any) -> object:
    """A value with every record in it as (class, fields): rule classes compare by identity, their fields do not."""
    if hasattr(value, "_fields") or dataclasses.is_dataclass(value):
        return type(value), {name: fields_of(getattr(value, name)) for name in field_names(type(value))}
    if isinstance(value, Mapping):
        return {key: fields_of(item) for key, item in value.items()}
    return [type(value), *map(fields_of, value)] if isinstance(value, list | tuple) else value


def _default(kind: Any, name: str) -> object:
    if hasattr(kind, "_fields"):
        return kind._field_defaults.get(name, dataclasses.MISSING)
    return next(each.default for each in dataclasses.fields(kind) if each.name == name)
