"""Records as plain values that ``marshal`` can keep, and back: each is made when somebody asks for it.

A tree has tens of thousands of records and a question is about a few of them; to make all of them again costs more than
to read them from disk.

>>> kept = Kept(plain_of((OpRecord("Add", Place("a.cc", 1)), OpRecord("Sub", Place("a.cc", 2)))))
>>> len(kept), kept[1].place.line, [str(each.place) for each in kept.by_op()["Add"]]
(2, 2, ['a.cc:1'])
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, overload

from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location
from bzlgraph.ops.tensorflow.cpp.model import ComputeDefinition, GradientRecord, KernelRecord, OpRecord, Place

_CLASSES: tuple[type, ...] = (OpRecord, KernelRecord, GradientRecord, ComputeDefinition, Place, Gap, Location)
_NAMES = {kind: (code, tuple(inspect.signature(kind).parameters)) for code, kind in enumerate(_CLASSES)}

R = TypeVar("R")


def plain_of(value: Any) -> Any:
    """A record as ``[code, field, ...]``, a tuple as a tuple of such: what ``marshal`` can write."""
    known = _NAMES.get(type(value))
    if known is not None:
        return [known[0], *[plain_of(getattr(value, name)) for name in known[1]]]
    return tuple([plain_of(each) for each in value]) if isinstance(value, tuple) else value


def record_of(value: Any) -> Any:
    """The record that ``plain_of`` made a list of."""
    if isinstance(value, list):
        return _CLASSES[value[0]](*[record_of(each) for each in value[1:]])
    return tuple([record_of(each) for each in value]) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True, eq=False)
class Kept(Sequence[R]):
    """Records of one kind; equal to any other sequence of the same ones."""

    plain: tuple[Any, ...] = ()

    def __len__(self) -> int:
        return len(self.plain)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[R]: ...
    def __getitem__(self, index: int | slice) -> R | Sequence[R]:
        if isinstance(index, slice):
            return Kept(self.plain[index])
        made: R = record_of(self.plain[index])
        return made

    def __iter__(self) -> Iterator[R]:
        return map(record_of, self.plain)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def by_op(self) -> Mapping[str, list[R]]:
        """The records of each op: an op is the first field of all of them."""
        found: dict[str, list[Any]] = {}
        for each in self.plain:
            found.setdefault(each[1], []).append(each)
        return KeptLists(found)


@dataclass(slots=True)
class KeptLists(Mapping[str, list[R]], Generic[R]):
    """Records by a name."""

    plain: dict[str, list[Any]]
    _made: dict[str, list[R]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> list[R]:
        if name not in self._made:
            self._made[name] = [record_of(each) for each in self.plain[name]]
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def __len__(self) -> int:
        return len(self.plain)


@dataclass(frozen=True, slots=True)
class KeptComputes(Mapping[tuple[str, str], ComputeDefinition]):
    """(class, file of the registration) -> the method that computes."""

    plain: dict[tuple[str, str], Any]

    def __getitem__(self, key: tuple[str, str]) -> ComputeDefinition:
        made: ComputeDefinition = record_of(self.plain[key])
        return made

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.plain)

    def __len__(self) -> int:
        return len(self.plain)
