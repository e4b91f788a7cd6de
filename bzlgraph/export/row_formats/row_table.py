"""What every format here writes: named columns, and rows that can be asked for more than once.

>>> table = RowTable("pets", columns("name legs", legs="integer"), lambda: iter([("cat", 4), ("fish", None)]))
>>> table.names
('name', 'legs')

Rows are made anew for each pass, so that no format has to hold a long answer: a table for people is walked twice, once
for the widths of its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.gap import Completeness
from bzlgraph.base.words import printable

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column. ``type``: ``text``, ``integer``, ``boolean`` or ``texts``. Any cell may be None: nothing to say."""

    name: str
    type: str = "text"


def columns(names: str | Iterable[str], **types: str) -> tuple[Column, ...]:
    """Columns of text, but for those that have a type.

    >>> columns("name legs", legs="integer")
    (Column(name='name', type='text'), Column(name='legs', type='integer'))
    """
    listed = names.split() if isinstance(names, str) else names
    return tuple(Column(name, types.get(name, "text")) for name in listed)


@dataclass(frozen=True, slots=True)
class RowTable:
    """``rows`` gives the rows, each a tuple as long as ``columns``; every call starts from the beginning.

    ``schema`` names the version of the JSON forms. ``records`` gives what JSON has per row where that is more than the
    cells; ``head`` and ``tail`` are what the one JSON object holds before and after its ``rows_key``, and at its end
    ``completeness``.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Callable[[], Iterator[Row]]
    schema: str = ""
    records: Callable[[], Iterator[dict[str, object]]] | None = None
    rows_key: str = "rows"
    head: Mapping[str, object] = field(default_factory=dict)
    tail: Callable[[], Mapping[str, object]] = dict
    completeness: Completeness | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def dictionaries(self) -> Iterator[dict[str, object]]:
        """The rows as JSON has them."""
        if self.records is not None:
            return self.records()
        names = self.names
        return (dict(zip(names, row, strict=True)) for row in self.rows())


def cell_text(cell: object) -> str:
    """A cell where everything is text: nothing is empty, booleans are as in JSON, control characters are escaped."""
    if isinstance(cell, list):
        cell = " ".join(cell)
    if isinstance(cell, bool):
        return str(cell).lower()
    return "" if cell is None else printable(str(cell))
