"""How the targets of a package are written: where, by which macros, and who may see them.

``packed`` takes that from targets which are encoded already (``codec.py``) and makes bytes of it, a part of a package
of its own; ``Written`` reads it, without the package and without what decodes one. Rows stand in the order of names.

| row of | |
|---|---|
| a rule | call stack as numbers of frames, innermost first; the outermost macro ("" for none); visibility; whether a
symbolic macro makes it |
| a source file | place, visibility |
| a generated file | place |
| a package group | place, specifications, groups that it includes |
| an environment group | place, environments, those by default |

A frame is (function, place), a place (path, line, column); of a visibility each label is (0, its parts), None stands
for the default of the package.

This module is imported before anything heavy is: nothing but built-in modules and what is as light here.
"""

from __future__ import annotations

import marshal
import zlib

from bzlgraph.base.record import Record
from bzlgraph.base.resolved_label import Label
from bzlgraph.base.span import Frame, Location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Item = Label | str

_RULE, _SOURCE, _OUTPUT = range(3)
"""The numbers of classes of targets, as encoded ones have them: the order of ``bazel.model.Target``."""


class RowOfRule(Record):
    """What is known of how a rule is written. ``visibility`` is None for the default of its package."""

    stack: tuple[Frame, ...]
    made_by: str
    visibility: tuple[Item, ...] | None
    in_macro: bool


def packed(names: Iterable[str], targets: Iterable[Any], frames: list[Any], default_visibility: Any) -> bytes:
    """The rows of encoded targets."""
    rows = [row for _, row in sorted(zip(names, map(_row, targets), strict=True))]
    return zlib.compress(marshal.dumps((rows, frames, default_visibility)), 1)


def _row(target: tuple[int, tuple[Any, ...]]) -> tuple[Any, ...]:
    """By the order of the fields of ``bazel.model``'s classes."""
    kind, fields = target
    if kind == _RULE:
        _, _, _, stack, _, generator, visibility, macros = fields
        return stack, generator[1] if generator is not None else "", visibility, bool(macros)
    if kind == _SOURCE:
        return fields[1], fields[2]
    if kind == _OUTPUT:
        return (fields[2],)
    return fields[3], fields[1], fields[2]


class Written:
    """What ``packed`` made. Raises ValueError for other bytes."""

    def __init__(self, data: bytes) -> None:
        try:
            self._rows, self._frames, default = marshal.loads(zlib.decompress(data))
        except (zlib.error, EOFError, TypeError) as error:
            raise ValueError(str(error)) from None
        self.default_visibility: tuple[Item, ...] = tuple(map(_item, default))

    def __len__(self) -> int:
        return len(self._rows)

    def rule(self, number: int) -> RowOfRule:
        """How a rule is written. ``number``: that of its name among the names of all targets, in their order."""
        stack, made_by, visibility, in_macro = self._rows[number]
        return RowOfRule(tuple(map(self._frame, stack)), made_by, _items(visibility), in_macro)

    def place(self, number: int) -> Location:
        """Where what is no rule is written."""
        return Location(*self._rows[number][0])

    def file_visibility(self, number: int) -> tuple[Item, ...] | None:
        """Who may see a source file; None where nothing says so."""
        return _items(self._rows[number][1])

    def group(self, number: int) -> tuple[tuple[str, ...], tuple[Label, ...]]:
        """The specifications of a package group, and the groups that it includes."""
        _, packages, includes = self._rows[number]
        return tuple(packages), tuple(Label(*each) for each in includes)

    def _frame(self, number: int) -> Frame:
        function, place = self._frames[number]
        return Frame(function, Location(*place))


def _items(plain: Sequence[Any] | None) -> tuple[Item, ...] | None:
    return None if plain is None else tuple(map(_item, plain))


def _item(plain: Any) -> Item:
    return plain if isinstance(plain, str) else Label(*plain[1])
