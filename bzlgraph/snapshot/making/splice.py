"""What is written anew, and an older graph -> the columns of the new graph.

Packages of the older graph keep their nodes and edges: what stands side by side is copied at once. Numbers of classes,
calls, attributes and conditions stay as they are, too; new ones come behind them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from bzlgraph.base.label import Label
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.snapshot.kept import NODE_PENDING
from bzlgraph.snapshot.making.numbers import append, append_slices, moved, moved_on, renumbered, short_or_long
from bzlgraph.snapshot.making.order import Old, Order, PackageKey
from bzlgraph.snapshot.making.parts import ClassRow, Part
from bzlgraph.snapshot.making.users import Users
from bzlgraph.snapshot.mapped import FORMATS, packed

if TYPE_CHECKING:
    from bzlgraph.snapshot.mapped import Column

    Numbers = array[int]
    KeptClass = tuple[str, str, bool, list[int], list[int], tuple[str, ...] | None]
    """A row of the table of classes: as ClassRow, attributes by number."""
    Places = dict[str, tuple[str, int, int]]

T = TypeVar("T")
_POSSIBLE = int(EdgeFlag.POSSIBLE)
NOWHERE = -1
"""In the place of a node."""


class Splice:
    """An older graph, a part that is written anew, and the order of both together.

    ``pieces`` are those of the order with nodes of the part in the place of labels, NOWHERE for those that it does not
    know; ``number_of`` has the new number of each node of the part that counts.
    """

    def __init__(self, old: Old, part: Part, order: Order) -> None:
        self.old = old
        self.part = part
        self.order = order
        self.pieces: list[tuple[int, int] | list[int]] = []
        self.number_of = array("i", [NOWHERE]) * len(part.labels)
        for start, piece in zip(order.starts(), order.pieces, strict=True):
            if isinstance(piece, tuple):
                self.pieces.append(piece)
                continue
            nodes = [NOWHERE if node is None else node for node in map(part.find, piece)]
            for number, node in enumerate(nodes, start):
                if node != NOWHERE:
                    self.number_of[node] = number
            self.pieces.append(nodes)
        # Without an older graph the pieces have all that is named.
        for label in part.named if old.graph is not None else ():
            named = part.find(label)
            if named is not None and self.number_of[named] == NOWHERE:
                self.number_of[named] = order.number_of(label)

    def number(self, label: Label) -> int:
        """The new number of a label of the part."""
        node = self.part.find(label)
        assert node is not None, label
        return self.number_of[node]

    def columns(self) -> dict[str, Column]:
        """The columns of nodes and edges, and the tables that they count in."""
        part = self.part
        calls, called = _with_more(self._table("calls", [None]), part.frames)
        attributes, named = _with_more(self._table("attributes", []), part.edges.attributes)
        conditions, when = _with_more(self._table("conditions", []), part.edges.conditions)
        classes, places, class_of = self._classes(attributes)
        call_type = short_or_long(len(calls))
        kinds = self._of_nodes("kinds", "|u1", part.kinds.__getitem__, NODE_PENDING)
        return {
            **self._texts(),
            "kinds": ("|u1", kinds),
            "class_of": ("<u2", self._of_nodes("class_of", "<u2", lambda node: class_of[part.classes[node]], 0)),
            "call_of": (call_type, self._of_nodes("call_of", call_type, lambda node: called[part.calls[node]], 0)),
            "has_selects": ("|u1", self._of_nodes("has_selects", "|u1", part.selects.__getitem__, 0)),
            **self._edges(named, when, short_or_long(len(conditions))),
            "package_of": ("<i4", self.order.package_of()),
            "package_first": ("<i4", self.order.first),
            "classes": packed(classes),
            "attribute_places": packed(places),
            **self._of_packages("written", self.part.written),
            **self._of_packages("configurable", self.part.configurable),
            "calls": packed(calls),
            "attributes": packed(attributes),
            "conditions": packed(conditions),
        }

    def _table(self, name: str, none: list[T]) -> list[T]:
        found: list[T] = none if self.old.graph is None else self.old.graph.table(name)
        return found

    def _column(self, name: str) -> memoryview:
        assert self.old.graph is not None, "what is copied is of an older graph"
        return self.old.graph.whole(name)

    def _of_nodes(self, name: str, kind: str, value: Callable[[int], int], unknown: int) -> Numbers:
        """A column of nodes; of those that the part does not know ``unknown``."""
        found = array(FORMATS[kind])
        for piece in self.pieces:
            if isinstance(piece, tuple):
                append(found, self._column(name)[slice(*piece)])
            else:
                found.extend([unknown if node == NOWHERE else value(node) for node in piece])
        return found

    def _texts(self) -> dict[str, Column]:
        texts, starts = bytearray(), array("i")
        for piece in self.order.pieces:
            if isinstance(piece, tuple):
                at = self._column("text_at")[piece[0] : piece[1] + 1]
                append(starts, moved_on(at[:-1], len(texts) - at[0]))
                texts += self._column("texts")[at[0] : at[-1]]
                continue
            home, prefix = None, ""
            for label in piece:
                if label[:2] != home:
                    home, prefix = label[:2], str(label._replace(name=""))
                starts.append(len(texts))
                texts += f"{prefix}{label.name}\n".encode("utf-8", "surrogatepass")
        starts.append(len(texts))
        return {"texts": ("|u1", texts), "text_at": ("<i4", starts)}

    def _of_packages(self, name: str, packed: Mapping[PackageKey, bytes]) -> dict[str, Column]:
        """What is packed of each package, one after another, and where each begins."""
        found, starts = bytearray(), array("i")
        before: bytes | memoryview = b""
        at: Sequence[int] = ()
        if self.old.graph is not None:
            before, at = self._column(name), self._column(f"{name}_at")
        for key in self.order.keys:
            starts.append(len(found))
            if key in self.order.anew:
                found += packed.get(key, b"")
            elif key in self.old.number_of:
                number = self.old.number_of[key]
                found += before[at[number] : at[number + 1]]
        starts.append(len(found))
        return {name: ("|u1", found), f"{name}_at": ("<i4", starts)}

    def _classes(self, attributes: list[str]) -> tuple[list[KeptClass], list[Places], list[int]]:
        """The table of classes, where each has its attributes from, and the numbers there of those of the part."""
        numbers = {name: number for number, name in enumerate(attributes)}
        rows: list[KeptClass] = list(self._table("classes", []))
        places: list[Places] = list(self._table("attribute_places", []))
        known = {_as_key(*row): number for number, row in enumerate(zip(rows, places, strict=True))}
        class_of = []
        for each in self.part.class_rows:
            row = _class(each, numbers)
            number = known.setdefault(_as_key(row, dict(each.places)), len(rows))
            if number == len(rows):
                rows.append(row)
                places.append(dict(each.places))
            class_of.append(number)
        return rows, places, class_of

    # ---------------------------------------------------------------------------------------------------- edges
    def _edges(self, named: list[int], when: list[int], condition_type: str) -> dict[str, Column]:
        """The columns of edges in both directions. ``named`` and ``when``: the new numbers of the part's attributes and
        conditions."""
        edges = self.part.edges
        targets = renumbered(edges.target, self.number_of)
        attributes = renumbered(edges.attribute, named, "<u2")
        conditions = renumbered(edges.condition, when, condition_type)
        first, target, flags = array("i"), array("i"), array("H")
        attribute, condition = array("H"), array(FORMATS[condition_type])
        for piece in self.pieces:
            if isinstance(piece, tuple):
                old = self._column("first_edge")[piece[0] : piece[1] + 1]
                append(first, moved_on(old[:-1], len(target) - old[0]))
                own = slice(old[0], old[-1])
                append(target, moved(self._column("edge_target")[own], self.order.moved))
                append(attribute, self._column("edge_attribute")[own])
                append(condition, self._column("edge_condition")[own])
                append(flags, self._column("edge_flags")[own])
                continue
            slices = list(self._slices(piece, first, len(target)))
            append_slices(target, targets, slices)
            append_slices(attribute, attributes, slices)
            append_slices(condition, conditions, slices)
            append_slices(flags, edges.flags, slices)
        first.append(len(target))
        return {
            "first_edge": ("<i4", first),
            "edge_target": ("<i4", target),
            "edge_attribute": ("<u2", attribute),
            "edge_condition": (condition_type, condition),
            "edge_flags": ("<u2", flags),
            **Users(self.old, self.order, first, target, flags).columns(),
            "package_possible": ("|u1", self._possible(first, flags)),
        }

    def _slices(self, nodes: Iterable[int], first: Numbers, size: int) -> Iterator[slice]:
        """The edges of nodes of the part; where they will begin is added to ``first``. ``size``: how many there are."""
        edges, begin, end = self.part.edges, 0, 0
        for node in nodes:
            first.append(size)
            count = edges.counts[node] if node != NOWHERE else 0
            if not count:
                continue
            size += count
            if edges.first[node] != end:
                if begin < end:
                    yield slice(begin, end)
                begin = edges.first[node]
            end = edges.first[node] + count
        if begin < end:
            yield slice(begin, end)

    def _possible(self, first: Numbers, flags: Numbers) -> bytearray:
        """Whether each package has an edge that is only possible."""
        found = bytearray(len(self.order.keys))
        doubtful = {each for each in set(self.part.edges.flags) if each & _POSSIBLE}
        before = self._column("package_possible") if self.old.graph is not None else b""
        for number, key in enumerate(self.order.keys):
            if key in self.order.anew:
                own = slice(first[self.order.first[number]], first[self.order.first[number + 1]])
                found[number] = not doubtful.isdisjoint(flags[own])
            elif key in self.old.number_of:
                found[number] = before[self.old.number_of[key]]
        return found


def _with_more(before: list[T], more: Iterable[T]) -> tuple[list[T], list[int]]:
    """A table with what it lacks behind it, and the numbers there of ``more``."""
    numbers = {value: number for number, value in enumerate(before)}
    found = [numbers.setdefault(value, len(numbers)) for value in more]
    return list(numbers), found


def _class(row: ClassRow, number_of: dict[str, int]) -> KeptClass:
    order = [number_of[each] for each in row.attributes if each in number_of]
    brought = sorted(number_of[each] for each in row.brought if each in number_of)
    return row.name, row.words, row.unknown, order, brought, row.bzl


def _as_key(row: KeptClass, places: Places) -> tuple[object, ...]:
    name, words, unknown, order, brought, bzl = row
    return name, words, unknown, tuple(order), tuple(brought), bzl, tuple(places.items())
