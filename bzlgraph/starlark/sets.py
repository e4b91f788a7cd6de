"""Sets (universal from Bazel 8 on): insertion-ordered, of hashable elements, with operators and methods.

>>> from bzlgraph.starlark.values import List
>>> (make_set([1, 2]).binary("|", make_set([3]), False)).to_repr()
'set([1, 2, 3])'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bzlgraph.starlark.builtin import method_table
from bzlgraph.starlark.evaluation.budget import charge_items
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import (
    FROZEN,
    UNLOCKED,
    Dict,
    List,
    freeze,
    has_key,
    hash_key,
    set_item,
    type_name,
)


def check_mutable_set(self: Set) -> None:
    """Raise EvalError unless this set may be changed now."""
    kind = type(self.items)
    if kind in UNLOCKED:
        raise EvalError("set value is temporarily immutable due to active for-loop iteration")
    if kind not in FROZEN:
        raise EvalError("trying to mutate a frozen set value")


class Set(Value):
    """A set; ``items`` is a Dict whose keys are the elements (its state is the set's state)."""

    __slots__ = ("items",)
    __hash__ = None  # type: ignore[assignment]
    type_name = "set"

    def __init__(self, items: Dict) -> None:
        self.items = items

    def truth(self) -> bool:
        return bool(self.items)

    def to_repr(self) -> str:
        return f"set({to_repr(List(self.items))})" if self.items else "set()"

    def freeze(self) -> None:
        freeze(self.items)

    def iterate(self) -> Iterable[object]:
        return list(self.items)

    def length(self) -> int:
        return len(self.items)

    def contains(self, item: object) -> bool:
        return has_key(self.items, item)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Set) or len(self.items) != len(other.items):
            return False
        charge_items(len(self.items))
        return all(dict.__contains__(other.items, key) for key in dict.__iter__(self.items))

    def compare(self, op: str, other: object) -> object:
        """``<=`` is "subset of"; only between sets."""
        if not isinstance(other, Set):
            return NotImplemented
        small, large = (self, other) if op in ("<", "<=") else (other, self)
        charge_items(len(small.items))
        subset = all(dict.__contains__(large.items, key) for key in dict.__iter__(small.items))
        return subset and (op in ("<=", ">=") or len(small.items) < len(large.items))

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if not isinstance(other, Set):
            return NotImplemented
        in_place = op.endswith("=")
        combine = _OPERATORS.get(op.rstrip("="))
        if combine is None or reflected:
            return NotImplemented
        result = combine(self, [list(other.items)])
        if not in_place:
            return result
        check_mutable_set(self)
        _assign(self, result)
        return self


def make_set(elements: Iterable[object]) -> Set:
    """A new set."""
    items = Dict()
    for element in elements:
        set_item(items, element, None)
    return Set(items)


def _assign(target: Set, source: Set) -> None:
    target.items = source.items


def _each(value: object, function: str) -> list[object]:
    """The elements of an argument of a set method."""
    if isinstance(value, Set):
        return list(value.items)
    if isinstance(value, (list, tuple, dict, range)):
        charge_items(len(value))
        return list(value)
    if isinstance(value, Value):
        return list(value.iterate())
    raise EvalError(f"in call to {function}(), got value of type '{type_name(value)}', want 'iterable'")


def _union(self: Set, others: list[list[object]]) -> Set:
    charge_items(len(self.items) + sum(map(len, others)))
    result = make_set(self.items)
    for other in others:
        for element in other:
            set_item(result.items, element, None)
    return result


def _intersection(self: Set, others: list[list[object]]) -> Set:
    result = list(self.items)
    for other in others:
        keep = make_set(other).items
        result = [element for element in result if has_key(keep, element)]
    charge_items(len(self.items))
    return make_set(result)


def _difference(self: Set, others: list[list[object]]) -> Set:
    charge_items(len(self.items))
    gone = _union(Set(Dict()), others).items
    return make_set(element for element in self.items if not has_key(gone, element))


def _symmetric_difference(self: Set, others: list[list[object]]) -> Set:
    other = make_set(others[0])
    only_here = [element for element in self.items if not has_key(other.items, element)]
    charge_items(len(self.items) + len(other.items))
    return make_set([*only_here, *(element for element in other.items if not has_key(self.items, element))])


_OPERATORS: dict[str, Callable[[Set, list[list[object]]], Set]] = {
    "|": _union,
    "&": _intersection,
    "-": _difference,
    "^": _symmetric_difference,
}


def _combining(name: str, combine: Callable[[Set, list[list[object]]], Set]) -> Callable[..., Set]:
    def method(self: Set, /, *others: object) -> Set:
        return combine(self, [_each(other, name) for other in others])

    return method


def _updating(name: str, combine: Callable[[Set, list[list[object]]], Set]) -> Callable[..., None]:
    def method(self: Set, /, *others: object) -> None:
        check_mutable_set(self)
        _assign(self, combine(self, [_each(other, name) for other in others]))

    return method


def symmetric_difference(self: Set, other: object, /) -> Set:
    """A new set of what is in one of both only."""
    return _symmetric_difference(self, [_each(other, "symmetric_difference")])


def symmetric_difference_update(self: Set, other: object, /) -> None:
    """Keep what is in one of both only."""
    check_mutable_set(self)
    _assign(self, _symmetric_difference(self, [_each(other, "symmetric_difference_update")]))


def add(self: Set, element: object, /) -> None:
    """Add an element. EvalError when it cannot be hashed."""
    check_mutable_set(self)
    set_item(self.items, element, None)


def remove(self: Set, element: object, /) -> None:
    """Remove an element. EvalError when it is not there."""
    check_mutable_set(self)
    if not has_key(self.items, element):
        raise EvalError(f"element {to_repr(element)} not found in set")
    dict.pop(self.items, hash_key(element))


def discard(self: Set, element: object, /) -> None:
    """Remove an element, if it is there."""
    check_mutable_set(self)
    dict.pop(self.items, hash_key(element), None)


def pop(self: Set, /) -> object:
    """Remove and give the first element. EvalError when there is none."""
    check_mutable_set(self)
    if not self.items:
        raise EvalError("set is empty")
    first = next(iter(self.items))
    dict.pop(self.items, hash_key(first))
    return first


def clear(self: Set, /) -> None:
    """Remove everything."""
    check_mutable_set(self)
    dict.clear(self.items)


def issubset(self: Set, other: object, /) -> bool:
    """Whether every element is in the other."""
    return bool(self.compare("<=", make_set(_each(other, "issubset"))))


def issuperset(self: Set, other: object, /) -> bool:
    """Whether every element of the other is in this one."""
    return bool(self.compare(">=", make_set(_each(other, "issuperset"))))


def isdisjoint(self: Set, other: object, /) -> bool:
    """Whether nothing is in both."""
    return not any(has_key(self.items, element) for element in _each(other, "isdisjoint"))


SET_METHODS = method_table(
    *(add, clear, discard, isdisjoint, issubset, issuperset, pop, remove),
    *(symmetric_difference, symmetric_difference_update),
    difference=_combining("difference", _difference),
    difference_update=_updating("difference_update", _difference),
    intersection=_combining("intersection", _intersection),
    intersection_update=_updating("intersection_update", _intersection),
    union=_combining("union", _union),
    update=_updating("update", _union),
)
Set.methods = SET_METHODS
