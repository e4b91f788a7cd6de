"""Short ways: the operations BUILD files do most, for the types they do them with; all else takes the long way.

Each function here means exactly what its long form means (``access.dispatcher``, ``arithmetic.modulo``, ...), which it
calls for any other type. Measured on TensorFlow's macros these few make up nine tenths of all helper calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bzlgraph.starlark import iterate
from bzlgraph.starlark.evaluation.budget import FREE, STEPS, charge_items, charge_string, exhausted
from bzlgraph.starlark.methods import dicts, lists, strings
from bzlgraph.starlark.methods.format import format_braces
from bzlgraph.starlark.methods.table import METHODS
from bzlgraph.starlark.ops import access, arithmetic
from bzlgraph.starlark.printing import to_str
from bzlgraph.starlark.values import Dict, FrozenDict, FrozenList, List

_MANY = 512
_MISSING = object()
_PLAIN_DICTS = frozenset({Dict, FrozenDict})
_PLAIN_LISTS = frozenset({List, FrozenList})


def percent_strings(pattern: str, operand: object) -> object:
    """``pattern % operand`` for a literal pattern with one ``%s``."""
    if type(operand) is not str:
        return arithmetic.modulo(pattern, operand)
    text = pattern % operand
    if len(text) > FREE:
        charge_string(len(text))
    return text


def percent_tuple(pattern: str, operands: tuple[object, ...]) -> object:
    """``pattern % (a, b)`` for a literal pattern with as many ``%s`` as operands."""
    for operand in operands:
        if type(operand) is not str:
            return arithmetic.modulo(pattern, operands)
    text = pattern % operands
    if len(text) > FREE:
        charge_string(len(text))
    return text


def format_literal(template: str, values: tuple[object, ...]) -> str:
    """``"...".format(a, x = b)`` of a literal whose fields are its arguments in order; ``template`` has ``%s``."""
    for value in values:
        if type(value) is not str:
            values = tuple([each if type(each) is str else to_str(each) for each in values])
            break
    text = template % values
    if len(text) > FREE:
        charge_string(len(text))
    return text


def append(value: object, item: object, /) -> object:
    """``value.append(...)``"""
    if type(value) is List:
        value.append(item)
        return None
    return access.attribute(value, "append")(item)


def extend(value: object, items: object, /) -> object:
    """``value.extend(...)``"""
    if isinstance(value, List):
        lists.extend(value, items)
        return None
    return access.attribute(value, "extend")(items)


def get(value: Any, key: object, /) -> object:
    """``value.get(...)``; what is no dict may have a function of one argument there."""
    if type(key) is str and type(value) in _PLAIN_DICTS:
        return value.get(key)
    return access.attribute(value, "get")(key)


def get_or(value: Any, key: object, default: object, /) -> object:
    """``value.get(..., ...)``"""
    if type(key) is str and type(value) in _PLAIN_DICTS:
        return value.get(key, default)
    return access.attribute(value, "get")(key, default)


def items(value: object, /) -> object:
    """``value.items(...)``"""
    if isinstance(value, Dict):
        return dicts.items(value)
    return access.attribute(value, "items")()


def keys(value: object, /) -> object:
    """``value.keys(...)``"""
    if isinstance(value, Dict):
        return dicts.keys(value)
    return access.attribute(value, "keys")()


def startswith(value: object, prefix: object, /) -> object:
    """``value.startswith(...)``"""
    if type(value) is str and type(prefix) is str:
        return value.startswith(prefix)
    return access.attribute(value, "startswith")(prefix)


def endswith(value: object, suffix: object, /) -> object:
    """``value.endswith(...)``"""
    if type(value) is str and type(suffix) is str:
        return value.endswith(suffix)
    return access.attribute(value, "endswith")(suffix)


def join(value: object, elements: object, /) -> object:
    """``value.join(...)``"""
    if type(value) is str:
        return strings.join(value, elements)
    return access.attribute(value, "join")(elements)


def replace(value: object, old: object, new: object, /) -> object:
    """``value.replace(...)``"""
    if type(value) is str and len(value) <= FREE and type(old) is str and type(new) is str:
        text = value.replace(old, new)
        if len(text) > FREE:
            charge_string(len(text))
        return text
    return access.attribute(value, "replace")(old, new)


def format_(value: object, /, *args: object, **kwargs: object) -> object:
    """``value.format(...)``"""
    if type(value) is str:
        return format_braces(value, *args, **kwargs)
    return access.attribute(value, "format")(*args, **kwargs)


def each_item(value: Any, weight: int) -> Iterable[object]:
    """``for k, v in value.items():``"""
    if type(value) in _PLAIN_DICTS:
        STEPS[0] -= len(value) * weight
        if STEPS[0] < 0:
            raise exhausted()
        return list(value.items())
    return iterate.each_unpacked(access.attribute(value, "items")(), weight, 2)


def index(value: Any, key: Any) -> object:
    """``value[key]``"""
    kind = type(value)
    if type(key) is str and kind in _PLAIN_DICTS:
        found = value.get(key, _MISSING)
        if found is not _MISSING:
            return found
    elif type(key) is int and (kind in _PLAIN_LISTS or kind is tuple) and -len(value) <= key < len(value):
        return value[key]
    return access.index(value, key)


def list_of(elements: list[object]) -> List:
    """A comprehension's list, paid for by its length."""
    if len(elements) > _MANY:
        charge_items(len(elements))
    return List(elements)


def _fixed(name: str, count: int) -> Callable[..., object]:
    """``value.name(...)`` with ``count`` positional arguments, for the names without a short way of their own."""
    find = {kind: methods[name] for kind, methods in METHODS.items() if name in methods}.get
    if count == 0:

        def call(value: object, /) -> object:
            function = find(type(value))
            return access.attribute(value, name)() if function is None else function(value)

    elif count == 1:

        def call(value: object, a: object, /) -> object:  # type: ignore[misc]
            function = find(type(value))
            return access.attribute(value, name)(a) if function is None else function(value, a)

    else:

        def call(value: object, a: object, b: object, /) -> object:  # type: ignore[misc]
            function = find(type(value))
            return access.attribute(value, name)(a, b) if function is None else function(value, a, b)

    return call


MAX_FIXED = 2
_SHORT: dict[tuple[str, int], Callable[..., object]] = {
    ("append", 1): append,
    ("extend", 1): extend,
    ("get", 1): get,
    ("get", 2): get_or,
    ("items", 0): items,
    ("keys", 0): keys,
    ("startswith", 1): startswith,
    ("endswith", 1): endswith,
    ("join", 1): join,
    ("replace", 2): replace,
}


def dispatchers() -> dict[str, Callable[..., object]]:
    """Every ``$.name`` (any arguments) and ``$COUNT.name`` (so many positional ones) that generated code calls."""
    names = {name for table in METHODS.values() for name in table}
    table: dict[str, Callable[..., object]] = {f"$.{name}": access.dispatcher(name) for name in names}
    table["$.format"] = format_
    for name in names:
        for count in range(MAX_FIXED + 1):
            table[f"${count}.{name}"] = _SHORT.get((name, count)) or _fixed(name, count)
    return table
