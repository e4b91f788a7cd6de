"""Nodes of a graph -> ``Picture``: reduced, collapsed when there would be too many edges, in short words.

The budget counts edges, not nodes, because that is what a layout costs (measured: dot draws 300 edges at
once, 1,000 in seconds, 2,000 never). A picture that hides something says so below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.words import counted
from bzlgraph.export.pictures.collapse import BY_NAME, LEVELS, Grouped, Level, group
from bzlgraph.export.pictures.declutter import NO_DEPENDENCY, bundles, names, only_named
from bzlgraph.export.pictures.palette import LOOKS, family
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Box, Picture
from bzlgraph.export.pictures.reduce import reduce
from bzlgraph.graph.components import between, strong_components
from bzlgraph.graph.model import Edge, EdgeFlag, Node, Term, always_holds
from bzlgraph.graph.view import GraphView

EDGE_BUDGET = 300
BOX_WIDTH, BOX_HEIGHT = 180, 45
RANK_GAP = 45
GOOD_ASPECT = 1.5
COLLAPSES = ("auto", "none", "package", "repo")


def draw(
    graph: GraphView,
    nodes: Iterable[int],
    *,
    excluded_flags: int = 0,
    collapse: str = "auto",
    max_nodes: int | None = None,
    title: str = "",
) -> Picture:
    """A picture of the nodes and the edges among them. Raises UsageProblem for an unknown ``collapse``."""
    if collapse not in COLLAPSES:
        raise UsageProblem(f"collapse={collapse}: expected one of {', '.join(COLLAPSES)}")
    full = adjacency(graph, nodes, excluded_flags)
    if collapse == "none":
        return _of_targets(graph, full, excluded_flags, title, ())
    plain = adjacency(graph, full, excluded_flags | NO_DEPENDENCY)
    if collapse != "auto":
        return _of_groups(group(plain, graph.labels, BY_NAME[collapse]), BY_NAME[collapse], len(full), title)
    picture = _decluttered(graph, full, plain, excluded_flags, title)
    for level in LEVELS[1:]:
        if len(picture.arrows) <= EDGE_BUDGET and (max_nodes is None or len(picture.boxes) <= max_nodes):
            break
        picture = _of_groups(group(plain, graph.labels, level), level, len(full), title)
    return picture


def adjacency(graph: GraphView, nodes: Iterable[int], excluded_flags: int) -> dict[int, list[int]]:
    """The chosen nodes, by label, and the edges among them, each pair once."""
    labels = graph.labels
    chosen = sorted(set(nodes), key=labels.__getitem__)
    inside = set(chosen)
    result = {}
    for number in chosen:
        ends = graph.ends_of(number, excluded_flags)
        result[number] = sorted((ends & inside) - {number}, key=labels.__getitem__)
    return result


def _decluttered(
    graph: GraphView,
    full: Mapping[int, Sequence[int]],
    plain: Mapping[int, Sequence[int]],
    excluded_flags: int,
    title: str,
) -> Picture:
    """The first attempt: every target but conditions, and many files as one box."""
    hidden = only_named(full, plain)
    kept = {n: [end for end in ends if end not in hidden] for n, ends in plain.items() if n not in hidden}
    note = f"{len(hidden):,} condition{'s' * (len(hidden) != 1)} and package groups hidden"
    return _of_targets(graph, kept, excluded_flags | NO_DEPENDENCY, title, (note,) if hidden else (), bundle=True)


def _of_targets(
    graph: GraphView,
    full: Mapping[int, Sequence[int]],
    excluded_flags: int,
    title: str,
    notes: tuple[str, ...],
    *,
    bundle: bool = False,
) -> Picture:
    reduced = reduce(full)
    bundled = bundles(graph, reduced) if bundle else {}
    inside = {number for files in bundled.values() for number in files}
    described = {number: graph.describe(number) for number in full if number not in inside}
    framed = _packages_with_several(described.values())
    boxes = [_box(node, framed) for node in described.values()]
    arrows: list[Arrow] = []
    for number in described:
        reasons = graph.edges_by_end(number, excluded_flags)
        ends = (end for end in reduced[number] if end not in inside)
        arrows += (
            arrow([graph.edge(each) for each in reasons[end]], described[number], described[end]) for end in ends
        )
    for (user, onward), files in bundled.items():
        box_of_files = _bundle(graph, described[user], len(boxes), files, framed)
        boxes.append(box_of_files)
        few, tooltip, count = box_of_files.id, box_of_files.tooltip, len(files)
        arrows.append(Arrow(str(described[user].label), few, tooltip=tooltip, count=count))
        arrows += [Arrow(few, str(graph.labels[end]), tooltip=tooltip, count=count) for end in onward]
    hidden = sum(map(len, full.values())) - sum(map(len, reduced.values()))
    return Picture(title, tuple(boxes), tuple(arrows), (*notes, *_notes(hidden)), is_deep(reduced))


def _bundle(graph: GraphView, user: Node, position: int, files: Sequence[int], framed: frozenset[str]) -> Box:
    """One box for many files of one target."""
    kinds = {graph.kind_words(number) for number in files}
    kind = kinds.pop() if len(kinds) == 1 else "file"
    package = user.label.package_label
    family_name = kind if kind in LOOKS else "source file"
    frame, listed = package if package in framed else "", names(graph, files)
    return Box(f"{user.label} files {position}", f"{len(files)} {kind}s", "", family_name, frame, listed)


def _packages_with_several(nodes: Iterable[Node]) -> frozenset[str]:
    """Packages that get a frame: those with more than one target in the picture."""
    counts = Counter(node.label.package_label for node in nodes)
    return frozenset(package for package, count in counts.items() if count > 1)


def _box(node: Node, framed: frozenset[str]) -> Box:
    package = node.label.package_label
    inside = package in framed
    text = f":{node.label.name}" if inside else node.label.shorthand
    return box(node, text, package if inside else "")


def box(node: Node, text: str, cluster: str = "", *, strong: bool = False) -> Box:
    """The box of a target; the tooltip has what the box has no room for."""
    where = f"\n{node.location.short}" if node.location else ""
    made_by = f"\nmade by {node.made_by}" if node.made_by else ""
    kind = node.rule_class or node.kind_words
    tooltip = f"{node.label}\n{node.kind_words}{where}{made_by}"
    return Box(str(node.label), text, kind, family(node.kind, node.rule_class), cluster, tooltip, strong)


def arrow(edges: Sequence[Edge], source: Node, target: Node, *, name_attribute: bool = False) -> Arrow:
    """The arrow for all reasons why one target names another: drawn as the plainest of them."""
    styles = [style_of(edge.flags, conditional=bool(edge.condition)) for edge in edges]
    style = min(styles, key=list(ArrowStyle).index, default=ArrowStyle.PLAIN)
    drawn = [edge for edge, each in zip(edges, styles, strict=True) if each is style]
    if style is ArrowStyle.CONDITIONAL and always_holds(edge.condition for edge in drawn):
        style = ArrowStyle.PLAIN
    conditions = dict.fromkeys(short_condition(edge.condition) for edge in drawn if edge.condition)
    words = list(dict.fromkeys(edge.attribute for edge in drawn)) if name_attribute else []
    if style in (ArrowStyle.CONDITIONAL, ArrowStyle.POSSIBLE):
        words += list(conditions)[:2] + (["..."] if len(conditions) > 2 else [])
    reasons = (f"{edge.attribute or 'written by'}{f' when {edge.when}' if edge.when else ''}" for edge in edges)
    tooltip = f"{source.label} -> {target.label}\n" + "\n".join(dict.fromkeys(reasons))
    return Arrow(str(source.label), str(target.label), "\n".join(filter(None, words)), style, tooltip)


def style_of(flags: EdgeFlag, *, conditional: bool) -> ArrowStyle:
    """How an edge with these flags is drawn, one that a condition of a select() decides or not."""
    if flags & EdgeFlag.POSSIBLE:
        return ArrowStyle.POSSIBLE
    if flags & NO_DEPENDENCY:
        return ArrowStyle.NAMED
    if conditional:
        return ArrowStyle.CONDITIONAL
    return ArrowStyle.IMPLICIT if flags & (EdgeFlag.IMPLICIT | EdgeFlag.TOOL) else ArrowStyle.PLAIN


def short_condition(condition: Sequence[Term]) -> str:
    """``windows``, ``not windows``, ``if_cuda?``: what fits on an arrow."""
    return " and ".join(_short_term(term) for term in condition)


def _short_term(term: Term) -> str:
    if term.condition.label is None:
        return f"{term.condition.unknown.partition('(')[0]}?"
    if not term.is_default:
        return term.condition.label.name
    others = [other.label.name for other in term.others if other.label is not None]
    return f"not {others[0]}" if len(others) == 1 else "default"


def _of_groups(grouped: Grouped, level: Level, total: int, title: str) -> Picture:
    reduced = reduce(grouped.successors())
    boxes = tuple(
        Box(name, name, f"{len(members):,} target{'s' * (len(members) != 1)}", "package", "", f"{name}\n{len(members)}")
        for name, members in zip(grouped.names, grouped.members, strict=True)
    )
    arrows = tuple(_group_arrow(grouped, source, end) for source, ends in reduced.items() for end in ends)
    hidden = len(grouped.edges) - len(arrows)
    drawn = f"{total:,} targets collapsed into {len(boxes):,} {level.words}"
    return Picture(title, boxes, arrows, (drawn, *_notes(hidden)), is_deep(reduced))


def _group_arrow(grouped: Grouped, source: int, end: int) -> Arrow:
    one, other, count = grouped.names[source], grouped.names[end], grouped.edges[source, end]
    return Arrow(one, other, tooltip=f"{one} -> {other}\n{count:,} edges", count=count)


def _notes(hidden: int) -> tuple[str, ...]:
    return (f"{counted(hidden, 'transitively redundant edge')} hidden",) if hidden else ()


def is_deep(successors: Mapping[int, Sequence[int]]) -> bool:
    """Whether drawing it downwards comes nearer to the shape of a page than drawing it to the right: boxes are wide
    and flat, so deep graphs run downwards and broad ones to the right.

    >>> is_deep({n: [n + 1] for n in range(20)} | {20: []})
    True
    >>> is_deep({0: list(range(1, 20))} | {n: [] for n in range(1, 20)})
    False
    """
    layers = _layers(successors)
    depth, breadth = len(layers), max(layers, default=1)
    downwards = breadth * (BOX_WIDTH + RANK_GAP / 3), depth * (BOX_HEIGHT + RANK_GAP)
    rightwards = depth * (BOX_WIDTH + RANK_GAP), breadth * (BOX_HEIGHT + RANK_GAP / 3)
    return _distance(*downwards) < _distance(*rightwards)


def _distance(width: float, height: float) -> float:
    return abs(log(width / max(height, 1) / GOOD_ASPECT)) if width else 0.0


def _layers(successors: Mapping[int, Sequence[int]]) -> list[int]:
    """How many boxes stand in each layer, a layer being the longest way to a leaf; a cycle stands in one layer."""
    component, members = strong_components(successors)
    height: list[int] = []
    for below in between(successors, component, members):  # sinks first
        height.append(1 + max((height[other] for other in below), default=-1))
    counts = [0] * (max(height, default=-1) + 1)
    for number in successors:
        counts[height[component[number]]] += 1
    return counts
