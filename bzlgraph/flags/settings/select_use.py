"""Which selects use which setting: each branch of each ``select()`` of the packages in the graph, by its condition.

graph -> ``SelectUses``: per condition label the branches it chooses, and what they add over the other branches; and the
same for calls that nobody can evaluate, by the name of the function that is called.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import parts
from bzlgraph.bazel.model import Condition, Selector
from bzlgraph.bazel.selects import Branch, ValueReader, elements
from bzlgraph.config.kinds.alias import ALIASES
from bzlgraph.flags.settings.package_values import ConditionalValue, PackageValues
from bzlgraph.flags.settings.table import Chosen, UseTable
from bzlgraph.graph.columns import Interned
from bzlgraph.graph.model import DEFAULT_CONDITION
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

    def add(self, target: int, attribute: int, part: int, chosen: Iterable[tuple[array[int], int]]) -> None:
        """The branches of a select: of each the numbers of those with its condition, and what it chooses by number."""
        table = self.table
        for numbers, number in chosen:
            numbers.append(len(table.target_of))
            table.target_of.append(target)
            table.attribute_of.append(attribute)
            table.part_of.append(part)
            table.chosen_of.append(number)

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
            for number, part in enumerate(parts(each.value), 1):
                if isinstance(part, Selector):
                    uses.add(target, attribute, number, numbering.of(part, each))
    uses.chosen.extend(numbering.equal)
    return uses


class _Numbering:
    """Gives numbers to what selects choose: each is looked at once, though thousands of targets share it."""

    def __init__(self) -> None:
        self.uses = SelectUses()
        self.equal: dict[Chosen, int] = {}
        self._reader = ValueReader()
        self._known: dict[int, tuple[tuple[Branch, ...], list[tuple[array[int], int]]]] = {}
        """By the identity of branches, which are held so that no others get it."""

    def of(self, part: Selector, where: ConditionalValue) -> list[tuple[array[int], int]]:
        """Of each branch but the default the numbers of those with its condition, and what it chooses, by number."""
        branches = self._reader.branches(part, where.reading, where.finder)
        found = self._known.get(id(branches))
        if found is None:
            numbered = [
                (each, self.equal.setdefault(chosen, len(self.equal))) for each, chosen in _chosen(part, branches)
            ]
            not_default = [
                (self.uses.under(each), number) for each, number in numbered if each.label != DEFAULT_CONDITION
            ]
            found = self._known[id(branches)] = branches, not_default
        return found[1]


def _chosen(written: Selector, branches: Sequence[Branch]) -> Iterator[tuple[Condition, Chosen]]:
    """What each branch of a select chooses, and each call inside of them that cannot be evaluated."""
    groups = [[branch for branch in branches if branch.number == index + 1] for index in range(len(written.branches))]
    labels = [list(_labels(group)) for group in groups]
    texts = [] if any(labels) else [list(_texts(group)) for group in groups]
    for index, (condition, _) in enumerate(written.branches):
        adds, sets = _added(written, labels, index), _added(written, texts, index)
        yield condition, Chosen(written.location, tuple(adds), tuple(sets))
    for branch in branches:
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


def _added(select: Selector, items: list[list[Item]], index: int) -> Iterable[Item]:
    """What a branch has and the default branch, or else any other, has not."""
    if not items or not items[index]:
        return ()
    default = [at for at, (condition, _) in enumerate(select.branches) if condition.label == DEFAULT_CONDITION]
    others = default or [at for at in range(len(items)) if at != index]
    without = {item for at in others for item in items[at]} if index not in default else ()
    return dict.fromkeys(item for item in items[index] if item not in without)
