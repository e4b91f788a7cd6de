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

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.config.kinds.alias import LABEL_SETTINGS, POINTERS, targets_of
from bzlgraph.config.transitions.aspects import Applying
from bzlgraph.config.verdict import Truth
from bzlgraph.facts import Facts
from bzlgraph.graph.columns import EdgeRow
from bzlgraph.graph.model import EdgeFlag, NodeKind

if TYPE_CHECKING:
    from bzlgraph.config.view import ConfiguredView

_TOOL, _OUTPUT, _POSSIBLE = int(EdgeFlag.TOOL), int(EdgeFlag.OUTPUT), int(EdgeFlag.POSSIBLE)
_SAME_CONFIGURATION = int(EdgeFlag.KEY | EdgeFlag.VISIBILITY)
_FILES = (NodeKind.SOURCE, NodeKind.GENERATED)

Places = Callable[[str, Label], Iterable[int] | None]
"""(attribute, label) -> the configurations that the edge leads to; None for one that no transition is behind."""


def edges_in(view: ConfiguredView, node: int, here: int) -> Iterator[EdgeRow]:
    """The edges of a node, whose configuration is ``here``."""
    base = view.base.columns
    rule = view.target(node)
    pointer = _flag_attributes(rule)
    looked_at = _looked_at(rule, view.configuration.facts)
    places = _places(view, node, rule, here) if isinstance(rule, Rule) else None
    onward = view.reached.onward(here)
    for edge in view.base.edges_from(view.base_of[node]):
        condition, attribute = base.edge_condition[edge], base.edge_attribute[edge]
        truth = view.condition_truth(condition, here)
        if truth is Truth.NO or (pointer and base.attributes[attribute] in pointer):
            continue
        flags = base.edge_flags[edge] | (_POSSIBLE if truth is Truth.UNKNOWN else 0)
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
    if pointer and isinstance(rule, Rule):  # queries without a configuration do not follow its default
        attribute = view.columns.attributes.intern(pointer[0])
        for label in targets_of(rule, view.reached[here]):
            yield view.node(label, here), attribute, 0, 0
    if isinstance(rule, Rule):
        yield from _toolchain_edges(view, node, rule, here)


def _places(view: ConfiguredView, node: int, rule: Rule, here: int) -> Places | None:
    """None for a rule without transitions and aspects."""
    reached = view.reached
    changing, applied = reached.changing(rule.rule_class), reached.applied(rule.rule_class)
    if not changing and applied is None:
        return None
    applying = _applying(view, node, rule, here)

    def lead(name: str, label: Label) -> Iterable[int] | None:
        if applied is not None and (brought := applied.bring(name, label, rule)):
            return dict.fromkeys(applying.places(brought))
        return reached.behind(rule, changing[name], here).numbers if name in changing else None

    return lead


def _applying(view: ConfiguredView, node: int, rule: Rule, here: int) -> Applying:
    base = view.base.columns

    def is_applied(name: str) -> bool:
        ends = (
            view.base.kinds[view.base.resolve(base.labels[base.edge_target[edge]])]
            for edge in view.base.edges_from(view.base_of[node])
            if base.attributes[base.edge_attribute[edge]] == name
            and not base.edge_flags[edge] & _SAME_CONFIGURATION
            and view.condition_truth(base.edge_condition[edge], here) is not Truth.NO
        )
        return any(kind not in _FILES for kind in ends)

    return Applying(rule, here, view.reached, is_applied)


def _toolchain_edges(view: ConfiguredView, node: int, rule: Rule, here: int) -> Iterator[EdgeRow]:
    """To the toolchains of a rule, and to those of the aspects that it applies."""
    reached, kind = view.reached, rule.rule_class
    applied = reached.applied(kind)
    asking = applied.asking if applied is not None else ()
    asks = view.configuration.asks_for_toolchains(rule)
    if not asks and not asking:
        return
    from bzlgraph.config.toolchains.edges import toolchain_edges

    facts = view.configuration.facts
    as_tool = not (facts.toolchains_in_own_configuration or kind.toolchain_transition)
    found = [(here, reached[here].toolchains.of(rule))] if asks else []
    applying = _applying(view, node, rule, here)
    for attribute, aspect in asking:
        found += [(place, reached[place].toolchains.of_aspect(aspect)) for place in applying.applied_in(attribute)]
    for place, resolutions in found:
        for edge in toolchain_edges(resolutions, as_tool, facts.toolchain_types_are_dependencies):
            there = reached.tools_of(place) if edge.as_tool else place
            yield view.node(edge.target, there), view.columns.attributes.intern(edge.attribute), 0, edge.flags


def _flag_attributes(target: object) -> tuple[str, ...]:
    """The attributes of a label_flag that its setting replaces; none of other targets."""
    is_flag = isinstance(target, Rule) and target.rule_class.name in LABEL_SETTINGS
    return (POINTERS["label_flag"], ":alias") if is_flag else ()


def _looked_at(target: object, facts: Facts) -> str:
    """The attribute whose labels a rule looks at without depending on them; "" where there is none."""
    looks = facts.genquery_scope_own_type and isinstance(target, Rule) and target.rule_class.name == "genquery"
    return "scope" if looks else ""
