"""A node of a configured view -> its edges: those of its target that hold or may hold, each with where it leads.

Rules
- A branch of a select() that holds gives its edges; one that may hold gives them too, marked POSSIBLE; one that does
  not gives none. The conditions themselves are dependencies whether they hold or not.
- What an attribute names is in the configuration of the node, in that of its tools, or where a transition leads.
- A label_flag leads to what it is set to. What a genquery looks at is no dependency in newer Bazels; the conditions
  that choose it are.
- A rule that asks for toolchains, or applies an aspect that does, leads to those it gets; one that it may get is marked
  POSSIBLE.
- What an aspect brings is where the aspect is (``transitions.aspects``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Aspect, Attribute, AttrType, Rule, RuleClass, Target
from bzlgraph.config.configured.nodes import ConfiguredNodes
from bzlgraph.config.kinds.alias import LABEL_SETTINGS, POINTERS, actual_of, is_pointer, targets_of
from bzlgraph.config.transitions.aspects import Applying
from bzlgraph.config.verdict import Truth
from bzlgraph.facts import Facts
from bzlgraph.graph.columns import EdgeRow
from bzlgraph.graph.edges import UNKNOWN_CLASS, aspect_edges, written_name
from bzlgraph.graph.model import EdgeCondition, EdgeFlag, NodeKind

if TYPE_CHECKING:
    from bzlgraph.config.toolchains.answer import Resolution

_TOOL, _OUTPUT, _POSSIBLE = int(EdgeFlag.TOOL), int(EdgeFlag.OUTPUT), int(EdgeFlag.POSSIBLE)
_SAME_CONFIGURATION = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY)
_ASPECT = int(EdgeFlag.ASPECT)
_NOT_RULES = (NodeKind.SOURCE, NodeKind.GENERATED, NodeKind.GROUP, NodeKind.ENVIRONMENTS)

Places = Callable[[str, Label], Iterable[int] | None]
"""(attribute, label) -> the configurations that the edge leads to; None for one that no transition is behind."""


def edges_in(view: ConfiguredNodes, node: int, here: int) -> Iterator[EdgeRow]:
    """The edges of a node, whose configuration is ``here``."""
    base = view.base.columns
    rule = view.target(node)
    pointer = _flag_attributes(rule)
    looked_at = _looked_at(rule, view.configuration.facts)
    places = _places(view, rule, here) if isinstance(rule, Rule) else None
    onward = view.reached.onward(here)
    for edge in view.base.edges_from(view.base_of[node]):
        condition, attribute = base.edge_condition[edge], base.edge_attribute[edge]
        truth = view.condition_truth(condition, here)
        if truth is Truth.NO or (pointer and base.attributes[attribute] in pointer):
            continue
        flags = base.edge_flags[edge] | (_POSSIBLE if truth is Truth.UNKNOWN else 0)
        if flags & _POSSIBLE and condition and truth is Truth.YES:
            flags &= ~_undoubted(rule, base.attributes[attribute], base.conditions[condition])
        if flags & _ASPECT:
            continue
        if looked_at and base.attributes[attribute] == looked_at and not flags & EdgeFlag.KEY:
            continue
        there, label = onward, base.labels[base.edge_target[edge]]
        if flags & _SAME_CONFIGURATION:
            there = here
        elif places is not None and (others := places(base.attributes[attribute], label)) is not None:
            for other in others:
                yield view.node(label, other), attribute, condition, flags
            continue
        elif flags & _TOOL:
            asking = rule if isinstance(rule, Rule) else None
            there = view.reached.tools_of(here, asking, base.attributes[attribute])
        elif flags & _OUTPUT:
            there = view.asked_in[node]
        yield view.node(label, there), attribute, condition, flags
    if isinstance(rule, Rule):
        if pointer:  # queries without a configuration do not follow its default
            number = view.columns.attributes.intern(pointer[0])
            yield from ((view.node(label, here), number, 0, 0) for label in targets_of(rule, view.reached[here]))
        yield from _toolchain_edges(view, rule, here)
        yield from _brought_edges(view, node, rule, here)


def _undoubted(rule: Target | None, attribute: str, condition: EdgeCondition) -> int:
    """POSSIBLE, where an edge that holds was so only because of an unknown value, of which something is assumed."""
    known = rule.rule_class.attributes.get(attribute) if isinstance(rule, Rule) else None
    by_looks = known is None or known.type is AttrType.UNKNOWN
    return 0 if by_looks or all(term.condition.label is not None for term in condition) else _POSSIBLE


def _places(view: ConfiguredNodes, rule: Rule, here: int) -> Places | None:
    """None for a rule without transitions."""
    reached = view.reached
    changing = reached.changing(rule.rule_class)
    if not changing:
        return None

    def lead(name: str, label: Label) -> Iterable[int] | None:
        return reached.behind(rule, changing[name], here).numbers if name in changing else None

    return lead


def _brought_edges(view: ConfiguredNodes, node: int, rule: Rule, here: int) -> Iterator[EdgeRow]:
    """To what the aspects bring that a rule applies, and to their toolchains; not to what it names by itself."""
    if not view.applications[rule.rule_class]:
        return
    base, found = view.base.columns, dict[EdgeRow, None]()
    edges = _own_edges(view, node)
    own = {(base.edge_attribute[each], base.labels[base.edge_target[each]]) for each in edges}
    applying = Applying(rule, here, view.reached)
    for aspect, there, truth in applied_aspects(view, node, rule, here):
        doubt = 0 if truth else _POSSIBLE
        for end, attribute, condition, flags in _brought(view, applying, aspect, there):
            if (attribute, view.labels[end]) not in own and view.condition_truth(condition, here) is not Truth.NO:
                found[end, attribute, condition, flags | doubt] = None
    yield from found


def applied_aspects(
    view: ConfiguredNodes, node: int, rule: Rule, here: int
) -> Iterator[tuple[Aspect, int, bool | None]]:
    """The aspects that a rule applies or may apply to what it names, with the configuration that each is in."""
    applying, edges = Applying(rule, here, view.reached), _own_edges(view, node)
    for application in view.applications[rule.rule_class]:
        ends = defaultdict[int, list[RuleClass]](list)
        for there in applying.applied_in(application.attribute):
            for rule_class, home in _ends(view, edges, application.attribute, rule, (here, there)):
                ends[home].append(rule_class)
        for there, classes in ends.items():
            if (truth := application.is_applied_to(classes)) is not False:
                yield application.aspect, there, truth


def _own_edges(view: ConfiguredNodes, node: int) -> list[int]:
    """The edges of a target, in no configuration, that no aspect brings."""
    flags = view.base.columns.edge_flags
    return [each for each in view.base.edges_from(view.base_of[node]) if not flags[each] & _ASPECT]


def _brought(view: ConfiguredNodes, applying: Applying, aspect: Aspect, there: int) -> Iterator[EdgeRow]:
    """What an aspect brings that is applied in a configuration."""
    columns = view.columns
    for own in aspect.attributes.values():
        for name, label, condition, flags in aspect_edges(own, applying.rule.rule_class):
            number = columns.conditions.intern(condition) if condition else 0
            for place in applying.places(aspect, own, there):
                yield view.node(label, place), columns.attributes.intern(name), number, flags
    if aspect.exec_groups:
        yield from _edges_to(view, view.reached[there].toolchains.of_aspect(aspect), applying.rule, there)


def _ends(
    view: ConfiguredNodes, edges: Iterable[int], attribute: Attribute, rule: Rule, way: tuple[int, int]
) -> Iterator[tuple[RuleClass, int]]:
    """The classes of the rules that an attribute leads to, from one configuration to another, behind aliases; with the
    configurations that they are in."""
    (here, there), base, name = way, view.base.columns, written_name(attribute.name, rule.rule_class)
    for edge in edges:
        if base.attributes[base.edge_attribute[edge]] != name or base.edge_flags[edge] & _SAME_CONFIGURATION:
            continue
        if view.condition_truth(base.edge_condition[edge], here) is Truth.NO:
            continue
        label = actual_of(base.labels[base.edge_target[edge]], view.reached[there], is_pointer)
        end = view.base.resolve(label) if label is not None else None
        target = view.base.target(end) if end is not None else None
        if isinstance(target, Rule):
            yield target.rule_class, view.home(target, there)
        elif end is None or view.base.kinds[end] not in _NOT_RULES:
            yield UNKNOWN_CLASS, there


def _toolchain_edges(view: ConfiguredNodes, rule: Rule, here: int) -> Iterator[EdgeRow]:
    """To the toolchains of a rule."""
    if view.configuration.asks_for_toolchains(rule):
        yield from _edges_to(view, view.reached[here].toolchains.of(rule), rule, here)


def _edges_to(view: ConfiguredNodes, found: tuple[Resolution, ...], rule: Rule, here: int) -> Iterator[EdgeRow]:
    from bzlgraph.config.toolchains.edges import toolchain_edges

    facts = view.configuration.facts
    as_tool = not (facts.toolchains_in_own_configuration or rule.rule_class.toolchain_transition)
    for edge in toolchain_edges(found, as_tool, facts.toolchain_types_are_dependencies):
        there = view.reached.tools_of(here) if edge.as_tool else here
        yield view.node(edge.target, there), view.columns.attributes.intern(edge.attribute), 0, edge.flags


def _flag_attributes(target: object) -> tuple[str, ...]:
    """The attributes of a label_flag that its setting replaces; none of other targets."""
    is_flag = isinstance(target, Rule) and target.rule_class.name in LABEL_SETTINGS
    return (POINTERS["label_flag"], ":alias") if is_flag else ()


def _looked_at(target: object, facts: Facts) -> str:
    """The attribute whose labels a rule looks at without depending on them; "" where there is none."""
    looks = facts.genquery_scope_own_type and isinstance(target, Rule) and target.rule_class.name == "genquery"
    return "scope" if looks else ""
