"""The fewest places to change so that the target is needed no more: a minimum cut over *places*, not edges.

A place is an attribute of one target; or the default of an attribute of a rule class, which gives the edge to every
target of the class; or an attribute of a rule that a macro makes again and again at one line. Cutting a place cuts all
its edges. The edge from a generated file to its rule is no place. Of equal cuts the one nearest to the target wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.graph.view import GraphView
from bzlgraph.why.answer import CutPlace
from bzlgraph.why.flow import closest_cut
from bzlgraph.why.path_graph import ROOT, Ways

MAX_FLOW_EDGES = 20_000
MAX_PLACES = 12
_IMPLICIT, _OUTPUT = int(EdgeFlag.IMPLICIT), int(EdgeFlag.OUTPUT)


@dataclass(frozen=True, slots=True)
class CutNode:
    """A node between two targets in the graph that is cut. One of ``source``, ``rule_class``, ``location`` names it."""

    attribute: str
    target: int
    source: int | None = None
    rule_class: str = ""
    bzl: Label | None = None
    location: Location | None = None


Link = tuple[int | CutNode, int | CutNode]


def cheapest_cut(ways: Ways, required: Sequence[int]) -> tuple[CutPlace, ...] | None:
    """The cut, None when nothing can be cut or it would take more than ``MAX_PLACES`` places.

    ``required`` are the targets on every path. A single place cuts all ways exactly when it gives all edges to one of
    them (or to the target), as a place has one target; only when there is none is a flow computed.
    """
    for number in (ways.target, *reversed(required)):
        place = _only_place(ways, number)
        if place is not None:
            return (_describe(place, ways.graph),)
    if sum(map(len, ways.links.values())) > MAX_FLOW_EDGES:
        return None
    places = _minimum_cut(_links(ways), ways)
    if places is None:
        return None
    described = [_describe(place, ways.graph) for place in places]
    return tuple(sorted(described, key=_order))


def _order(place: CutPlace) -> tuple[Label, str, str, str, str]:
    """What sorts places, whatever the numbers of targets are."""
    return place.target, str(place.source), place.attribute, place.rule_class, str(place.location)


def _only_place(ways: Ways, number: int) -> CutNode | None:
    """The one place that gives all edges to a target on the way, None when there are several or it is no place."""
    before = ways.predecessors[number]
    if ROOT in before or not before:
        return None
    edges = [edge for source in before for edge in ways.links[source, number]]
    if any(ways.graph.columns.edge_flags[edge] & _OUTPUT for edge in edges):
        return None
    for kind_of_place in (_place, _macro_place):
        places = {kind_of_place(edge, ways.graph) for edge in edges}
        if len(places) == 1:
            return places.pop()
    return None


def _links(ways: Ways) -> list[Link]:
    """The ways with a CutNode on every step that can be cut."""
    graph, columns = ways.graph, ways.graph.columns
    macro_places = {pair: [_macro_place(n, graph) for n in numbers] for pair, numbers in ways.links.items()}
    shared = Counter(place for places in macro_places.values() for place in places if place is not None)
    links: dict[Link, None] = {(ROOT, end): None for end in ways.successors.get(ROOT, ())}
    for (source, end), numbers in ways.links.items():
        if any(columns.edge_flags[number] & _OUTPUT for number in numbers):
            links[source, end] = None
            continue
        for number, macro in zip(numbers, macro_places[source, end], strict=True):
            place = macro if macro is not None and shared[macro] > 1 else _place(number, graph)
            links[source, place] = None
            links[place, end] = None
    return list(links)


def _place(number: int, graph: GraphView) -> CutNode:
    columns = graph.columns
    source, target = columns.edge_source[number], columns.edge_target[number]
    attribute = graph.attribute_of(number)
    if columns.edge_flags[number] & _IMPLICIT and (made := graph.making(source)) is not None:
        return CutNode(attribute, target, None, made.rule_class, made.bzl)
    return CutNode(attribute, target, source)


def _macro_place(number: int, graph: GraphView) -> CutNode | None:
    """The line of a macro that makes the rule, when it is made by one and the attribute is written there."""
    columns = graph.columns
    if columns.edge_flags[number] & _IMPLICIT:
        return None
    made = graph.making(columns.edge_source[number])
    if made is None or made.call is None:
        return None
    target = columns.edge_target[number]
    return CutNode(graph.attribute_of(number), target, None, made.rule_class, None, made.call.location)


def _minimum_cut(links: list[Link], ways: Ways) -> list[CutNode] | None:
    """Of the fewest places those nearest to the target; None where there is no cut, or none of ``MAX_PLACES``."""
    places = list(dict.fromkeys(each for link in links for each in link if isinstance(each, CutNode)))
    entry = {place: len(ways.graph) + 2 * number for number, place in enumerate(places)}  # its way out is the next
    arcs = [
        (before if isinstance(before, int) else entry[before] + 1, after if isinstance(after, int) else entry[after])
        for before, after in links
    ]
    cut = closest_cut(arcs, [(each, each + 1) for each in entry.values()], ways.start, ways.target, MAX_PLACES)
    return None if cut is None else [places[(first - len(ways.graph)) // 2] for first, _ in cut]


def _describe(place: CutNode, graph: GraphView) -> CutPlace:
    target = graph.labels[place.target]
    if place.source is not None:
        node = graph.describe(place.source)
        return CutPlace(place.attribute, target, node.label, node.rule_class, "", node.location)
    users, macro = _users(place, graph)
    return CutPlace(place.attribute, target, None, place.rule_class, macro, place.location, users)


def _users(place: CutNode, graph: GraphView) -> tuple[int, str]:
    """How many targets of the graph get the edge from this place, and the macro that makes them, if one does."""
    users: set[int] = set()
    macro = ""
    for number in graph.edges_to(place.target):
        if graph.attribute_of(number) != place.attribute:
            continue
        source = graph.columns.edge_source[number]
        made = graph.making(source)
        if made is not None and place in (_place(number, graph), _macro_place(number, graph)):
            users.add(source)
            macro = made.call.function if place.location is not None and made.call is not None else ""
    return len(users), macro
