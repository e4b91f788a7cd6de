"""Records in their plain form (``base/codec.py``), each made when somebody asks for it.

A tree has tens of thousands of records and a question is about a few of them; to make all of them again costs more than
to read them from disk.

>>> from bzlgraph.base.span import Location
>>> from bzlgraph.ops.model import OpRegistration
>>> codec = Codec(OpRegistration)
>>> plain = [codec.encode(OpRegistration(op, Location("a.cc", line, 0))) for op, line in (("Add", 1), ("Sub", 2))]
>>> records = StoredRecords(plain, codec)
>>> len(records), [each.location.line for each in records], [str(each.location) for each in records.by_op()["Add"]]
(2, [1, 2], ['a.cc:1'])
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bzlgraph.base.codec import Codec, Plain

R = TypeVar("R")


@dataclass(frozen=True, slots=True, eq=False)
class StoredRecords(Collection[R]):
    """Records of one kind; equal to any other collection of the same ones in this order."""

    plain: Sequence[Plain]
    codec: Codec[R]

    def __len__(self) -> int:
        return len(self.plain)

    def __contains__(self, record: object) -> bool:
        return any(each == record for each in self)

    def __iter__(self) -> Iterator[R]:
        return map(self.codec.decode, self.plain)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Collection) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def by_op(self) -> Mapping[str, Collection[R]]:
        """The records of each op: an op is the first field of all of them."""
        found: dict[str, list[Plain]] = {}
        for each in self.plain:
            found.setdefault(each[0], []).append(each)
        return {op: StoredRecords(plain, self.codec) for op, plain in found.items()}
