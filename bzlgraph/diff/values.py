"""The values of a rule's selects in one configuration: attribute and value -> there, not there, or unknown.

Only what depends on conditions is looked at: the rest is the same in every configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.conditional import parts
from bzlgraph.bazel.model import Condition, Package, Rule, Selector
from bzlgraph.bazel.selects import Branch, elements
from bzlgraph.config.settings import Settings
from bzlgraph.config.verdict import Truth, all_of
from bzlgraph.diff.model import CERTAINTY
from bzlgraph.graph.selects import SelectReader

ValueKey = tuple[str, str]
"""An attribute and the text of a value."""


@dataclass(frozen=True, slots=True)
class BranchValue:
    """A value in a branch: whether it is there, the conditions of the branch, where its select() stands."""

    truth: Truth
    conditions: tuple[Condition, ...]
    keys: tuple[Condition, ...]
    location: Location | None
    label: Label | None


class ConditionalValues:
    """Reads the values of rules; remembers what several rules share, in whatever configuration they are read."""

    def __init__(self) -> None:
        self._reader = SelectReader()
        self._known: dict[int, tuple[tuple[Branch, ...], tuple[_ReadBranch, ...]]] = {}
        """By the identity of the branches of a select, which are held so that no other gets it."""

    def of(self, rule: Rule, package: Package, settings: Sequence[Settings]) -> dict[ValueKey, BranchValue]:
        """Every value in any branch; one that stands in several places is there when one of them is, and so is one of
        a target that is in several configurations."""
        found: dict[ValueKey, BranchValue] = {}
        always: dict[str, set[str]] = {}
        for select in self._reader.read(rule, package):
            name = select.attribute
            if name not in always:
                plain = (each for each in parts(select.whole) if not isinstance(each, Selector))
                always[name] = {text for each in plain for _, text in _items(each)}
            for branch in self._branches(select.branches):
                truth = max((branch.truth(one) for one in settings), key=CERTAINTY.__getitem__)
                for label, text in branch.items:
                    known = found.get((name, text))
                    if text not in always[name] and (known is None or CERTAINTY[truth] > CERTAINTY[known.truth]):
                        found[name, text] = BranchValue(truth, branch.conditions, *branch.last, label)
        return found

    def _branches(self, branches: tuple[Branch, ...]) -> tuple[_ReadBranch, ...]:
        known = self._known.get(id(branches))
        if known is None:
            known = self._known[id(branches)] = branches, tuple(map(_read_branch, branches))
        return known[1]


class _ReadBranch(NamedTuple):
    """A branch: the keys of each select on the way to it with the position among them, its conditions, the keys and the
    place of the innermost select, its values."""

    path: tuple[tuple[tuple[Condition, ...], int], ...]
    conditions: tuple[Condition, ...]
    last: tuple[tuple[Condition, ...], Location | None]
    items: tuple[tuple[Label | None, str], ...]

    def truth(self, settings: Settings) -> Truth:
        """Whether it is taken."""
        return all_of(settings.truths(keys)[position] for keys, position in self.path)


def _read_branch(branch: Branch) -> _ReadBranch:
    last = branch.path[-1]
    path = tuple((each.keys, each.position) for each in branch.path)
    return _ReadBranch(path, branch.conditions, (last.keys, last.selector.location), tuple(_items(branch.plain)))


def _items(value: object) -> Iterator[tuple[Label | None, str]]:
    """The elements of a plain value with their texts; nothing for what is empty or the default."""
    for item in elements(value):
        if isinstance(item, tuple) and not isinstance(item, Label):
            yield next((each for each in item if isinstance(each, Label)), None), ": ".join(map(str, item))
        else:
            yield item if isinstance(item, Label) else None, str(item)
