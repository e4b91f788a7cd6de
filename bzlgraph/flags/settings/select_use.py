"""Which selects use which setting: each branch of each ``select()`` of the packages in the graph, by its condition.

graph -> ``SelectUses``: per condition label the branches it chooses, and what they add over the other branches; and the
same for calls that nobody can evaluate, by the name of the function that is called.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeVar

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import parts, walk
from bzlgraph.bazel.model import Condition, Selector
from bzlgraph.bazel.selects import dependencies, elements
from bzlgraph.config.kinds.alias import ALIASES
from bzlgraph.flags.settings.package_values import ConditionalValue, PackageValues
from bzlgraph.flags.settings.table import Chosen, UseTable
from bzlgraph.graph.columns import Interned
from bzlgraph.graph.model import DEFAULT_CONDITION
from bzlgraph.graph.view import GraphView

Item = TypeVar("Item")
_FUNCTION = re.compile(r"^[\w.]+")


class NumberedBranches(NamedTuple):
    """Of each branch but the defaults of a value: the numbers of those with its condition, which part of the value it
    is of, and the number of what it chooses."""

    conditions: list[array[int]]
    parts: array[int]
    chosen: array[int]


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

    def add(self, target: int, attribute: int, branches: NumberedBranches) -> None:
        """The branches of a value of an attribute."""
        table, first = self.table, len(self.table.target_of)
        for number, same in enumerate(branches.conditions, first):
            same.append(number)
        table.target_of.extend(array("i", (target,)) * len(branches.parts))
        table.attribute_of.extend(array("i", (attribute,)) * len(branches.parts))
        table.part_of.extend(branches.parts)
        table.chosen_of.extend(branches.chosen)

    def under(self, condition: Condition) -> array[int]:
        """The numbers of the branches with a condition, which is not the default."""
        if condition.label is None:
            return self.by_call.setdefault(called(condition), array("i"))
        return self.by_label.setdefault(condition.label, array("i"))


def select_uses(graph: GraphView, keys: Iterable[tuple[str, str]]) -> SelectUses:
    """The branches in these packages (repository, name) of a graph; each is looked at when its turn comes."""
    values, numbering = PackageValues(), _Numbering()
    uses = numbering.uses
    for package in filter(None, map(graph.packages.get, keys)):
        for each in values.of(package):
            target = uses.targets.intern(Label(package.repo, package.name, each.rule))
            attribute = uses.attributes.intern(each.reading.name)
            if each.rule_class.name in ALIASES:
                uses.aliases.add(target)
            uses.add(target, attribute, numbering.of(each))
    uses.chosen.extend(numbering.equal)
    return uses


class _Numbering:
    """Gives numbers to what selects choose: each value is looked at once, though thousands of targets share it."""

    def __init__(self) -> None:
        self.uses = SelectUses()
        self.equal: dict[Chosen, int] = {}
        self._known: dict[tuple[int, int], tuple[ConditionalValue, NumberedBranches]] = {}
        """By the identities of values and readings, which are held so that no others get them."""

    def of(self, where: ConditionalValue) -> NumberedBranches:
        """The branches of a value. One that is read by its looks chooses something else for each rule."""
        if where.finder is not None:
            return self._numbered(where)
        key = id(where.value), id(where.reading)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = where, self._numbered(where)
        return found[1]

    def _numbered(self, where: ConditionalValue) -> NumberedBranches:
        found = NumberedBranches([], array("i"), array("i"))
        labels_of = partial(dependencies, reading=where.reading, finder=where.finder)
        for number, part in enumerate(parts(where.value), 1):
            for condition, chosen in _chosen(part, labels_of) if isinstance(part, Selector) else ():
                equal = self.equal.setdefault(chosen, len(self.equal))
                if condition.label != DEFAULT_CONDITION:
                    found.conditions.append(self.uses.under(condition))
                    found.parts.append(number)
                    found.chosen.append(equal)
        return found


def _chosen(written: Selector, labels_of: Callable[[object], list[Label]]) -> Iterator[tuple[Condition, Chosen]]:
    """What each branch of a select chooses, and each call inside of them that cannot be evaluated."""
    groups = [list(walk(branch)) for _, branch in written.branches]  # with the way inside to each value, mostly ()
    labels = [[label for _, plain in group for label in labels_of(plain)] for group in groups]
    direct = [] if any(labels) else [[plain for way, plain in group if not way] for group in groups]
    texts = [list(chain.from_iterable(map(_texts, group))) for group in direct]
    defaults = [at for at, (condition, _) in enumerate(written.branches) if condition.label == DEFAULT_CONDITION]
    for index, (condition, _) in enumerate(written.branches):
        adds, sets = _added(labels, index, defaults), _added(texts, index, defaults)
        yield condition, Chosen(written.location, adds, sets)
    for way, plain in chain.from_iterable(groups):
        if way:
            last, inside = way[-1], tuple(labels_of(plain))
            yield last.condition, Chosen(last.selector.location, inside, () if inside else tuple(_texts(plain)))


def called(condition: Condition) -> str:
    """The name of the function that nobody can evaluate: ``if_cuda`` of ``if_cuda([...])``."""
    found = _FUNCTION.match(condition.unknown)
    return found[0] if found else condition.unknown


def _texts(plain: object) -> Iterator[str]:
    """The words of a plain value without dependencies."""
    return (text for text in elements(plain) if isinstance(text, str))


def _added(items: list[list[Item]], index: int, defaults: list[int]) -> tuple[Item, ...]:
    """What a branch has and the default branch, or else any other, has not."""
    if not items or not items[index]:
        return ()
    if index in defaults:
        return tuple(dict.fromkeys(items[index]))
    others = defaults or [at for at in range(len(items)) if at != index]
    without = {item for at in others for item in items[at]}
    return tuple(dict.fromkeys(item for item in items[index] if item not in without))
