"""Methods of lists. Each changes a list only while its class says that it may be changed."""

from __future__ import annotations

from bzlgraph.starlark.builtin import method_table
from bzlgraph.starlark.checks import out_of_range, want_int, want_int_or_none, want_member
from bzlgraph.starlark.evaluation.budget import charge_items
from bzlgraph.starlark.iterate import elements
from bzlgraph.starlark.ordering import find
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import List, check_mutable


def append(self: List, item: object, /) -> None:
    """Add an element at the end."""
    if type(self) is not List:
        check_mutable(self)
    list.append(self, item)


def extend(self: List, items: object, /) -> None:
    """Add the elements of an iterable at the end."""
    if type(self) is not List:
        check_mutable(self)
    more = elements(items)
    charge_items(len(self) // 16 + len(more))
    list.extend(self, more)


def insert(self: List, index: object, item: object, /) -> None:
    """Add an element before an index, which is kept within the list."""
    check_mutable(self)
    charge_items(len(self) // 8)
    limit = len(self)
    list.insert(self, max(-limit, min(want_int(index, "insert", "index"), limit)), item)


def clear(self: List, /) -> None:
    """Remove everything."""
    want_member("list", "clear")
    check_mutable(self)
    list.clear(self)


def pop(self: List, i: object = -1, /) -> object:
    """Remove and give the element at an index. EvalError for an index beyond the list."""
    check_mutable(self)
    position = want_int_or_none(i, "pop", "i")
    position = -1 if position is None else position
    charge_items(len(self) // 8)
    try:
        return list.pop(self, position)
    except (IndexError, OverflowError):
        raise out_of_range(position, len(self)) from None


def remove(self: List, x: object, /) -> None:
    """Remove the first element that equals ``x``. EvalError when none does."""
    check_mutable(self)
    position = find(x, self)
    if position < 0:
        raise EvalError(f"item {to_repr(x)} not found in list")
    list.pop(self, position)


def index(self: List, x: object, /, start: object = None, end: object = None) -> int:
    """The index of the first element in the range that equals ``x``. EvalError when none does."""
    bounds = slice(want_int_or_none(start, "index", "start"), want_int_or_none(end, "index", "end"))
    low, high, _ = bounds.indices(len(self))
    position = find(x, self, low, high)
    if position < 0:
        raise EvalError(f"item {to_repr(x)} not found in list")
    return position


LIST_METHODS = method_table(append, clear, extend, index, insert, pop, remove)
