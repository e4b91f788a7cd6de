"""Comparison: ``==``, ``<`` and friends, ``in``, and sorting with them.

Only values of one type are ordered (int and float count as one); NaN is above +inf and equal to itself, so that the
order is total. Sequences compare by their first unequal elements.

>>> less(1, 2.5), less("a", "b"), contains("b", "abc")
(True, True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import ge, gt, le, lt
from typing import Any

from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.evaluation.budget import LONG, LOOK, charge, charge_compare, charge_items, charge_search
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import has_key, is_key, type_name

_DIRECT = frozenset({str, int, bool, bytes})
_NUMBERS = frozenset({int, float})


def compare(op: str, left: Any, right: Any) -> bool:
    """``left OP right`` for ``<``, ``<=``, ``>`` and ``>=``"""
    while True:
        kind = type(left)
        if kind is type(right) and kind in _DIRECT:
            _pay_strings(left, right)
            return APPLY[op](left, right)
        if kind in _NUMBERS and type(right) in _NUMBERS:
            return APPLY[op](_number_key(left), _number_key(right))
        if isinstance(left, Value) or isinstance(right, Value):
            return _compare_hosts(op, left, right)
        if not _both_sequences(left, right):
            raise EvalError(f"unsupported comparison: {type_name(left)} <=> {type_name(right)}")
        for a, b in zip(left, right, strict=False):
            charge(2 * LOOK)
            if not equals(a, b):
                left, right = a, b
                break
        else:
            return APPLY[op](len(left), len(right))


def _pay_strings(left: object, right: object) -> None:
    """Pay for what is compared of long strings."""
    if type(left) is str and type(right) is str and len(left) > LONG and len(right) > LONG:
        charge_compare(min(len(left), len(right)))


def _both_sequences(left: object, right: object) -> bool:
    return (isinstance(left, list) and isinstance(right, list)) or (type(left) is tuple and type(right) is tuple)


def _number_key(value: int | float) -> tuple[bool, int | float]:
    """NaN last, everything else by value."""
    return (value != value, value if value == value else 0)


def _compare_hosts(op: str, left: object, right: object) -> bool:
    for value, operator, operand in ((left, op, right), (right, _MIRRORED[op], left)):
        if isinstance(value, Value):
            result = value.compare(operator, operand)
            if result is not NotImplemented:
                return bool(result)
    raise EvalError(f"unsupported comparison: {type_name(left)} <=> {type_name(right)}")


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
APPLY: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def less(left: Any, right: Any) -> bool:
    """``left < right``"""
    kind = type(left)
    if kind is type(right) and kind in _DIRECT:
        _pay_strings(left, right)
        return bool(left < right)
    return compare("<", left, right)


def less_equal(left: object, right: object) -> bool:
    """``left <= right``"""
    return compare("<=", left, right)


def greater(left: Any, right: Any) -> bool:
    """``left > right``"""
    kind = type(left)
    if kind is type(right) and kind in _DIRECT:
        _pay_strings(left, right)
        return bool(left > right)
    return compare(">", left, right)


def greater_equal(left: object, right: object) -> bool:
    """``left >= right``"""
    return compare(">=", left, right)


def unequal(left: object, right: object) -> bool:
    """``left != right``"""
    return not equals(left, right)


class SortKey:
    """A value with ``<`` as Starlark orders it, for Python's sort."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __lt__(self, other: SortKey) -> bool:
        charge(LOOK)
        return less(self.value, other.value)


def sort_keys(keys: list[Any]) -> list[Any]:
    """Keys Python may compare by itself, or SortKeys around them."""
    kinds = set(map(type, keys))
    if len(kinds) == 1 and kinds <= _DIRECT:
        charge_items(len(keys) * 4)
        if str in kinds:
            charge_compare(sum(map(len, keys)) * len(keys).bit_length())
        return keys
    charge_items(len(keys))
    return [SortKey(key) for key in keys]


def contains(item: object, collection: object) -> bool:
    """``item in collection``"""
    if type(item) is str:
        if isinstance(collection, (list, tuple)):
            if len(collection) > 64:
                charge_items(len(collection) * 2)
            if len(item) > LONG:
                charge_compare(len(item) * len(collection))
            return item in collection
        if isinstance(collection, dict):
            return dict.__contains__(collection, item)
    if isinstance(collection, dict):
        return is_key(collection, item) if language().lacks_mutable_keys else has_key(collection, item)
    if isinstance(collection, (list, tuple)):
        return find(item, collection) >= 0
    if type(collection) is str and type(item) is str:
        if len(collection) > LONG:
            charge_search(len(collection), len(item))
        return item in collection
    return _contains_rarely(item, collection)


def _contains_rarely(item: object, collection: object) -> bool:
    """``item in collection`` for ranges, bytes and host values, and what is an error."""
    if type(collection) is range:
        if language().spec and type(item) is float and item.is_integer():
            item = int(item)  # Python looks for any other number one by one
        return type(item) is int and item in collection
    if type(collection) is bytes:
        return _in_bytes(item, collection)
    if isinstance(collection, Value):
        found = collection.contains(item)
        if found is not NotImplemented:
            return bool(found)
    elif isinstance(item, Value):
        found = item.binary("in", collection, False)
        if found is not NotImplemented:
            return bool(found)
    if type(collection) is str:
        raise EvalError(f"'in <string>' requires string as left operand, not '{type_name(item)}'")
    raise EvalError(f"unsupported binary operation: {type_name(item)} in {type_name(collection)}")


def _in_bytes(item: object, collection: bytes) -> bool:
    if type(item) is bytes:
        return item in collection
    if type(item) is int:
        if not 0 <= item < 256:
            raise EvalError(f"int in bytes: {item} out of range")
        return item in collection
    raise EvalError(f"'in bytes' requires bytes or int as left operand, not {type_name(item)}")


def find(item: object, items: list[object] | tuple[object, ...], start: int = 0, end: int | None = None) -> int:
    """The index of the first equal element in ``items[start:end]``, -1 when there is none."""
    charge_items(len(items) * 2)
    if type(item) is str and len(item) > LONG:
        charge_compare(len(item) * len(items))
    if type(item) is str or (type(item) is int and item not in (0, 1)):
        try:
            return items.index(item, start, len(items) if end is None else end)
        except ValueError:
            return -1
    charge(2 * LOOK * len(items))
    stop = len(items) if end is None else min(end, len(items))
    for index in range(start, stop):
        if equals(items[index], item):
            return index
    return -1


def extreme(values: Iterable[object], keys: list[object], op: str) -> object:
    """The first value whose key is smallest (``<``) or largest (``>``)."""
    best = best_key = None
    for position, (value, key) in enumerate(zip(values, keys, strict=True)):
        if position == 0 or (less(best_key, key) if op == ">" else greater(best_key, key)):
            best, best_key = value, key
    return best
