"""Columns of numbers that are put together of pieces: copied, numbered anew, moved on.

What is done to many numbers is done by numpy; for few, importing it costs more than doing it here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import count
from operator import eq
from typing import TYPE_CHECKING

from bzlgraph.snapshot.mapped import FORMATS

if TYPE_CHECKING:
    from bzlgraph.snapshot.mapped import Column

    Numbers = array[int]
    Some = memoryview | Numbers

SHORT = 1 << 16
"""The most things whose numbers fit into two bytes."""
NUMBERS_WORTH_NUMPY = 2_500_000
"""Fewer numbers are read and written here in less time than the import takes (0.09 s)."""


def column(kind: str, numbers: Iterable[int]) -> Column:
    """Numbers as a column of that type."""
    if isinstance(numbers, array) and numbers.typecode == FORMATS[kind]:
        return kind, numbers
    return kind, array(FORMATS[kind], list(numbers))  # which takes a list in half the time of what is iterated


def short_or_long(size: int) -> str:
    """The type that holds the numbers of ``size`` things."""
    return "<i4" if size > SHORT else "<u2"


def append(numbers: Numbers, more: Some) -> None:
    """Add what has the same type, or another."""
    of_type = more.typecode if isinstance(more, array) else more.format
    if of_type == numbers.typecode:
        numbers.frombytes(memoryview(more).cast("B"))
    else:
        numbers.extend(more.tolist())


def append_slices(numbers: Numbers, of: Some, slices: Iterable[slice]) -> None:
    """Add slices of what has the same type."""
    numbers.frombytes(b"".join(map(memoryview(of).__getitem__, slices)))


def moved(numbers: Some, new: Numbers | None) -> Some:
    """Numbers by a table of new ones; None where they stay. Of the table no more is looked at than is asked for: many
    pieces are moved by one that is as long as the graph."""
    return numbers if new is None else _by_table(numbers, new, "<i4")


def renumbered(numbers: Sequence[int], new: Sequence[int], kind: str = "<i4") -> Some:
    """Numbers by a table of new ones, which are of that type.

    >>> renumbered(array("i", [2, 0, 2]), [5, 6, 7]), renumbered(array("i", [2, 0, 2]), [0, 1, 2], "<u2")
    (array('i', [7, 5, 7]), array('H', [2, 0, 2]))
    """
    if len(numbers) < NUMBERS_WORTH_NUMPY and all(map(eq, new, count())):  # as where there is no older graph
        return array(FORMATS[kind], numbers.tolist() if isinstance(numbers, (array, memoryview)) else numbers)
    return _by_table(numbers, new, kind)


def _by_table(numbers: Sequence[int], new: Sequence[int], kind: str) -> Some:
    if len(numbers) < NUMBERS_WORTH_NUMPY:
        return array(FORMATS[kind], list(map(new.__getitem__, numbers)))
    import numpy as np

    _, table = column(kind, new)  # numpy would take what is too large for the type
    return memoryview(np.asarray(table)[np.asarray(numbers)].data)


def moved_on(numbers: Some, by: int) -> Some:
    """Each number larger ``by`` the same."""
    if not by:
        return numbers
    if len(numbers) < NUMBERS_WORTH_NUMPY:
        return array("i", [number + by for number in numbers])
    import numpy as np

    return memoryview((np.asarray(numbers) + np.int32(by)).data)
