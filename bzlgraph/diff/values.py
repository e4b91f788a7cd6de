"""The values of a rule's selects in one configuration: attribute and value -> there, not there, or unknown.

Only what depends on conditions is looked at: the rest is the same in every configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.conditional import walk
from bzlgraph.bazel.model import Condition, Package, Rule
from bzlgraph.bazel.selects import elements
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


def conditional_values(
    rule: Rule, package: Package, settings: Sequence[Settings], reader: SelectReader
) -> dict[ValueKey, BranchValue]:
    """Every value in any branch; one that stands in several places is there when one of them is, and so is one of a
    target that is in several configurations."""
    found: dict[ValueKey, BranchValue] = {}
    always: dict[str, set[str]] = {}
    for select in reader.read(rule, package):
        name = select.attribute
        if name not in always:
            plain = (each for path, each in walk(select.whole) if not path)
            always[name] = {text for each in plain for _, text in _items(each)}
        for branch in select.branches:
            truths = (all_of(one.truths(each.keys)[each.position] for each in branch.path) for one in settings)
            truth = max(truths, key=CERTAINTY.__getitem__)
            last = branch.path[-1]
            for label, text in _items(branch.plain):
                known = found.get((name, text))
                if text not in always[name] and (known is None or CERTAINTY[truth] > CERTAINTY[known.truth]):
                    found[name, text] = BranchValue(truth, branch.conditions, last.keys, last.selector.location, label)
    return found


def _items(value: object) -> Iterator[tuple[Label | None, str]]:
    """The elements of a plain value with their texts; nothing for what is empty or the default."""
    for item in elements(value):
        if isinstance(item, tuple) and not isinstance(item, Label):
            yield next((each for each in item if isinstance(each, Label)), None), ": ".join(map(str, item))
        else:
            yield item if isinstance(item, Label) else None, str(item)
