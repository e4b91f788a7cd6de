"""Which selects use which setting: each branch of each ``select()`` of the packages in the graph, by its condition.

graph -> ``SelectUses``: per condition label the branches it chooses, and what they add over the other branches; and the
same for calls that nobody can evaluate, by the name of the function that is called.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Condition, Rule
from bzlgraph.bazel.selects import Branch, Select, elements
from bzlgraph.config.kinds.alias import is_alias
from bzlgraph.flags.settings.table import Chosen, UseTable
from bzlgraph.graph.columns import Interned
from bzlgraph.graph.model import DEFAULT_CONDITION
from bzlgraph.graph.selects import SelectReader
from bzlgraph.graph.view import GraphView

Item = TypeVar("Item")
_FUNCTION = re.compile(r"^[\w.]+")


@dataclass(slots=True)
class SelectUses:
    """All branches; their numbers by condition, and those of calls by function. ``aliases``: the targets that stand for
    others, by number."""

    targets: Interned[Label] = field(default_factory=Interned)
    attributes: Interned[str] = field(default_factory=Interned)
    chosen: list[Chosen] = field(default_factory=list)
    by_label: dict[Label, array[int]] = field(default_factory=dict)
    by_call: dict[str, array[int]] = field(default_factory=dict)
    aliases: set[int] = field(default_factory=set)
    table: UseTable = field(init=False)

    def __post_init__(self) -> None:
        self.table = UseTable(self.targets, self.attributes, self.chosen)

    def add(self, rule: Rule, select: Select, chosen: Iterable[tuple[Condition, int]]) -> None:
        """The branches of a select; what each chooses by number."""
        target, attribute = self.targets.intern(rule.label), self.attributes.intern(select.attribute)
        if is_alias(rule):
            self.aliases.add(target)
        for condition, number in chosen:
            if condition.label is None:
                numbers = self.by_call.setdefault(called(condition), array("i"))
            elif condition.label != DEFAULT_CONDITION:
                numbers = self.by_label.setdefault(condition.label, array("i"))
            else:
                continue
            numbers.append(len(self.table))
            self.table.target_of.append(target)
            self.table.attribute_of.append(attribute)
            self.table.part_of.append(select.part)
            self.table.chosen_of.append(number)


def select_uses(graph: GraphView, keys: Iterable[tuple[str, str]]) -> SelectUses:
    """The branches in these packages (repository, name) of a graph."""
    uses, reader, equal = SelectUses(), SelectReader(), dict[Chosen, int]()
    known: dict[int, tuple[Select, list[tuple[Condition, int]]]] = {}
    """By the identity of branches, which each select holds."""
    for key in keys:
        package = graph.packages.get(key)
        for rule in package.rules() if package is not None else ():
            for select in reader.read(rule, graph.packages[key]):
                if id(select.branches) not in known:
                    numbered = [(condition, equal.setdefault(each, len(equal))) for condition, each in _chosen(select)]
                    known[id(select.branches)] = select, numbered
                uses.add(rule, select, known[id(select.branches)][1])
    uses.chosen.extend(equal)
    return uses


def _chosen(select: Select) -> Iterator[tuple[Condition, Chosen]]:
    """What each branch of a select chooses, and each call inside of them that cannot be evaluated."""
    indexes = range(len(select.written.branches))
    groups = [[branch for branch in select.branches if branch.number == index + 1] for index in indexes]
    labels = [list(_labels(group)) for group in groups]
    texts = [] if any(labels) else [list(_texts(group)) for group in groups]
    for index, (condition, _) in enumerate(select.written.branches):
        adds, sets = _added(select, labels, index), _added(select, texts, index)
        yield condition, Chosen(select.location, tuple(adds), tuple(sets))
    for branch in select.branches:
        if len(branch.path) > 1:
            last, inside = branch.path[-1], tuple(_labels([branch]))
            texts_inside = () if inside else (each for each in elements(branch.plain) if isinstance(each, str))
            yield last.condition, Chosen(last.selector.location, inside, tuple(texts_inside))


def called(condition: Condition) -> str:
    """The name of the function that nobody can evaluate: ``if_cuda`` of ``if_cuda([...])``."""
    found = _FUNCTION.match(condition.unknown)
    return found[0] if found else condition.unknown


def _labels(branches: Iterable[Branch]) -> Iterator[Label]:
    """The dependencies in a branch, what it holds on a condition of its own included; not those of the default."""
    return (label for each in branches if each.plain is not None for value in each.values for label in value.labels)


def _texts(branches: Iterable[Branch]) -> Iterator[str]:
    """The words of a branch of an attribute without dependencies."""
    plain = (each.plain for each in branches if len(each.path) == 1)
    return (text for value in plain for text in elements(value) if isinstance(text, str))


def _added(select: Select, items: list[list[Item]], index: int) -> Iterable[Item]:
    """What a branch has and the default branch, or else any other, has not."""
    if not items or not items[index]:
        return ()
    default = [at for at, (condition, _) in enumerate(select.written.branches) if condition.label == DEFAULT_CONDITION]
    others = default or [at for at in range(len(items)) if at != index]
    without = {item for at in others for item in items[at]} if index not in default else ()
    return dict.fromkeys(item for item in items[index] if item not in without)
