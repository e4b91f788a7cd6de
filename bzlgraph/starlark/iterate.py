"""Loops, unpacking and calls with ``*`` and ``**``: what generated code asks before it hands control to Python.

A loop pays once, for its length times the weight of its body; very long loops pay as they go, and so does
``for _ in range(1000000)``: one that breaks out early is Starlark's ``while``.

>>> list(each(range(3), 1)), unpack((1, 2), 2)
([0, 1, 2], (1, 2))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from bzlgraph.starlark.evaluation.budget import STEPS, charge, charge_items, exhausted
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.sets import Set
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, FrozenList, List, OddDict, hash_key, lock, set_item, type_name, unlock

PREPAID = 200_000
"""Steps that a loop pays at once."""
PREPAID_RANGE = 500
"""The same of a loop over a range."""
_SEQUENCES = frozenset({List, FrozenList, tuple, list, range})
_PAIRS = frozenset({tuple, List, FrozenList})
_TEXTS = frozenset({str})


Elements = list[object] | tuple[object, ...] | range | dict[object, object]
"""What can be looped over again and again, and has a length."""


def elements(value: object) -> Elements:
    """What iterating over ``value`` gives, as a Python sequence or dict; EvalError when it is not iterable."""
    if isinstance(value, (list, tuple, range)):
        return value
    if isinstance(value, dict):
        return list(value) if isinstance(value, OddDict) else value
    if isinstance(value, Value):
        items = value.iterate()
        return items if isinstance(items, (list, tuple)) else list(items)
    if type(value) is str and language().strings_iterate:
        charge_items(len(value))
        return list(value)
    raise EvalError(f"type '{type_name(value)}' is not iterable")


def each(value: Any, weight: int) -> Iterable[object]:
    """The elements for a loop whose body weighs ``weight`` steps."""
    if type(value) not in _SEQUENCES:
        value = elements(value)
    steps = len(value) * weight
    if steps > PREPAID_RANGE and (steps > PREPAID or type(value) is range):
        return _metered(value, weight)
    STEPS[0] -= steps
    if STEPS[0] < 0:
        raise exhausted()
    return value  # type: ignore[no-any-return]


_PORTION = 64


def _metered(items: Iterable[object], weight: int) -> Iterator[object]:
    """Pay for a long loop in portions that grow: one that ends soon has not paid for many rounds."""
    portion = left = 1
    charge(weight)
    for item in items:
        if not left:
            portion = left = min(2 * portion, _PORTION)
            charge(weight * portion)
        left -= 1
        yield item


def hold(value: object) -> object:
    """Lock what a ``for`` statement iterates over; for ``release``."""
    return lock(value.items if type(value) is Set else value)


release = unlock


def each_held(value: object, weight: int) -> Iterable[object]:
    """``each`` for a comprehension whose body might change ``value``: locked until the last element was taken."""
    items = each(value, weight)
    held = hold(value)
    return items if held is None else _holding(held, items)


def _holding(held: object, items: Iterable[object]) -> Iterator[object]:
    try:
        yield from items
    finally:
        unlock(held)


def each_unpacked(value: object, weight: int, count: int) -> Iterable[object]:
    """``each`` for ``for a, b in``: every element is known to unpack into ``count``."""
    return _unpackable(each(value, weight), count)


def each_held_unpacked(value: object, weight: int, count: int) -> Iterable[object]:
    """``each_held`` for ``for a, b in``"""
    return _unpackable(each_held(value, weight), count)


def _unpackable(items: Iterable[Any], count: int) -> Iterable[object]:
    """``items`` itself when all its elements are sequences of the right length, else checked one by one."""
    if type(items) not in _SEQUENCES:
        return _unpacking(items, count)
    for item in items:
        if type(item) not in _PAIRS or len(item) != count:
            return _unpacking(items, count)
    return items


def _unpacking(items: Iterable[object], count: int) -> Iterator[object]:
    for item in items:
        yield unpack(item, count)


Shape = tuple["Shape", ...] | None
"""The form of ``a, (b, c)``: None for a name, a tuple for what is unpacked further."""


def each_nested(items: Iterable[object], shape: Shape) -> Iterator[object]:
    """The elements for ``for a, (b, c) in``, each checked against the shape of the target."""
    for item in items:
        yield _fit(item, shape)


def _fit(value: object, shape: Shape) -> object:
    if shape is None:
        return value
    return tuple(map(_fit, unpack(value, len(shape)), shape))


def unpack(value: Any, count: int) -> Iterable[object]:
    """The ``count`` elements of the right side of ``a, b = value``"""
    if type(value) in _PAIRS and len(value) == count:
        return value  # type: ignore[no-any-return]
    if type(value) is str or not isinstance(value, (list, tuple, dict, range, Value)):
        raise EvalError(f"got '{type_name(value)}' in sequence assignment (want {count}-element sequence)")
    items = value.unpack(count) if isinstance(value, Value) else elements(value)
    if len(items) != count:
        problem = "many" if len(items) > count else "few"
        raise EvalError(f"too {problem} values to unpack (got {len(items)}, want {count})")
    return items


def star(value: object) -> Iterable[object]:
    """The positional arguments of ``*value``"""
    if isinstance(value, (list, tuple, dict, range, Value)):
        items = elements(value)
        charge_items(len(items))
        return items
    raise EvalError(f"argument after * must be an iterable, not {type_name(value)}")


def star_star(value: object) -> Mapping[str, object]:
    """The named arguments of ``**value``"""
    if isinstance(value, Value):
        value = {key: value.get_index(key) for key in value.iterate()}
    if not isinstance(value, dict):
        raise EvalError(f"argument after ** must be a dict, not {type_name(value)}")
    for key in value:
        if type(key) is not str:
            raise EvalError(f"keywords must be strings, not {type_name(key)}")
    charge(2 * len(value))
    return value


def call_in_order(
    function: Callable[..., object],
    positional: tuple[object, ...],
    named: dict[str, object],
    rest: Iterable[object],
    more: Mapping[str, object],
) -> object:
    """``function(*positional, **named, *rest, **more)``: Starlark evaluates ``*rest`` after the named arguments."""
    for name in more:
        if name in named:
            raise EvalError(f"{_callee(function)}() got multiple values for parameter '{name}'")
    return function(*positional, *rest, **named, **more)


def _callee(function: object) -> str:
    return getattr(function, "__name__", None) or getattr(function, "name", None) or type_name(function)


# ---------------------------------------------------------------------------------------------------- displays


def make_dict(places: tuple[tuple[int, int], ...], *parts: object) -> Dict:
    """``{k: v, ...}`` from keys and values in turn; a duplicate key is an error at its entry, where it is one."""
    keys = parts[::2]
    if _TEXTS.issuperset(map(type, keys)) and len(made := Dict(zip(keys, parts[1::2], strict=True))) == len(keys):
        return made
    made = Dict()
    for position, place in enumerate(places):
        key, value = parts[2 * position], parts[2 * position + 1]
        if type(key) is str and key not in made:
            made[key] = value
            continue
        before = len(made)
        try:
            set_item(made, key, value)
        except EvalError as error:
            raise error.at(place) from None
        if len(made) == before and not language().old_collections:
            raise EvalError(f"dictionary expression has duplicate key: {to_repr(key)}").at(place)
    return made


def collect_dict(pairs: list[tuple[object, object]]) -> Dict:
    """``{k: v for ...}`` from its pairs; later keys win."""
    made = Dict()
    for key, value in pairs:
        if type(key) is str:
            dict.__setitem__(made, key, value)
        else:
            set_item(made, key, value)
    return made


def check_key(key: object) -> object:
    """A key of a comprehension, refused where it stands when it is not hashable."""
    if type(key) is not str:
        hash_key(key)
    return key
