"""``==``: equality of Starlark values.

It never mixes bool and int, at any depth.

>>> from bzlgraph.starlark.values import List
>>> equals(List([1]), List([True])), equals(1, 1.0)
(False, True)
"""

from __future__ import annotations

from typing import Any

from bzlgraph.starlark.evaluation.budget import LONG, LOOK, charge, charge_compare
from bzlgraph.starlark.value import Value

_MISSING = object()


def equals(left: object, right: object) -> bool:
    """``left == right``; bool is never equal to int, values of unlike types are never equal."""
    if left is right:
        return True
    kind = type(left)
    if kind is str and len(left) > LONG and type(right) is str and len(right) == len(left):  # type: ignore[arg-type]
        charge_compare(len(right))
    if kind is str or kind is int or kind is float or kind is type(None):
        return type(right) is not bool and bool(left == right)
    if kind is bool or type(right) is bool:
        return False
    if isinstance(left, _CONTAINERS):
        if isinstance(right, _CONTAINERS):
            return _deep_equals(left, right)
        return isinstance(right, Value) and right.__eq__(left) is True
    if isinstance(right, _CONTAINERS) and not isinstance(left, Value):
        return False
    return bool(left == right)


_CONTAINERS = (list, tuple, dict)
Container = list[Any] | tuple[Any, ...] | dict[Any, Any]


def _shape(value: Container) -> type:
    """Which of the containers, whatever its state."""
    return dict if isinstance(value, dict) else list if isinstance(value, list) else tuple


def _deep_equals(left: object, right: object) -> bool:
    """Equality of containers with a stack of our own: depth is no limit, and each pair is paid for.

    A pair met again is taken as equal (any difference ends the search), so shared and cyclic values are looked at once.
    """
    stack: list[tuple[object, object]] = [(left, right)]
    met: set[tuple[int, int]] = set()
    while stack:
        left, right = stack.pop()
        if left is right or (id(left), id(right)) in met:
            continue
        if not isinstance(left, _CONTAINERS) or not isinstance(right, _CONTAINERS):
            if not equals(left, right):
                return False
            continue
        if _shape(left) is not _shape(right) or len(left) != len(right):
            return False
        charge(2 * LOOK + len(left))
        if stack:
            met.add((id(left), id(right)))
        if isinstance(left, dict) and isinstance(right, dict):
            for key, value in dict.items(left):
                other = dict.get(right, key, _MISSING)
                if other is _MISSING:
                    return False
                stack.append((value, other))
        elif not _same_scalars(left, right):
            charge(LOOK * len(left))
            stack.extend(zip(reversed(left), reversed(right), strict=True))
    return True


_EASY = frozenset({str, type(None)})


def _same_scalars(left: Container, right: Container) -> bool:
    """Quick yes for sequences of strings that are equal (by far the most common); False says nothing."""
    if not _EASY.issuperset(map(type, left)):
        return False
    charge_compare(sum(len(each) for each in left if each is not None))
    return list(left) == list(right)
