"""The fewest places to change so that the target is needed no more: a minimum cut over *places*, not edges.

A place is an attribute of one target; or the default of an attribute of a rule class, which gives the edge to every
target of the class; or an attribute of a rule that a macro makes again and again at one line. Cutting a place cuts all
its edges. The edge from a generated file to its rule is no place. Of equal cuts the one nearest to the target wins.
"""

from __future__ import annotations

from collections import Counter

from bzlgraph.base.record import Record
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.why.answer import CutPlace
from bzlgraph.why.flow import closest_cut
from bzlgraph.why.path_graph import ROOT

TYPE_CHECKING = False  # as few imports as can be
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bzlgraph.base.resolved_label import Label
    from bzlgraph.base.span import Location
    from bzlgraph.why.path_graph import Ways, WhyGraph

MAX_FLOW_EDGES = 20_000
MAX_PLACES = 12
_CALLS = 1 << 32
"""More than there are lines of macros."""
_IMPLICIT, _OUTPUT = int(EdgeFlag.IMPLICIT), int(EdgeFlag.OUTPUT)


class CutNode(Record):
    """A node between two targets in the graph that is cut. One of ``source``, ``rule_class``, ``location`` names it."""

    attribute: str
    target: int
    source: int | None = None
    rule_class: str = ""
    bzl: Label | None = None
    location: Location | None = None


def cheapest_cut(ways: Ways, required: Sequence[int]) -> tuple[CutPlace, ...] | None:
    """The cut, None when nothing can be cut or it would take more than ``MAX_PLACES`` places.

    ``required`` are the targets on every path. A single place cuts all ways exactly when it gives all edges to one of
    them (or to the target), as a place has one target; only when there is none is a flow computed.
    """
    for number in (ways.target, *reversed(required)):
        place = _only_place(ways, number)
        if place is not None:
            return (_describe(place, ways.graph),)
    if sum(map(len, ways.successors.values())) > MAX_FLOW_EDGES:
        return None
    steps = _Steps(ways)
    if steps.has_ways_apart(MAX_PLACES) or ways.count_edges() > MAX_FLOW_EDGES:
        return None
    cut = closest_cut(steps.into, ways.start, ways.target, MAX_PLACES)
    if cut is None:
        return None
    described = [_describe(steps.place(place), ways.graph) for _, place in cut]
    return tuple(sorted(described, key=_order))


def _order(place: CutPlace) -> tuple[Label, str, str, str, str]:
    """What sorts places, whatever the numbers of targets are."""
    return place.target, str(place.source), place.attribute, place.rule_class, str(place.location)


def _only_place(ways: Ways, number: int) -> CutNode | None:
    """The one place that gives all edges to a target on the way, None when there are several or it is no place."""
    before = ways.predecessors[number]
    if ROOT in before or not before:
        return None
    flags = ways.graph.columns.edge_flags
    for kind_of_place in (_place, _macro_place):
        place = kind_of_place(ways.numbers(before[0], number)[0], ways.graph)
        edges = (edge for source in before for edge in ways.numbers(source, number))
        if all(not flags[edge] & _OUTPUT and kind_of_place(edge, ways.graph) == place for edge in edges):
            return place
    return None


class _Steps:
    """The ways backwards, with a place on every step that can be cut: what leads to a node, made when it is asked for.

    A place and its near side, where all lead that get an edge from it, are two nodes behind the targets: numbers are
    compared and hashed some ten times faster than what they stand for. What is nearest to the start comes last, so that
    it is tried first.
    """

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._first = len(ways.graph)
        self._places: list[tuple[int, bool]] = []
        """An edge that each place gives, and whether a macro is the place."""
        self._sources: list[dict[int, None]] = []
        self._makings: dict[tuple[object, ...], int] = {}
        self._made: dict[int, tuple[int, int]] = {}

    def has_ways_apart(self, most: int) -> bool:
        """Whether more ways than ``most`` are found, no two by one place: each needs a cut of its own.

        Depth first from the narrower end, by each link once, by what is nearest to the other end: most of a graph is
        never looked at. Others may be found by giving up some of these, which takes much longer (``closest_cut``).
        """
        ways = self._ways
        forth = len(ways.successors[ways.start]) < len(ways.predecessors[ways.target])
        if forth:
            begin, goal, neighbours, steps = ways.start, ways.target, ways.successors, ways.steps_to_target
        else:
            begin, goal, neighbours, steps = ways.target, ways.start, ways.predecessors, ways.steps_from_start
        left: dict[int, list[int]] = {}
        used: set[tuple[int, ...]] = set()
        path, on_path, found = [begin], {begin}, 0
        while path and found <= most:
            here = path[-1]
            if here not in left:
                left[here] = _nearest_last(neighbours[here], steps)
            if not left[here]:
                on_path.discard(path.pop())
                continue
            there = left[here].pop()
            if there in on_path or not left.get(there, True):
                continue
            link = (here, there) if forth else (there, here)
            place = (link[1], *self._place_between(*link))
            if place in used:
                continue
            used.add(place)
            if there == goal:
                path, on_path, found = [begin], {begin}, found + 1
            else:
                path.append(there)
                on_path.add(there)
        return found > most

    def _place_between(self, source: int, end: int) -> tuple[int, ...]:
        """What tells one place of a link from those of others to the same target."""
        if source == ROOT:
            return (source,)
        number = self._ways.numbers(source, end)[0]
        macro = self._macro(number, source)
        return (0, macro) if macro else self._own(number, source)

    def into(self, node: int) -> tuple[Sequence[int], Sequence[int]]:
        """Where arcs come from that lead to a node, and where what can be cut comes from."""
        if node < self._first:
            return self._into_target(node), ()
        number, is_near_side = divmod(node - self._first, 2)
        return (list(self._sources[number]), ()) if is_near_side else ((), (node + 1,))

    def place(self, node: int) -> CutNode:
        """The place that a node of a cut stands for."""
        number, by_macro = self._places[(node - self._first) // 2]
        place = _macro_place(number, self._ways.graph) if by_macro else None
        return place or _place(number, self._ways.graph)

    def _into_target(self, end: int) -> Sequence[int]:
        ways, flags = self._ways, self._ways.graph.columns.edge_flags
        sources = _nearest_last(ways.predecessors[end], ways.steps_from_start)
        links = {source: ways.numbers(source, end) if source != ROOT else [] for source in sources}
        macros = {
            number: macro for source in sources for number in links[source] if (macro := self._macro(number, source))
        }
        shared, found, known = Counter(macros.values()), dict[int, None](), dict[object, int]()
        for source, numbers in links.items():
            if not numbers or any(flags[number] & _OUTPUT for number in numbers):
                found[source] = None
                continue
            for number in numbers:
                macro = macros.get(number, 0)
                by_macro = macro > 0 and shared[macro] > 1
                told: object = macro if by_macro else self._own(number, source)
                if told not in known:
                    known[told] = self._first + 2 * len(self._places)
                    self._places.append((number, by_macro))
                    self._sources.append({})
                node = known[told]
                found.pop(node, None)
                found[node] = None
                self._sources[(node - self._first) // 2][source] = None
        return list(found)

    def _macro(self, number: int, source: int) -> int:
        """What tells the ``_macro_place`` of an edge from others that lead to the same target; 0: there is none."""
        columns, call = self._ways.graph.columns, self._making(source)[1]
        if not call or columns.edge_flags[number] & _IMPLICIT:
            return 0
        return (columns.edge_attribute[number] + 1) * _CALLS + call

    def _own(self, number: int, source: int) -> tuple[int, ...]:
        """What tells the ``_place`` of an edge from others that lead to the same target."""
        columns = self._ways.graph.columns
        of_class = self._making(source)[0] if columns.edge_flags[number] & _IMPLICIT else 0
        return columns.edge_attribute[number], of_class, -1 if of_class else source

    def _making(self, source: int) -> tuple[int, int]:
        """Numbers for the class of a rule and for the line of a macro that makes it; 0 where there is none."""
        found = self._made.get(source)
        if found is None:
            made, numbers = self._ways.graph.making(source), self._makings
            of_class = numbers.setdefault((made.rule_class, made.bzl), len(numbers) + 1) if made is not None else 0
            of_call = 0
            if made is not None and made.call is not None:
                of_call = numbers.setdefault((made.rule_class, "", made.call.location), len(numbers) + 1)
            found = self._made[source] = of_class, of_call
        return found


def _nearest_last(nodes: Sequence[int], steps: Mapping[int, int]) -> list[int]:
    far = len(steps)  # some are come by through the target alone
    return sorted(nodes, key=lambda each: steps.get(each, far), reverse=True)


def _place(number: int, graph: WhyGraph) -> CutNode:
    columns = graph.columns
    source, target = columns.edge_source[number], columns.edge_target[number]
    attribute = graph.attribute_of(number)
    if columns.edge_flags[number] & _IMPLICIT and (made := graph.making(source)) is not None:
        return CutNode(attribute, target, None, made.rule_class, made.bzl)
    return CutNode(attribute, target, source)


def _macro_place(number: int, graph: WhyGraph) -> CutNode | None:
    """The line of a macro that makes the rule, when it is made by one and the attribute is written there."""
    columns = graph.columns
    if columns.edge_flags[number] & _IMPLICIT:
        return None
    made = graph.making(columns.edge_source[number])
    if made is None or made.call is None:
        return None
    target = columns.edge_target[number]
    return CutNode(graph.attribute_of(number), target, rule_class=made.rule_class, location=made.call.location)


def _describe(place: CutNode, graph: WhyGraph) -> CutPlace:
    target = graph.labels[place.target]
    if place.source is not None:
        node = graph.describe(place.source)
        return CutPlace(place.attribute, target, node.label, node.rule_class, "", node.location)
    users, macro = _users(place, graph)
    return CutPlace(place.attribute, target, None, place.rule_class, macro, place.location, users)


def _users(place: CutNode, graph: WhyGraph) -> tuple[int, str]:
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
