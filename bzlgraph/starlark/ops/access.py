"""Attributes, indices and slices: a value and a name or key -> what is there. The only way from ``x.f`` to anything.

No Python attribute is ever looked up by a name of the program: plain types have tables of methods (``METHODS``), host
values answer ``methods`` and ``get_attr``.

>>> attribute("a-b", "replace")("-", "+"), index((1, 2), -1), slice_of("abc", None, None, -1)
('a+b', 2, 'cba')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bzlgraph.base.spell import did_you_mean
from bzlgraph.starlark.builtin import BoundMethod
from bzlgraph.starlark.checks import has_member, int32, out_of_range
from bzlgraph.starlark.evaluation.budget import charge_items, charge_string
from bzlgraph.starlark.methods.table import METHODS
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, List, OpenDict, check_mutable, get_item, set_item, type_name

_MISSING = object()


def attribute(value: object, name: str) -> Any:
    """``value.name``"""
    table = METHODS.get(type(value))
    if table is not None:
        function = table.get(name)
        if function is not None:
            return BoundMethod(function, value)
    elif isinstance(value, Value):
        function = type(value).methods.get(name)
        if function is not None:
            return BoundMethod(function, value)
        try:
            return value.get_attr(name)
        except AttributeError:
            pass
    raise no_attribute(value, name)


def no_attribute(value: object, name: str) -> EvalError:
    """The error of ``value.name`` when there is none."""
    suggestion = did_you_mean(name, attribute_names(value))
    lacking = value.lacking if isinstance(value, Value) else Value.lacking
    error = EvalError(lacking.format(type=type_name(value), name=name) + suggestion)
    error.at_start = True
    return error


def attribute_names(value: object) -> list[str]:
    """What ``dir(value)`` lists, sorted."""
    table = METHODS.get(type(value))
    if table is not None:
        kind = type_name(value)
        return sorted(name for name in table if has_member(kind, name))
    if isinstance(value, Value):
        kind = type_name(value)
        return sorted(name for name in {*type(value).methods, *value.attr_names()} if has_member(kind, name))
    return []


def has_attribute(value: object, name: str) -> bool:
    """Whether ``value.name`` exists."""
    table = METHODS.get(type(value))
    if table is not None:
        return name in table and has_member(type_name(value), name)
    if not isinstance(value, Value):
        return False
    if name in type(value).methods:
        return has_member(type_name(value), name)
    try:
        value.get_attr(name)
    except (AttributeError, EvalError):
        return False
    return True


def set_attribute(new: object, value: object, name: str) -> None:
    """``value.name = new``"""
    setter: Callable[[str, object], None] | None = (
        getattr(value, "set_attr", None) if isinstance(value, Value) else None
    )
    if setter is None:
        raise EvalError(f"cannot set .{name} field of {type_name(value)} value")
    setter(name, new)


def dispatcher(name: str) -> Callable[..., object]:
    """``value.name(arguments)`` in one step for a name that plain types have; everything else the long way."""
    table = {kind: methods[name] for kind, methods in METHODS.items() if name in methods}
    find = table.get

    def call(value: object, /, *args: object, **kwargs: object) -> object:
        function = find(type(value))
        if function is None:
            return attribute(value, name)(*args, **kwargs)
        return function(value, *args, **kwargs)

    return call


# ------------------------------------------------------------------------------------------------ index and slice


def index(value: object, key: object) -> object:
    """``value[key]``"""
    if isinstance(value, dict):
        found = get_item(value, key, _MISSING)
        if found is _MISSING:
            absorbed = key.binary("[]", value, True) if isinstance(key, Value) else NotImplemented
            if absorbed is not NotImplemented:
                return absorbed
            if isinstance(value, OpenDict):
                return value.otherwise(key)
            raise EvalError(f"key {to_repr(key)} not found in dictionary{_suggest_key(value, key)}")
        return found
    if isinstance(value, (list, tuple, str, range, bytes)):
        if type(key) is not int:
            absorbed = key.binary("[]", value, True) if isinstance(key, Value) else NotImplemented
            if absorbed is not NotImplemented:
                return absorbed
            raise EvalError(f"got {type_name(key)} for {_index_name(value)} index, want int")
        try:
            return value[key]
        except (IndexError, OverflowError):
            raise out_of_range(int32(key, f"{_index_name(value)} index"), len(value)) from None
    result = value.get_index(key) if isinstance(value, Value) else NotImplemented
    if result is NotImplemented and isinstance(key, Value):
        result = key.binary("[]", value, True)
    if result is not NotImplemented:
        return result
    raise EvalError(f"type '{type_name(value)}' has no operator []({type_name(key)})")


def _index_name(value: object) -> str:
    return "string" if type(value) is str else "sequence"


def _suggest_key(value: dict[object, object], key: object) -> str:
    if type(key) is not str:
        return ""
    return did_you_mean(key, [each for each in value if type(each) is str])


def set_index(new: object, value: object, key: object) -> None:
    """``value[key] = new``"""
    if type(value) is Dict and type(key) is str:
        value[key] = new
    elif isinstance(value, Dict):
        check_mutable(value)
        set_item(value, key, new)
    elif isinstance(value, List):
        if type(value) is not List:
            check_mutable(value)
        if type(key) is not int:
            raise EvalError(f"got {type_name(key)} for list index, want int")
        try:
            value[key] = new
        except (IndexError, OverflowError):
            raise out_of_range(int32(key, "list index"), len(value)) from None
    elif isinstance(value, Value):
        value.set_index(key, new)
    else:
        raise EvalError(f"can only assign an element in a dictionary or a list, not in a '{type_name(value)}'")


def slice_of(value: object, low: Any, high: Any, step: Any) -> object:
    """``value[low:high:step]``"""
    if not isinstance(value, (str, list, tuple, range, bytes)):
        if isinstance(value, Value):
            result = value.binary("[:]", (low, high, step), False)
            if result is not NotImplemented:
                return result
        raise EvalError(f"invalid slice operand: {type_name(value)}")
    for bound, name in ((low, "start index"), (high, "stop index"), (step, "slice step")):
        if bound is not None:
            if type(bound) is not int:
                raise EvalError(f"got {type_name(bound)} for {name}, want int")
            int32(bound, name)
    if step == 0:
        raise EvalError("slice step cannot be zero")
    if isinstance(value, list):
        charge_items(len(value))
        return List(value[low:high:step])
    part = value[low:high:step]
    if type(part) is range:
        return part or range(part.start, part.start, part.step)
    charge_string(len(part)) if isinstance(part, (str, bytes)) else charge_items(len(part))
    return part
