"""A part of the graph in several configurations: (part, views) -> ``Exploration``.

Rules
- Without a configuration a graph has every branch of every ``select()``: a configuration mostly takes edges away, and
  the truth of each condition says which.
- What a configuration adds: the toolchains that a rule or its aspects get, and what a label_flag is set to. Where there
  is such a thing, what leads to it is walked in every configuration, along transitions. Edges that are met there and
  nowhere else stand under a condition that is the words of the configurations which have them.
- A checkout may name a hundred configurations in its rc files, and most of their options are for compilers or for
  machines that build: what would give the same answers to all that was asked in a walk shares it.
- Of what was walked it is known which edges hold where the target is built, be it behind a transition; of the rest it
  is judged in the configuration of the command line.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule, RuleClass
from bzlgraph.config.configuration import Asked, Configuration
from bzlgraph.config.configured.view import ConfiguredView
from bzlgraph.config.kinds.alias import LABEL_SETTINGS
from bzlgraph.config.kinds.native_option import compare_option
from bzlgraph.config.settings import RUNS_ON
from bzlgraph.config.verdict import Truth
from bzlgraph.explore.exploration import ALWAYS, Exploration, Part, Scenario, ShownCondition, ShownEdges, shown
from bzlgraph.facts import Facts
from bzlgraph.graph.columns import Interned
from bzlgraph.graph.model import EdgeFlag

_POSSIBLE = int(EdgeFlag.POSSIBLE)
NOWHERE = -1
_MOST_WORDS = 4
"""Configurations that a condition names; of more, the number is told."""

EdgeKey = tuple[int, int, int, int]
"""Source, target, attribute and condition of an edge, by their numbers in the graph below."""


class Setting(NamedTuple):
    """A configuration that can be chosen: the words for it, the graph in it, whether repositories differ."""

    words: str
    view: ConfiguredView
    other_repositories: bool


class _Rules(NamedTuple):
    """Rules of one class; ``choosing`` are those that say where they run."""

    kind: RuleClass
    nodes: list[int]
    choosing: list[int]


@dataclass(slots=True)
class _Walk:
    """What one configuration has of what it may change: the nodes whose edges are known, and these with their flags,
    POSSIBLE where no target of the label has the edge for sure."""

    nodes: set[int] = field(default_factory=set)
    edges: dict[EdgeKey, int] = field(default_factory=dict)

    def truth(self, edge: EdgeKey, otherwise: Truth) -> Truth:
        """Whether there is an edge; ``otherwise`` where its source was not walked."""
        if edge[0] not in self.nodes:
            return otherwise
        flags = self.edges.get(edge)
        return Truth.NO if flags is None else Truth.UNKNOWN if flags & _POSSIBLE else Truth.YES


def explore(part: Part, title: str, settings: Iterable[Setting]) -> Exploration:
    """The part in each of these configurations, with what is there in one of them only."""
    chosen, found = list[tuple[str, bool]](), list[tuple[_Walk, tuple[Truth, ...]]]()
    known: dict[Configuration, tuple[_Walk, tuple[Truth, ...]]] = {}
    rules = _rules(part)
    conditions = _conditions(part)
    for each in settings:  # a view may be large: none is kept
        chosen.append((each.words, each.other_repositories))
        options = each.view.configuration.configuration
        like = next((other for other in known if answers_like(other, options, each.view.configuration.facts)), None)
        if like is None:
            rows = each.view.columns.conditions
            known[options] = _walk(part, each.view, rules), tuple(each.view.truth(rows[n]) for n in conditions)
        found.append(known[options if like is None else like])
    walks = [walk for walk, _ in found]
    truths = {number: tuple(plain[at] for _, plain in found) for at, number in enumerate(conditions)}
    return _Union(part, [words for words, _ in chosen], walks, truths).exploration(title, [more for _, more in chosen])


def answers_like(one: Configuration, other: Configuration, facts: Facts) -> bool:
    """Whether another configuration gives the same answers to all that was asked of one, and of those that it led to:
    each of these has options of the one, those that tools get for them, or what was found out of such options."""
    if one.own() != other.own() or set(one.flags()) != set(other.flags()):
        return False
    pairs = [(one, other)] if one.is_exec else [(one, other), (one.exec(), other.exec())]
    questions = list(one.asked)
    return all(
        _answer(first, each, facts) == _answer(second, each, facts) for first, second in pairs for each in questions
    )


def _answer(configuration: Configuration, question: Asked, facts: Facts) -> object:
    unnoted = configuration.unnoted()
    if isinstance(question, Label):
        return tuple(setting.value for setting in unnoted.flag_values(question))
    if isinstance(question, tuple):
        return compare_option(*question, unnoted, facts).truth
    return tuple(setting.value for setting in unnoted.values(question)) or unnoted.value(question).value


def _rules(part: Part) -> list[_Rules]:
    """The rules of a part by class. Those of native classes are not read: a million would take gigabytes."""
    graph, found = part.graph, dict[int, _Rules]()
    for node in sorted(part.nodes):
        if (kind := graph.rule_class(node)) is None:
            continue
        rules = found.setdefault(id(kind), _Rules(kind, [], []))
        rules.nodes.append(node)
        if not kind.native and isinstance(rule := graph.target(node), Rule) and RUNS_ON in rule.values:
            rules.choosing.append(node)
    return list(found.values())


def _conditions(part: Part) -> list[int]:
    """The conditions of the edges among the nodes of a part, by number."""
    target, condition = part.graph.columns.edge_target, part.graph.columns.edge_condition
    edges = (edge for node in part.nodes for edge in part.graph.edges_from(node) if target[edge] in part.nodes)
    return sorted({condition[edge] for edge in edges} | {ALWAYS})


def _walk(part: Part, view: ConfiguredView, rules: Iterable[_Rules]) -> _Walk:
    """What leads to a rule that is given more by a configuration, and what that is."""
    found, labels = _Walk(), part.graph.labels
    changed = [node for each in rules for node in (each.nodes if _is_given_more(view, each.kind) else each.choosing)]
    leading = part.graph.index().reaching(changed, part.nodes) if changed else set[int]()
    wave = [view.node(labels[root]) for root in sorted(leading & part.roots)]
    met = set(wave)
    while wave:
        view.reach(wave)
        ends = dict[int, None]()
        for node in wave:
            source = view.base_of[node]
            found.nodes.add(source)
            for edge in view.columns.edges_of(node):
                end = view.columns.edge_target[edge]
                flags = view.columns.edge_flags[edge]
                if flags & part.excluded_flags:
                    continue
                key = (source, view.base_of[end], view.columns.edge_attribute[edge], view.columns.edge_condition[edge])
                found.edges[key] = found.edges.get(key, flags) & (flags | ~_POSSIBLE)
                if view.base_of[end] in leading or view.base_of[end] not in part.nodes:
                    ends[end] = None
        wave = [end for end in ends if end not in met]
        met.update(wave)
    return found


def _is_given_more(view: ConfiguredView, kind: RuleClass) -> bool:
    """Whether rules of a class may have edges in a configuration that they have not without one."""
    return (
        kind.name in LABEL_SETTINGS
        or view.configuration.class_asks_for_toolchains(kind)
        or any(each.aspect.exec_groups for each in view.applications[kind])
    )


class _Union:
    """The edges of a part and those of its walks, each with the scenarios that have it."""

    def __init__(
        self, part: Part, words: Sequence[str], walks: Sequence[_Walk], truths: dict[int, tuple[Truth, ...]]
    ) -> None:
        self._part, self._words, self._truths = part, words, truths
        first = {id(walk): at for at, walk in reversed(list(enumerate(walks)))}
        self._first = [(walks[at], at) for at in sorted(first.values())]
        """The walks that differ, each with the first scenario that has it."""
        number = {at: n for n, (_, at) in enumerate(self._first)}
        self._of_each = [number[first[id(walk)]] for walk in walks]
        """Which of them each scenario has; those that share one share the truth of conditions as well."""
        self._conditions: Interned[tuple[ShownCondition, tuple[Truth, ...]]] = Interned()
        self._condition(ShownCondition(""), (Truth.YES,) * len(words))

    def exploration(self, title: str, other_repositories: Sequence[bool]) -> Exploration:
        """All of it, nodes by label."""
        graph, known = self._part.graph, self._part.nodes
        added = {node for walk, _ in self._first for edge in walk.edges for node in edge[:2]} - known
        nodes = tuple(sorted(known | added, key=graph.labels.__getitem__))
        edges = self._edges(nodes)
        only = {node: number for node in added if (number := self._there(node)) != ALWAYS}
        scenarios = tuple(
            Scenario(words, tuple(truths[at] for _, truths in self._conditions), elsewhere)
            for at, (words, elsewhere) in enumerate(zip(self._words, other_repositories, strict=True))
        )
        conditions = tuple(condition for condition, _ in self._conditions)
        return Exploration(graph, nodes, self._part.roots, title, edges, conditions, scenarios, only)

    def _edges(self, nodes: Sequence[int]) -> ShownEdges:
        columns, found = self._part.graph.columns, ShownEdges.none()
        place = array("i", [NOWHERE]) * len(columns)
        for number, node in enumerate(nodes):
            place[node] = number
        walked, more = set[int]().union(*(walk.nodes for walk, _ in self._first)), self._more()
        plain: dict[int, int] = {}
        for node in nodes:
            before = len(found.target)
            own = set[EdgeKey]()
            for edge in self._part.graph.edges_from(node) if node in self._part.nodes else ():
                end, attribute = columns.edge_target[edge], columns.edge_attribute[edge]
                condition, flags = columns.edge_condition[edge], columns.edge_flags[edge]
                if end not in self._part.nodes:
                    continue
                if node in walked:
                    own.add(key := (node, end, attribute, condition))
                    number = self._plain(condition) if flags & self._part.excluded_flags else self._walked(key)
                elif (number := plain.get(condition, -1)) < 0:
                    number = plain[condition] = self._plain(condition)
                found.add(place[end], attribute, number, flags)
            for key in more.get(node, ()):
                if key not in own:
                    found.add(place[key[1]], key[2], *self._added(key))
            found.counts.append(len(found.target) - before)
        return found

    def _plain(self, condition: int) -> int:
        """What stands for a condition of the graph where targets are in the configuration of the command line."""
        return self._condition(self._shown(condition), self._truths[condition])

    def _walked(self, edge: EdgeKey) -> int:
        plain = self._truths[edge[3]]
        found = [walk.truth(edge, plain[at]) for walk, at in self._first]
        return self._condition(self._shown(edge[3]), self._for_all(found))

    def _for_all(self, found: Sequence[Truth]) -> tuple[Truth, ...]:
        """What is true in each scenario, of the walks that differ."""
        return tuple(map(found.__getitem__, self._of_each))

    def _more(self) -> dict[int, dict[EdgeKey, None]]:
        """The edges that were walked, by source."""
        found: dict[int, dict[EdgeKey, None]] = {}
        for walk, _ in self._first:
            for key in walk.edges:
                found.setdefault(key[0], {})[key] = None
        return found

    def _added(self, key: EdgeKey) -> tuple[int, int]:
        """Condition and flags of an edge that the graph without a configuration has not."""
        truths = self._for_all([walk.truth(key, Truth.NO) for walk, _ in self._first])
        flags = next(walk.edges[key] for walk, _ in self._first if key in walk.edges)
        possible = 0 if Truth.YES in truths else _POSSIBLE
        return self._condition(self._shown(key[3]), truths), flags & ~_POSSIBLE | possible

    def _there(self, node: int) -> int:
        """The condition of a node: the scenarios whose walk came to it."""
        met = [Truth.YES if node in walk.nodes else Truth.NO for walk, _ in self._first]
        return self._condition(ShownCondition(""), self._for_all(met))

    def _shown(self, condition: int) -> ShownCondition:
        return shown(self._part.graph.columns.conditions[condition])

    def _condition(self, condition: ShownCondition, truths: tuple[Truth, ...]) -> int:
        """The number of a condition that is true so; the words of scenarios stand for one without a text."""
        if not condition.text and Truth.NO in truths:
            words = [each for each, truth in zip(self._words, truths, strict=True) if truth is not Truth.NO]
            condition = ShownCondition(_listed(words))
        return self._conditions.intern((condition, truths))


def _listed(words: Sequence[str]) -> str:
    """``-c opt or --config=gpu``; an edge that each of them replaces has none."""
    if not words:
        return "none of these configurations"
    rest = len(words) - _MOST_WORDS
    return " or ".join(words) if rest <= 0 else f"{' or '.join(words[:_MOST_WORDS])} or {rest} more"
