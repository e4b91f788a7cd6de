"""Edges against their direction: what leads to each node, those of an older graph with those that are written anew."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, compress, count, repeat
from operator import sub
from typing import TYPE_CHECKING

from bzlgraph.graph.index import EDGES_WORTH_NUMPY
from bzlgraph.snapshot.making.numbers import append, moved, moved_on, renumbered
from bzlgraph.snapshot.making.order import Old, Order

if TYPE_CHECKING:
    from bzlgraph.snapshot.mapped import Column

    Numbers = array[int]
    User = tuple[int, int]
    """A node that has an edge to another, and the flags of the edge."""


class Users:
    """Edges, given as the columns ``first_edge``, ``edge_target`` and ``edge_flags`` of the new graph, turned round."""

    def __init__(self, old: Old, order: Order, first: Numbers, target: Numbers, flags: Numbers) -> None:
        self._old = old
        self._order = order
        self._edges = first, target, flags
        self._first = array("i")
        self._users = array("i")
        self._flags = array("H")

    def columns(self) -> dict[str, Column]:
        """``first_user``, ``users`` and ``user_flags``: those that lead to one node stand in their own order."""
        first, target, _ = self._edges
        written = sum(
            first[start + len(piece)] - first[start]
            for start, piece in zip(self._order.starts(), self._order.pieces, strict=True)
            if isinstance(piece, list)
        )
        if self._old.graph is None or 2 * written > len(target):
            self._turn_round()
        else:
            self._splice(*map(self._old.graph.whole, ("first_user", "users", "user_flags")))
        return {
            "first_user": ("<i4", self._first),
            "users": ("<i4", self._users),
            "user_flags": ("<u2", self._flags),
        }

    # ------------------------------------------------------------------------------------------------ all of them
    def _turn_round(self) -> None:
        first, target, flags = self._edges
        counts = map(sub, first[1:], first)
        sources = chain.from_iterable(map(repeat, count(), counts))
        if len(target) >= EDGES_WORTH_NUMPY:
            backwards, users = _by_end(target, len(self._order))
            self._first.fromlist(list(accumulate(users, initial=0)))
            append(self._users, renumbered(backwards, list(sources)))
            append(self._flags, renumbered(backwards, flags, "<u2"))
            return
        leading = Counter(target)
        self._first.fromlist(list(accumulate(map(leading.__getitem__, range(len(self._order))), initial=0)))
        self._users, self._flags = array("i", bytes(4 * len(target))), array("H", bytes(2 * len(target)))
        users_of, flags_of, place = self._users, self._flags, self._first.tolist()
        for source, end, flag in zip(
            sources, target, flags, strict=True
        ):  # lists of edges would take 60 bytes for each
            at = place[end]
            users_of[at], flags_of[at], place[end] = source, flag, at + 1

    # ------------------------------------------------------------------------------------------- with an older graph
    def _splice(self, first: memoryview, users: memoryview, flags: memoryview) -> None:
        written, gone = self._written(), self._gone()
        size = len(first) - 1
        ends = sorted({*written, *(self._order.new_number(end) for end in self._named_by(gone))})
        stays = bytearray([1]) * size
        for nodes in gone:
            stays[nodes.start : nodes.stop] = bytes(len(nodes))

        def copy(begin: int, end: int) -> None:
            own = slice(first[begin], first[end])
            append(self._first, moved_on(first[begin:end], len(self._users) - first[begin]))
            append(self._users, moved(users[own], self._order.moved))
            append(self._flags, flags[own])

        def merge(before: int | None, node: int) -> None:
            self._first.append(len(self._users))
            own = slice(first[before], first[before + 1]) if before is not None else slice(0)
            staying = bytes(map(stays.__getitem__, users[own]))
            kept = moved(array("i", list(compress(users[own], staying))), self._order.moved)
            found, of_each = array("i", kept.tobytes()), array("H", list(compress(flags[own], staying)))
            for user, each in written.get(node, ()):
                at = bisect_right(found, user)
                found.insert(at, user)
                of_each.insert(at, each)
            self._users += found
            self._flags += of_each

        for start, piece in zip(self._order.starts(), self._order.pieces, strict=True):
            if isinstance(piece, list):
                for node, label in enumerate(piece, start):
                    merge(self._old.node(label), node)
                continue
            begin, end = piece
            for node in ends[bisect_left(ends, start) : bisect_left(ends, start + end - begin)]:
                before = piece[0] + node - start
                copy(begin, before)
                merge(before, node)
                begin = before + 1
            copy(begin, end)
        self._first.append(len(self._users))

    def _written(self) -> dict[int, list[User]]:
        """What is written anew, by where it leads."""
        first, target, flags = self._edges
        found: dict[int, list[User]] = {}
        for start, piece in zip(self._order.starts(), self._order.pieces, strict=True):
            if isinstance(piece, list):
                for node in range(start, start + len(piece)):
                    for edge in range(first[node], first[node + 1]):
                        found.setdefault(target[edge], []).append((node, flags[edge]))
        return found

    def _gone(self) -> list[range]:
        """The nodes of the older graph whose edges no longer count."""
        return [self._old.range(key) for key in self._order.anew if key in self._old.number_of]

    def _named_by(self, nodes: Iterable[range]) -> Iterator[int]:
        """What their edges led to."""
        assert self._old.graph is not None, "nodes of an older graph"
        first, targets = map(self._old.graph.whole, ("first_edge", "edge_target"))
        return chain.from_iterable(targets[first[each.start] : first[each.stop]] for each in nodes)


def _by_end(targets: Numbers, nodes: int) -> tuple[Sequence[int], Iterable[int]]:
    """The numbers of edges in the order of where they lead, those to one node in their own; how many lead to each."""
    import numpy as np

    ends = np.asarray(targets)
    return memoryview(np.argsort(ends, kind="stable").data), np.bincount(ends, minlength=nodes).tolist()
