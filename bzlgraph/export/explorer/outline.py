"""An exploration that is too large for one page, in parts: (exploration, what a reader looks at) -> data of a page.

Rules
- What is looked at is there target by target: packages that are open; targets that are named, with their neighbours;
  all that is on the ways between two.
- All other targets of a package, or of a folder that is closed, are one node that stands for them (``stands``). Its
  edges stand for theirs (``weights``) and are of no attribute.
- What a configuration needs is told per node, because edges between nodes that stand for others lead too far.

``web/src/parts.ts`` asks for what this gives. numpy does what would take a second for each million edges.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bzlgraph.config.verdict import Truth
from bzlgraph.explore.exploration import Exploration, ShownEdges
from bzlgraph.export.explorer.asked import Asked
from bzlgraph.export.explorer.columns import NOTHING, PageColumns, totals
from bzlgraph.export.explorer.folders import Folders, Unit, Units
from bzlgraph.export.row_formats.row_table import Row
from bzlgraph.graph.model import EdgeFlag, NodeKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Marks = NDArray[np.bool_]

MOST_NEIGHBOURS = 2_000
"""Neighbours of a target that are there one by one, in each direction."""
MOST_BETWEEN = 30_000
"""Targets between two; of more, those of the shortest ways."""
MOST_MATCHES = 30
_HIDING = {
    "implicit": EdgeFlag.IMPLICIT,
    "tools": EdgeFlag.TOOL,
    "possible": EdgeFlag.POSSIBLE,
    "conditions": EdgeFlag.KEY,
    "visibility": EdgeFlag.VISIBILITY | EdgeFlag.NODEP,
}
"""What the page may hide: a word of its state -> edges with any of these flags (as ``web/src/sieve.ts``)."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """Edges between packages: each key is there once, with how many edges have it, its packages, and of what kind they
    are: condition and flags."""

    keys: Numbers
    counts: Numbers
    source: Numbers
    target: Numbers
    kind: Numbers


class Outline:
    """One exploration, ready to be asked for parts."""

    def __init__(self, exploration: Exploration, evidence: Iterable[Row] = ()) -> None:
        self._of, self._evidence = exploration, list(evidence)
        graph, edges = exploration.graph, exploration.edges
        names = [graph.labels[node] for node in exploration.nodes]
        self.labels = [str(label) for label in names]
        self._places = {label: place for place, label in enumerate(self.labels)}
        self._folders = Folders([(label.repo, label.package) for label in names])
        self._package = np.asarray(self._folders.package_of, dtype=np.int64)
        counts = np.frombuffer(edges.counts, dtype=np.int32)
        self._source = np.repeat(np.arange(len(names), dtype=np.int32), counts)
        self._target = np.frombuffer(edges.target, dtype=np.int32)
        self._attribute = np.frombuffer(edges.attribute, dtype=np.int32)
        self._condition = np.frombuffer(edges.condition, dtype=np.int32)
        self._flags = np.frombuffer(edges.flags, dtype=np.uint16)
        self._first = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        self._into = np.argsort(self._target, kind="stable")
        self._into_first = np.concatenate([[0], np.cumsum(np.bincount(self._target, minlength=len(names)))])
        self._sums: dict[tuple[str, ...], _Sums] = {}
        self._needs: dict[str, Marks] = {}

    # ---------------------------------------------------------------------------------------------- answers
    def part(self, asked: Asked) -> bytes:
        """What is looked at and what stands for the rest, as JSON."""
        exact = self._exact(asked)
        hidden = self._hidden(asked)
        units = self._folders.units(frozenset(asked.open))
        nodes, identity, sizes = self._identities(exact, hidden, units)
        sub = replace(self._of, nodes=tuple(self._of.nodes[place] for place in nodes), edges=ShownEdges.none())
        columns = PageColumns(sub, self._evidence)
        data: dict[str, Any] = columns.data()
        self._stand_ins(data, [(unit, size) for unit, size in zip(units.units, sizes.tolist(), strict=True) if size])
        data["edges"] = self._edges(exact, hidden, identity, units.unit_of_package, asked, columns)
        data["totals"] = totals(self._of, len(self._target))
        data["needed"] = {
            words: self._any(self.needed(words), identity, len(data["nodes"]["name"]))
            for words in {asked.config, asked.versus}
            if self._scenario(words) is not None
        }
        return json.dumps(data, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    def find(self, text: str) -> bytes:
        """The likeliest labels and groups that a typed text means, as JSON: ``[label, whether it is a group]``; in the
        order of ``web/src/search.ts``."""
        words = text.lower().split()
        if not words:
            return b"[]"
        found = [
            (rank(low, words), len(low), low, number)
            for number, low in enumerate(self._searched)
            if all(word in low for word in words)
        ]
        best = [number for *_, number in sorted(found)[:MOST_MATCHES]]
        own = len(self.labels)
        rows = [[(self.labels[n] if n < own else self._folders.keys[n - own]), n >= own] for n in best]
        return json.dumps(rows).encode("ascii")

    @cached_property
    def _searched(self) -> list[str]:
        return [each.lower() for each in (*self.labels, *self._folders.keys)]

    # ----------------------------------------------------------------------------------------- what is exact
    def _exact(self, asked: Asked) -> Marks:
        """The targets that are there one by one."""
        marks = np.zeros(len(self.labels), dtype=bool)
        for first, end in self._folders.open_packages(asked.open):
            marks[first:end] = True
        marks[self._known([*asked.focus, *asked.down, *asked.up, asked.start, asked.end, asked.selected])] = True
        marks[self._known(str(label) for row in self._evidence for label in _listed(row))] = True
        for labels, up in ((asked.down, False), (asked.up, True), ([asked.selected], False), ([asked.selected], True)):
            for place in self._known(labels):
                ends = self._neighbours(place, up)[:MOST_NEIGHBOURS]
                marks[ends] = True
                for end in ends.tolist():
                    marks[self._makers(end)] = True
        if asked.start in self._places and asked.end in self._places:
            marks |= self._between(self._places[asked.start], self._places[asked.end], asked)
        return marks

    def _known(self, labels: Iterable[str]) -> list[int]:
        return [self._places[label] for label in labels if label in self._places]

    def _neighbours(self, place: int, up: bool) -> Numbers:
        """What needs a target, or what it needs, in order of labels."""
        if up:
            edges = self._into[self._into_first[place] : self._into_first[place + 1]]
            return np.unique(self._source[edges]).astype(np.int64)
        return np.unique(self._target[self._first[place] : self._first[place + 1]]).astype(np.int64)

    def _makers(self, place: int) -> Numbers:
        """The rule that makes a generated file."""
        run = slice(self._first[place], self._first[place + 1])
        ends: Numbers = self._target[run][(self._flags[run] & EdgeFlag.OUTPUT) != 0].astype(np.int64)
        return ends

    def _between(self, start: int, end: int, asked: Asked) -> Marks:
        """What is on a way from one to the other; where that is very much, on a shortest one."""
        unwanted = sum(int(_HIDING[kind]) for kind in asked.hide if kind in _HIDING)
        allowed = (self._flags & unwanted) == 0
        ahead, behind = self._distances([start], allowed), self._distances([end], allowed, backwards=True)
        on_a_way = (ahead >= 0) & (behind >= 0)
        if np.count_nonzero(on_a_way) > MOST_BETWEEN:
            on_a_way &= ahead + behind == ahead[end]
        return on_a_way

    def _distances(self, starts: Iterable[int], allowed: Marks, backwards: bool = False) -> Numbers:
        """Steps from the starts, or to them, along edges that are allowed; -1 where there is no way."""
        first, order = (self._into_first, self._into) if backwards else (self._first, None)
        ends = self._source if backwards else self._target
        found = np.full(len(self.labels), -1, dtype=np.int64)
        wave, step = np.asarray(list(starts), dtype=np.int64), 0
        found[wave] = 0
        while len(wave):
            step += 1
            places = _runs(first[wave], first[wave + 1])
            edges = places if order is None else order[places]
            reached = np.unique(ends[edges[allowed[edges]]])
            wave = reached[found[reached] < 0].astype(np.int64)
            found[wave] = step
        return found

    # ------------------------------------------------------------------------------------- what is not exact
    def _hidden(self, asked: Asked) -> Marks:
        """Targets that count for nothing where they are not there one by one."""
        marks = np.zeros(len(self.labels), dtype=bool)
        for kind in self._kinds_hidden(asked):
            marks |= self._of_kind[kind]
        return marks

    def _kinds_hidden(self, asked: Asked) -> tuple[str, ...]:
        return tuple(kind for kind in ("tests", "files") if kind in asked.hide)

    @cached_property
    def _of_kind(self) -> dict[str, Marks]:
        graph, nodes = self._of.graph, self._of.nodes
        classes = (graph.rule_class(node) for node in nodes)
        tests = np.fromiter((each is not None and each.test for each in classes), dtype=bool, count=len(nodes))
        files = np.fromiter((graph.kinds[node] == NodeKind.SOURCE for node in nodes), dtype=bool, count=len(nodes))
        return {"tests": tests, "files": files}

    def _identities(self, exact: Marks, hidden: Marks, units: Units) -> tuple[list[int], Numbers, Numbers]:
        """The places that are there one by one, the node on the page of every place (-1: none), the size of units."""
        nodes = np.flatnonzero(exact)
        unit = np.asarray(units.unit_of_package, dtype=np.int64)[self._package]
        counted = ~exact & ~hidden
        sizes = np.bincount(unit[counted], minlength=len(units.units))
        number = np.cumsum(sizes > 0) - 1
        identity = np.where(counted, len(nodes) + number[unit], -1)
        identity[nodes] = np.arange(len(nodes))
        return nodes.tolist(), identity, sizes

    def _stand_ins(self, data: dict[str, Any], units: list[tuple[Unit, int]]) -> None:
        """Adds the nodes that stand for others behind those that stand for themselves."""
        columns = data["nodes"]
        columns["stands"] = [0] * len(columns["name"])
        data["kinds"].append({"words": "targets that are not loaded", "test": False, "family": ""})
        empty = {"name": "…", "kind": len(data["kinds"]) - 1, "root": 0, "only": 0, "frame": NOTHING, "macro": NOTHING}
        for unit, size in units:
            for name, value in {**empty, "values": [], "stands": size}.items():
                columns[name].append(value)
            packed = {"repository": unit.repository, "name": unit.path, "count": 1, "gaps": [], "broken": False}
            data["packages"].append({**packed, "rest": "folder" if unit.folder else "package"})

    def _edges(
        self, exact: Marks, hidden: Marks, identity: Numbers, unit_of_package: list[int], asked: Asked,
        columns: PageColumns,
    ) -> dict[str, list[int]]:  # fmt: skip
        """Those of what is there one by one as they are, those of the rest in sums."""
        touch = self._touching(exact)
        own = np.stack([identity[self._source[touch]], identity[self._target[touch]], self._attribute[touch] + 1,
                        self._condition[touch], self._flags[touch]])  # fmt: skip
        own = own[:, (own[0] >= 0) & (own[1] >= 0)]
        sums = self._summed(self._kinds_hidden(asked))
        seen = touch[~hidden[self._source[touch]] & ~hidden[self._target[touch]]]
        here = np.searchsorted(sums.keys, self._keys(seen))
        counts = sums.counts - np.bincount(here, minlength=len(sums.keys))
        shown = np.full(len(unit_of_package), -1, dtype=np.int64)
        counted = ~exact & ~hidden
        shown[self._package[counted]] = identity[counted]
        rows, weights = _joined(_merged(own), self._rest(sums, counts, shown))
        known = {number: columns.attribute(number - 1) for number in np.unique(rows[2]).tolist()}
        many = int(max(identity.max(initial=-1), shown.max(initial=-1))) + 1
        return {
            "count": np.bincount(rows[0], minlength=many).tolist(),
            "target": rows[1].tolist(),
            "attribute": [known[number] for number in rows[2].tolist()],
            "condition": rows[3].tolist(),
            "flags": rows[4].tolist(),
            "weights": weights.tolist(),
        }

    def _rest(self, sums: _Sums, counts: Numbers, shown: Numbers) -> tuple[Numbers, Numbers]:
        """What is left of sums, between the nodes that stand for their packages: one row per pair and kind of edge."""
        source, target = shown[sums.source], shown[sums.target]
        there = (counts > 0) & (source != target)
        many, kinds = int(shown.max(initial=0)) + 1, len(self._of.conditions) * _FLAGS
        keys = (source[there] * many + target[there]) * kinds + sums.kind[there]
        found, places = np.unique(keys, return_inverse=True)
        weights = np.bincount(places, weights=counts[there], minlength=len(found)).astype(np.int64)
        pair, kind = np.divmod(found, kinds)
        ends = np.divmod(pair, many)
        return np.stack([*ends, np.zeros_like(kind), *np.divmod(kind, _FLAGS)]), weights

    def _touching(self, exact: Marks) -> Numbers:
        """The edges that start or end at what is there one by one: found from their ends, not among all edges."""
        places = np.flatnonzero(exact)
        out = _runs(self._first[places], self._first[places + 1])
        into = self._into[_runs(self._into_first[places], self._into_first[places + 1])]
        return np.concatenate([out, into[~exact[self._source[into]]]])

    def _summed(self, kinds: tuple[str, ...]) -> _Sums:
        """All edges, without those of targets of some kinds, as sums between packages."""
        found = self._sums.get(kinds)
        if found is None:
            edges = np.arange(len(self._target))
            for kind in kinds:
                marks = self._of_kind[kind]
                edges = edges[~marks[self._source[edges]] & ~marks[self._target[edges]]]
            keys, counts = np.unique(self._keys(edges), return_counts=True)
            pair, what = np.divmod(keys, len(self._of.conditions) * _FLAGS)
            found = self._sums[kinds] = _Sums(keys, counts, *np.divmod(pair, len(self._folders.packages)), what)
        return found

    def _keys(self, edges: Numbers) -> Numbers:
        """One number per edge: its packages, its condition, its flags."""
        pair = self._package[self._source[edges]] * len(self._folders.packages) + self._package[self._target[edges]]
        return (pair * len(self._of.conditions) + self._condition[edges]) * _FLAGS + self._flags[edges]

    # ------------------------------------------------------------------------------------------ configurations
    def _scenario(self, words: str) -> tuple[Truth, ...] | None:
        return next((each.truths for each in self._of.scenarios if each.words == words), None)

    def needed(self, words: str) -> Marks:
        """The targets that a configuration needs."""
        found = self._needs.get(words)
        if found is None:
            truths = np.array([truth is not Truth.NO for truth in self._scenario(words) or ()])
            roots = [place for place, node in enumerate(self._of.nodes) if node in self._of.roots]
            found = self._needs[words] = self._distances(roots, truths[self._condition]) >= 0
        return found

    @staticmethod
    def _any(marks: Marks, identity: Numbers, count: int) -> list[int]:
        """Per node of the page: whether one of the targets that it stands for is marked."""
        met = np.bincount(identity[marks & (identity >= 0)], minlength=count)
        return [int(each > 0) for each in met.tolist()]


_FLAGS = 2 * max(EdgeFlag)


def rank(label: str, words: list[str]) -> int:
    """The smaller, the likelier a label is meant by words that are all in it."""
    name = label.rpartition(":")[2].rpartition("/")[2] if ":" not in label else label.rpartition(":")[2]
    tests = (label == words[0], name == words[0], name.startswith(words[0]), words[0] in name)
    return tests.index(True) if True in tests else len(tests)


def _runs(first: Numbers, end: Numbers) -> Numbers:
    """The numbers of several ranges, one range after another."""
    lengths = end - first
    total = int(lengths.sum())
    starts = np.repeat(first - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
    return starts + np.arange(total)


def _merged(rows: Numbers) -> tuple[Numbers, Numbers]:
    """Columns of which each is there once, in order of their first number, and how often each was there."""
    if not rows.shape[1]:
        return rows, np.zeros(0, dtype=np.int64)
    rows = rows[:, np.lexsort(rows[::-1])]
    fresh = np.concatenate([[True], (rows[:, 1:] != rows[:, :-1]).any(axis=0)])
    places = np.flatnonzero(fresh)
    return rows[:, fresh], np.diff(places, append=rows.shape[1])


def _joined(one: tuple[Numbers, Numbers], other: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
    """Two sets of such columns that share none, as one."""
    rows, weights = np.concatenate([one[0], other[0]], axis=1), np.concatenate([one[1], other[1]])
    order = np.argsort(rows[0], kind="stable")
    return rows[:, order], weights[order]


def _listed(row: Row) -> list[object]:
    """The targets of a row of evidence (``op_formats.rows.COLUMNS``)."""
    targets = row[6]
    return targets if isinstance(targets, list) else []
