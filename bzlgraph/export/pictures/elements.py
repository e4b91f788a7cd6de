"""Nodes and edges of a graph -> boxes and arrows in short words: what every picture of targets is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bzlgraph.export.pictures.declutter import NO_DEPENDENCY
from bzlgraph.export.pictures.palette import family
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Box
from bzlgraph.graph.model import Edge, EdgeFlag, Node, Term, always_holds
from bzlgraph.graph.view import GraphView


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
