"""The methods of plain types: type -> name -> function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bzlgraph.starlark.methods.dicts import DICT_METHODS, VIEW_METHODS
from bzlgraph.starlark.methods.lists import LIST_METHODS
from bzlgraph.starlark.methods.strings import BYTES_METHODS, STRING_METHODS
from bzlgraph.starlark.values import (
    Dict,
    DictView,
    FrozenDict,
    FrozenList,
    FrozenOddDict,
    List,
    LockedDict,
    LockedList,
    LockedOddDict,
    OddDict,
    OpenDict,
)

METHODS: dict[type, Mapping[str, Callable[..., object]]] = {
    str: STRING_METHODS,
    bytes: BYTES_METHODS,
    **dict.fromkeys((List, FrozenList, LockedList, list), LIST_METHODS),
    **dict.fromkeys(
        (Dict, FrozenDict, OpenDict, LockedDict, OddDict, FrozenOddDict, LockedOddDict, dict), DICT_METHODS
    ),
    DictView: VIEW_METHODS,
}

MUTATORS = frozenset(
    "append extend insert clear pop remove popitem setdefault update add discard "
    "difference_update intersection_update symmetric_difference_update".split()
)
"""Methods that change their receiver: a comprehension that calls none needs no lock."""
