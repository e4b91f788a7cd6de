"""Methods of dicts. ``keys``, ``values`` and ``items`` are lists, copies of the moment, as in Bazel."""

from __future__ import annotations

from bzlgraph.starlark.builtin import method_table
from bzlgraph.starlark.evaluation.budget import LOOK, charge, charge_items
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.iterate import elements
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, List, check_mutable, get_item, has_key, hash_key, is_key, set_item, type_name

_MISSING = object()


def get(self: Dict, key: object, /, default: object = None) -> object:
    """The value of a key, or the default. EvalError for a key that cannot be hashed."""
    if language().lacks_mutable_keys and not is_key(self, key):
        return default
    return get_item(self, key, default)


def keys(self: Dict, /) -> List:
    """A new list of the keys."""
    charge_items(len(self))
    return List(self)


def values(self: Dict, /) -> List:
    """A new list of the values."""
    charge_items(len(self))
    return List(dict.values(self))


def items(self: Dict, /) -> List:
    """A new list of (key, value)."""
    charge_items(len(self) * 4)
    return List(self.items())


def pop(self: Dict, key: object, /, default: object = _MISSING) -> object:
    """Remove a key and give its value, or the default. EvalError when there is neither."""
    there = is_key(self, key) if language().pop_takes_anything else has_key(self, key)
    if default is _MISSING or there or not language().frozen_dicts_answer:
        check_mutable(self)
    value = dict.pop(self, hash_key(key), default) if there else default
    if value is _MISSING:
        raise EvalError(f"KeyError: {to_repr(key)}")
    return value


def popitem(self: Dict, /) -> tuple[object, object]:
    """Remove and give the first (key, value). EvalError when the dict is empty."""
    check_mutable(self)
    if not self:
        raise EvalError("popitem(): dictionary is empty")
    key = next(iter(self))
    return key, dict.pop(self, hash_key(key))


def setdefault(self: Dict, key: object, /, default: object = None) -> object:
    """The value of a key, which gets the default when it is not there."""
    there = has_key(self, key)
    if not there or not language().frozen_dicts_answer:
        check_mutable(self)
    if not there:
        set_item(self, key, default)
    return get_item(self, key)


def clear(self: Dict, /) -> None:
    """Remove everything."""
    check_mutable(self)
    dict.clear(self)


def update(self: Dict, pairs: object = (), /, **kwargs: object) -> None:
    """Add the pairs (or the other dict), then the named arguments; later ones win."""
    check_mutable(self)
    add_pairs(self, pairs, "update")
    for key, value in kwargs.items():
        dict.__setitem__(self, key, value)


def add_pairs(target: Dict, pairs: object, function: str) -> None:
    """Add what ``dict(pairs)`` or ``update(pairs)`` means: a dict, or an iterable of pairs."""
    if isinstance(pairs, dict):
        charge(LOOK // 2 * len(pairs))
        for key, value in list(pairs.items()):
            set_item(target, key, value)
        return
    if not isinstance(pairs, (list, tuple, range, Value)):
        raise EvalError(f"in {function}, got {type_name(pairs)}, want iterable")
    sequence = elements(pairs)
    charge(LOOK * len(sequence))
    for position, pair in enumerate(sequence):
        if not isinstance(pair, (list, tuple, dict, range, Value)):
            kind = type_name(pair)
            what = f"dictionary update sequence element #{position} is not iterable ({kind})"
            raise EvalError(f"in {function}, {what}")
        parts = pair.unpack(2) if isinstance(pair, Value) else list(elements(pair))
        if len(parts) != 2:
            what = f"item #{position} has length {len(parts)}, but exactly two elements are required"
            raise EvalError(f"in {function}, {what}")
        set_item(target, parts[0], parts[1])


DICT_METHODS = method_table(clear, get, items, keys, pop, popitem, setdefault, update, values)
VIEW_METHODS = method_table(get, items, keys, values)
