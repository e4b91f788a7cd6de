"""Parts -> the columns and tables of one graph: nodes in the order of their labels, and their edges in that order."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, compress, count, repeat
from operator import eq, sub
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label, RepoMapping
from bzlgraph.graph.index import WORTH_NUMPY
from bzlgraph.graph.model import EdgeFlag, NodeKind
from bzlgraph.snapshot.kept import LOADED, PENDING
from bzlgraph.snapshot.making.parts import ClassRow, Edges, PackageKey, Part
from bzlgraph.snapshot.mapped import packed

if TYPE_CHECKING:
    from bzlgraph.base.codec import Plain
    from bzlgraph.snapshot.making.parts import KeptClass, Numbers
    from bzlgraph.snapshot.mapped import Column

_POSSIBLE = int(EdgeFlag.POSSIBLE)
SHORT = 1 << 16
"""So many things have numbers of two bytes."""
_TYPES = {"|u1": "B", "<u2": "H", "<i4": "i"}


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of repositories, packages and nodes, and the part that each package counts in."""

    canonical: dict[str, str]
    """The canonical name of each repository."""
    labels: list[Label]
    rank: dict[Label, int]
    keys: list[PackageKey]
    number_of: dict[PackageKey, int]
    home: dict[PackageKey, Part]


def merged(parts: list[Part], mapping: RepoMapping) -> dict[str, Column]:
    """Columns and tables of all parts together; of a package in more than one the first part's counts."""
    numbering = _numbering(parts, mapping)
    edges = _edges(parts, numbering)
    package_of = array("i", (numbering.number_of[label[:2]] for label in numbering.labels))
    return {
        **_packages(numbering, package_of),
        **_nodes(parts, numbering, edges.attributes),
        **_edge_columns(edges, package_of, len(numbering.keys)),
        **_tables(parts, numbering),
        "package_of": column("<i4", package_of),
        "attributes": packed(edges.attributes),
        "conditions": packed(edges.conditions),
        "names": packed(_names(numbering, mapping)),
    }


def column(kind: str, numbers: Iterable[int]) -> Column:
    """Numbers as a column of that type."""
    if isinstance(numbers, array) and numbers.typecode == _TYPES[kind]:
        return kind, numbers
    return kind, array(_TYPES[kind], list(numbers))  # which takes a list in half the time of what is iterated


def _numbering(parts: list[Part], mapping: RepoMapping) -> Numbering:
    home = {key: part for part in reversed(parts) for key in part.status}
    labels = list(dict.fromkeys(label for part in parts for label in part.labels))
    keys = list({*home, *(label[:2] for label in labels)})
    canonical = {repo: mapping.canonical(repo) for repo, _ in keys}
    keys.sort(key=lambda key: (canonical[key[0]], key[1]))
    number_of = {key: number for number, key in enumerate(keys)}
    labels.sort(key=lambda label: (number_of[label[:2]], label.name))
    rank = {label: number for number, label in enumerate(labels)}
    return Numbering(canonical, labels, rank, keys, number_of, home)


def _names(numbering: Numbering, mapping: RepoMapping) -> tuple[dict[str, str], dict[str, str], bool]:
    """Canonical names by repository, repositories by the name that people type, whether the two orders are one."""
    canonical = numbering.canonical
    apparent = {repo: repo for repo in canonical if repo and mapping("", repo) == repo}
    return canonical, apparent, all(repo == name for repo, name in canonical.items())


def _packages(numbering: Numbering, package_of: Numbers) -> dict[str, Column]:
    keys, home = numbering.keys, numbering.home
    repositories = sorted({repo for repo, _ in keys})
    at = {repo: number for number, repo in enumerate(repositories)}
    undeclared = [home[key].undeclared.get(key, 0) if key in home else 0 for key in keys]
    return {
        "packages": packed((repositories, [at[repo] for repo, _ in keys], [name for _, name in keys])),
        "package_first": column("<i4", _offsets(_counts(package_of, len(keys)))),
        "package_status": column("|u1", [home[key].status[key] if key in home else PENDING for key in keys]),
        "package_undeclared": column("|u1", undeclared),
    }


def _nodes(parts: list[Part], numbering: Numbering, attributes: list[str]) -> dict[str, Column]:
    """The columns of nodes, and the tables of classes and calls, equal ones once."""
    rank, home = numbering.rank, numbering.home
    kinds, classes = _not_named(numbering), array("H", bytes(2 * len(rank)))
    rows, calls, frames = {ClassRow(): 0}, array("i", bytes(4 * len(rank))), dict[object, int]({None: 0})
    for part in parts:
        numbers = [rows.setdefault(row, len(rows)) for row in part.class_rows]
        called = [frames.setdefault(each, len(frames)) for each in part.frames]
        of_nodes = zip(part.labels, part.kinds, part.classes, part.calls, strict=True)
        for label, kind, class_number, call in of_nodes:
            if home.get(label[:2]) is part:
                node = rank[label]
                kinds[node], classes[node], calls[node] = kind, numbers[class_number], called[call]
    number_of = {name: number for number, name in enumerate(attributes)}
    lines = [f"{label}\n" for label in numbering.labels]
    texts = "".join(lines).encode("utf-8", "surrogatepass")
    same = len(texts) == sum(map(len, lines))
    sizes = map(len, lines if same else (line.encode("utf-8", "surrogatepass") for line in lines))
    return {
        "kinds": column("|u1", kinds),
        "class_of": column("<u2", classes),
        "call_of": column("<i4" if len(frames) > SHORT else "<u2", calls),
        "calls": packed(list(frames)),
        "classes": packed([_class(row, number_of) for row in rows]),
        "text_at": column("<i4", _offsets(sizes)),
        "texts": ("|u1", texts),
    }


def _not_named(numbering: Numbering) -> bytearray:
    """The kinds of nodes as if no part that counts named them: one part may name what is a package of another."""
    kinds = bytearray([NodeKind.PENDING]) * len(numbering.labels)
    for node, label in enumerate(numbering.labels):
        part = numbering.home.get(label[:2])
        if part is not None:
            status = part.status[label[:2]]
            kinds[node] = part.undeclared[label[:2]] if status == LOADED else status
    return kinds


def _class(row: ClassRow, number_of: dict[str, int]) -> KeptClass:
    order, brought = (
        [number_of[each] for each in names if each in number_of] for names in (row.attributes, row.brought)
    )
    return row.name, row.words, row.unknown, order, brought, row.bzl


def _edges(parts: list[Part], numbering: Numbering) -> Edges:
    """The edges of each node from the part that its package counts in."""
    attributes: dict[str, int] = {}
    conditions: dict[Plain, int] = {}
    ranks = [[numbering.rank[label] for label in part.labels] for part in parts]
    # From the last on: those of an older graph, which has most, keep their numbers.
    for part in reversed(parts):
        for name in part.edges.attributes:
            attributes.setdefault(name, len(attributes))
        for each in part.edges.conditions:
            conditions.setdefault(each, len(conditions))
    names = [[attributes[name] for name in part.edges.attributes] for part in parts]
    when = [[conditions[each] for each in part.edges.conditions] for part in parts]
    renumber = [[_renumber(each) for each in numbers] for numbers in zip(ranks, names, when, strict=True)]
    counted: list[tuple[int, int] | None] = [None] * len(numbering.labels)
    for number, part in enumerate(parts):
        for node, label in enumerate(part.labels):
            if part.edges.counts[node] and numbering.home.get(label[:2]) is part:
                counted[ranks[number][node]] = (number, node)
    first, runs = _runs(parts, counted)
    few = len(conditions) <= SHORT
    target, attribute, condition, flags = array("i"), array("H"), array("H" if few else "i"), array("H")
    for number, begin, end in runs:
        edges, own = parts[number].edges, slice(begin, end)
        of_targets, of_attributes, of_conditions = renumber[number]
        _extend(target, of_targets(edges.target[own]))
        _extend(attribute, of_attributes(edges.attribute[own]))
        _extend(condition, of_conditions(edges.condition[own]))
        _extend(flags, edges.flags[own])
    counts = array("i", map(sub, first[1:], first))
    return Edges(list(attributes), list(conditions), first, counts, target, attribute, condition, flags)


def _renumber(numbers: Sequence[int]) -> Callable[[Numbers], Iterable[int]]:
    """What gives things their new numbers, by the old ones."""
    if all(map(eq, numbers, count())):
        return lambda same: same
    return partial(map, numbers.__getitem__)


def _extend(numbers: Numbers, more: Iterable[int]) -> None:
    """``extend``, which takes other arrays of the same type alone, and at once."""
    same = not isinstance(more, array) or more.typecode == numbers.typecode
    numbers.extend(more if same else iter(more))


def _runs(parts: list[Part], counted: Iterable[tuple[int, int] | None]) -> tuple[Numbers, list[tuple[int, int, int]]]:
    """Where the edges of each node begin; and the edges of all of them as (part, first, end), which are few where most
    come from an older graph. ``counted``: the part and the node there of each node that has edges."""
    first, runs = array("i", [0]), list[tuple[int, int, int]]()
    for found in counted:
        size = first[-1]
        if found is not None:
            number, node = found
            begin, count = parts[number].edges.first[node], parts[number].edges.counts[node]
            before = runs[-1] if runs else (-1, 0, 0)
            if (before[0], before[2]) == (number, begin):
                runs[-1] = (number, before[1], begin + count)
            else:
                runs.append((number, begin, begin + count))
            size += count
        first.append(size)
    return first, runs


def _edge_columns(edges: Edges, package_of: Numbers, packages: int) -> dict[str, Column]:
    """The columns of edges in both directions."""
    sources = list(chain.from_iterable(map(repeat, count(), edges.counts)))
    possible, doubtful = bytearray(packages), {flags for flags in set(edges.flags) if flags & _POSSIBLE}
    for node in set(compress(sources, map(doubtful.__contains__, edges.flags))):
        possible[package_of[node]] = 1
    backwards, users = _by_end(edges.target, len(package_of))
    return {
        "first_edge": column("<i4", edges.first),
        "edge_target": column("<i4", edges.target),
        "edge_attribute": column("<u2", edges.attribute),
        "edge_condition": column("<i4" if len(edges.conditions) > SHORT else "<u2", edges.condition),
        "edge_flags": column("<u2", edges.flags),
        "first_user": column("<i4", _offsets(users)),
        "users": column("<i4", map(sources.__getitem__, backwards)),
        "user_flags": column("<u2", map(list(edges.flags).__getitem__, backwards)),
        "package_possible": column("|u1", possible),
    }


def _by_end(targets: Numbers, nodes: int) -> tuple[Iterable[int], Iterable[int]]:
    """The numbers of edges in the order of where they lead, those to one node in their own; how many lead to each."""
    if len(targets) < WORTH_NUMPY:
        leading: list[list[int]] = [[] for _ in range(nodes)]  # half the time of sorting them
        for edge, end in enumerate(targets):
            leading[end].append(edge)
        return list(chain.from_iterable(leading)), map(len, leading)
    import numpy as np

    return memoryview(np.argsort(np.asarray(targets), kind="stable").data), _counts(targets, nodes)


def _counts(numbers: Iterable[int], size: int) -> list[int]:
    """How often each number below ``size`` is there."""
    counts = [0] * size
    for number in numbers:
        counts[number] += 1
    return counts


def _offsets(counts: Iterable[int]) -> Iterable[int]:
    return accumulate(counts, initial=0)


def _tables(parts: list[Part], numbering: Numbering) -> dict[str, Column]:
    """The tables of all parts, by the new numbers."""
    home, rank, number_of = numbering.home, numbering.rank, numbering.number_of
    tables: dict[str, Column] = {}
    for name in parts[0].of_labels:
        tables[name] = packed(
            {
                rank[key]: value
                for part in parts
                for key, value in part.of_labels[name].items()
                if home.get(key[:2]) is part
            }
        )
    for name in parts[0].of_packages:
        tables[name] = packed(
            {
                number_of[key]: value
                for part in parts
                for key, value in part.of_packages[name].items()
                if home.get(key) is part
            }
        )
    paths: dict[str, dict[PackageKey, None]] = {}
    for part in parts:
        for key, files in part.inputs.items():
            for path in files:
                paths.setdefault(path, {})[key] = None
    faults = {key: value for part in reversed(parts) for key, value in part.faults.items()}
    tables["diagnostics"] = packed({text: each for part in parts for text, each in part.diagnostics.items()})
    tables["origins"] = packed({repo: each for part in reversed(parts) for repo, each in part.origins.items()})
    tables["folders"] = packed({repo: each for part in reversed(parts) for repo, each in part.folders.items()})
    return {**tables, "inputs": packed({path: list(keys) for path, keys in paths.items()}), "faults": packed(faults)}
