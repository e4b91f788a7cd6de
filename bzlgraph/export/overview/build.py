"""Nodes of a graph -> overview: declutter, fold Bazel's tools, fold to the budget, list hubs, thin what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import Label
from bzlgraph.base.words import counted
from bzlgraph.export.overview.apart import FEW, taken_apart
from bzlgraph.export.overview.fold import Group, by_folder, by_package, by_repository, by_target
from bzlgraph.export.overview.join import by_macro, joined
from bzlgraph.export.overview.model import Bundle, Hub, Overview, Part, Tools
from bzlgraph.export.overview.quotient import Quotient
from bzlgraph.export.overview.thin import thin
from bzlgraph.export.pictures.declutter import NO_DEPENDENCY, Adjacency, bundles, only_named
from bzlgraph.export.pictures.elements import adjacency
from bzlgraph.export.pictures.palette import family
from bzlgraph.export.pictures.reduce import reduce
from bzlgraph.facts.built_in import is_own_tool
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView

MAX_NODES = 60
COLLAPSES = ("auto", "none", "package", "repo")
FEWEST_USERS, HUB_SHARE = 10, 0.4
"""A part is a hub when at least that many others use it, and that share of all."""
MOST_HUBS = 6
MOST_ROOTS = 3
TOO_MANY = 5_000
"""More targets than that are not tried as boxes of their own."""
_MINOR = frozenset({"test", "source file", "generated file", "condition", "package group", "alias or group"})
"""Families that say little of a group."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How much is folded: ``collapse`` is one of COLLAPSES, ``fold`` some of ``macro``, ``chain`` and ``cycle``.
    ``max_nodes`` holds unless ``collapse`` is chosen by hand."""

    collapse: str = "auto"
    max_nodes: int | None = None
    reduced: bool = True
    tools: bool = False
    """Draw what Bazel brings along like everything else."""
    fold: tuple[str, ...] = ()
    hubs: bool = True
    """List at the side what is used by so many that their lines would hide all others."""
    named: tuple[str, ...] = ()
    """The labels of the question, as they were typed: what it is about is drawn however many use it."""


PLAIN = Shape()


def overview(
    graph: GraphView, nodes: Iterable[int], *, excluded_flags: int = 0, shape: Shape = PLAIN, title: str = ""
) -> Overview:
    """What is drawn of these nodes. Raises UsageProblem for a shape that is none."""
    if shape.collapse not in COLLAPSES:
        raise UsageProblem(f"collapse={shape.collapse}: expected one of {', '.join(COLLAPSES)}")
    everything = shape.collapse == "none"
    excluded = excluded_flags if everything else excluded_flags | NO_DEPENDENCY
    plain = adjacency(graph, nodes, excluded)
    hidden = set[int]() if everything else only_named(adjacency(graph, plain, excluded_flags), plain)
    shown = _without(plain, hidden)
    own = set() if shape.tools or everything else _own_tools(graph, shown)
    rest = _without(shown, own)
    quotient = _quotient(graph, rest, excluded, shape)
    bundles = quotient.bundles()
    roots = _roots(plain, quotient)
    parts = [_part(graph, group, number in roots) for number, group in enumerate(quotient.groups)]
    hubs = _hubs(parts, bundles, roots) if shape.hubs and shape.reduced and not everything else []
    hubs = [hub for hub in hubs if not _has(parts[hub], shape.named, graph)]
    left = [number for number in range(len(parts)) if number not in hubs]
    between = {pair: bundle for pair, bundle in bundles.items() if not set(pair) & set(hubs)}
    thinned = thin(left, between, roots, reduced=shape.reduced)
    place = {part: number for number, part in enumerate(thinned.order)}
    return Overview(
        title=title,
        parts=tuple(parts[number] for number in thinned.order),
        levels=tuple(thinned.levels[number] for number in thinned.order),
        lines=tuple(replace(line, upper=place[line.upper], lower=place[line.lower]) for line in thinned.lines),
        hubs=_listed(hubs, parts, bundles),
        tools=_tools(graph, shown, own) if own else None,
        hidden=tuple(sorted(hidden, key=graph.labels.__getitem__)),
        hidden_edges=_count(plain) - _count(shown),
        inside=quotient.inside,
        implied=tuple((place[a], place[b], bundle) for a, b, bundle in thinned.implied),
        others=len(parts) - 1,
        folded=_folded(len(rest), quotient.groups),
    )


def _without(successors: Mapping[int, Sequence[int]], gone: Set[int]) -> Adjacency:
    return {n: [end for end in ends if end not in gone] for n, ends in successors.items() if n not in gone}


def _count(successors: Mapping[int, Sequence[int]]) -> int:
    return sum(map(len, successors.values()))


def _own_tools(graph: GraphView, plain: Mapping[int, object]) -> set[int]:
    """The nodes that Bazel brings along, unless there is nothing else."""
    repositories = {graph.labels[node].repo for node in plain}
    own_repositories = {repo for repo in repositories if is_own_tool(repo)}
    return (
        {node for node in plain if graph.labels[node].repo in own_repositories}
        if own_repositories < repositories
        else set()
    )


def _quotient(graph: GraphView, rest: Mapping[int, Sequence[int]], excluded: int, shape: Shape) -> Quotient:
    """The nodes in the first way of grouping that keeps to the budget."""
    budget = shape.max_nodes or MAX_NODES
    by_hand: dict[str, Callable[[], list[Group]]] = {
        "none": lambda: by_target(rest, graph.labels),
        "package": lambda: by_package(rest, graph.labels),
        "repo": lambda: by_repository(rest, graph.labels),
    }
    tried: list[Callable[[], list[Group]]] = (
        [by_hand[shape.collapse]]
        if shape.collapse in by_hand
        else [lambda: _targets(graph, rest, shape), by_hand["package"]]
    )
    for make in tried:
        if len(rest) > TOO_MANY and make is not by_hand["package"] and shape.collapse == "auto":
            continue
        groups = make()
        if shape.collapse == "auto" and make is by_hand["package"] and len(groups) < min(FEW, budget):
            groups = taken_apart(graph, rest, groups, budget)
        quotient = joined(Quotient(graph, rest, groups, excluded), shape.fold)
        if len(quotient.groups) <= budget or (shape.max_nodes is None and shape.collapse != "auto"):
            return quotient
    return joined(Quotient(graph, rest, by_folder(rest, graph.labels, budget), excluded), shape.fold)


def _targets(graph: GraphView, rest: Mapping[int, Sequence[int]], shape: Shape) -> list[Group]:
    """Each target by itself; many files that only one target names are one group, as are those of one macro call."""
    groups = by_macro(graph, rest) if "macro" in shape.fold else []
    taken = {node for group in groups for node in group.members}
    for (user, _), files in bundles(graph, reduce(rest)).items():
        if not taken.intersection(files):
            label = graph.labels[user]
            kinds = {graph.kind_words(node) for node in files}
            kind = kinds.pop() if len(kinds) == 1 else "file"
            groups.append(Group(f"{len(files)} {kind}s of {label}", tuple(files), label.package_label))
            taken.update(files)
    return groups + by_target((node for node in rest if node not in taken), graph.labels)


def _roots(plain: Mapping[int, Sequence[int]], quotient: Quotient) -> frozenset[int]:
    """The groups of the targets that nothing else names, when they are few."""
    named = {end for ends in plain.values() for end in ends}
    found = frozenset(home for node in plain if node not in named and (home := quotient.home.get(node)) is not None)
    return found if len(found) <= MOST_ROOTS else frozenset()


def _part(graph: GraphView, group: Group, root: bool) -> Part:
    """A box. A group looks like most of its rules; one target like itself."""
    if len(group.members) == 1:
        node = graph.describe(group.members[0])
        made_by = f"made by {node.made_by}" if node.made_by else ""
        where = node.location.short if node.location else ""
        return Part(
            str(node.label),
            group.members,
            node.rule_class or node.kind_words,
            family(node.kind, node.rule_class),
            group.folder,
            root,
            ", ".join(filter(None, (where, made_by))),
        )
    families: Counter[str] = Counter()
    looks: dict[tuple[int, str], str] = {}
    for member in group.members:
        kind = NodeKind(graph.kinds[member])
        rule_class = graph.rule_class(member)
        key = kind, rule_class.name if rule_class else ""
        if key not in looks:
            looks[key] = family(*key)
        families[looks[key]] += 1
    rules = {name: count for name, count in families.items() if name not in _MINOR} or families
    look = min(rules, key=lambda name: (-rules[name], name))
    detail = group.detail or counted(len(group.members), "target")
    return Part(group.name, group.members, detail, look, group.folder, root)


def _hubs(parts: Sequence[Part], bundles: Mapping[tuple[int, int], Bundle], roots: Set[int]) -> list[int]:
    """Parts that so many others use that their lines would hide all others; the most used first."""
    users = Counter(target for _, target in bundles)
    enough = max(FEWEST_USERS, HUB_SHARE * (len(parts) - 1))
    found = [number for number, count in users.items() if count >= enough and number not in roots]
    return sorted(found, key=lambda number: (-users[number], parts[number].name))[:MOST_HUBS]


def _has(part: Part, named: Sequence[str], graph: GraphView) -> bool:
    """Whether one of the labels that were typed stands for one of the part's targets."""
    return any(_stands_for(text, graph.labels[member]) for text in named for member in part.members)


def _stands_for(text: str, label: Label) -> bool:
    """Whether a text may be the label, or its end: where a relative one was typed is not known here.

    >>> label = Label("", "tensorflow/core", "lib")
    >>> [_stands_for(text, label) for text in ("//tensorflow/core:lib", "core:lib", "lib", "ib", "//core:lib")]
    [True, True, True, False, False]
    """
    return any(
        whole == text
        or (whole.endswith(text) and text[0] != "/" and (text[0] == ":" or whole[-len(text) - 1] in "/:@"))
        for whole in (str(label), label.shorthand)
    )


def _listed(hubs: Sequence[int], parts: Sequence[Part], bundles: Mapping[tuple[int, int], Bundle]) -> tuple[Hub, ...]:
    """The hubs with who uses them and what they need. An edge between two hubs counts for the first of them."""
    listed, seen = [], set[int]()
    for hub in hubs:
        users = {parts[a].name: bundle.count for (a, b), bundle in bundles.items() if b == hub}
        needs = {parts[b].name: bundle.count for (a, b), bundle in bundles.items() if a == hub}
        edges = sum(bundle.count for pair, bundle in bundles.items() if hub in pair and not seen & set(pair))
        seen.add(hub)
        listed.append(Hub(parts[hub], users, needs, edges))
    return tuple(listed)


def _tools(graph: GraphView, shown: Mapping[int, Sequence[int]], own: Set[int]) -> Tools:
    repositories = Counter(graph.labels[node].repo for node in own)
    users = sum(node not in own and not own.isdisjoint(ends) for node, ends in shown.items())
    edges = sum(len(ends) if node in own else sum(end in own for end in ends) for node, ends in shown.items())
    return Tools(tuple(sorted(own, key=graph.labels.__getitem__)), dict(sorted(repositories.items())), users, edges)


def _folded(targets: int, groups: Sequence[Group]) -> str:
    """``12,008 targets folded into 42 boxes``, "" when each target is a box."""
    return f"{counted(targets, 'target')} folded into {counted(len(groups), 'box')}" if targets > len(groups) else ""
