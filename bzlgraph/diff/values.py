"""What the selects of a rule come to in one configuration: attribute and value -> there, not there, or unknown.

Only what depends on conditions is looked at: the rest is the same in every configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import Condition, Rule, Selector, SelectorList
from bzlgraph.config.settings import Settings
from bzlgraph.config.verdict import Truth, all_of

_RANK = {Truth.NO: 0, Truth.UNKNOWN: 1, Truth.YES: 2}
Place = tuple[str, str]
"""An attribute and the text of a value."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value in a branch: whether it is there, the conditions of the branch, where its select() stands."""

    truth: Truth
    conditions: tuple[Condition, ...]
    keys: tuple[Condition, ...]
    location: Location | None
    label: Label | None


def conditional_values(rule: Rule, settings: Settings) -> dict[Place, Found]:
    """Every value in any branch; one that stands in several places is there when one of them is."""
    found: dict[Place, Found] = {}
    for name, value in rule.values.items():
        if isinstance(value, SelectorList):
            plain = {text for part in value.parts if not isinstance(part, Selector) for _, text in _items(part)}
            for part in value.parts:
                if isinstance(part, Selector):
                    for text, each in _of_select(part, (), (), settings):
                        known = found.get((name, text))
                        if text not in plain and (known is None or _RANK[each.truth] > _RANK[known.truth]):
                            found[name, text] = each
    return found


def _of_select(
    selector: Selector, above: tuple[Condition, ...], truths_above: tuple[Truth, ...], settings: Settings
) -> Iterator[tuple[str, Found]]:
    keys = tuple(condition for condition, _ in selector.branches)
    for (condition, value), truth in zip(selector.branches, settings.truths(keys), strict=True):
        conditions, truths = (*above, condition), (*truths_above, truth)
        parts = value.parts if isinstance(value, SelectorList) else (value,)
        for part in parts:
            if isinstance(part, Selector):
                yield from _of_select(part, conditions, truths, settings)
                continue
            for label, text in _items(part):
                yield text, Found(all_of(truths), conditions, keys, selector.location, label)


def _items(value: Any) -> Iterator[tuple[Label | None, str]]:
    """The elements of a plain value with their texts; nothing for what is empty or the default."""
    if value is None:
        return
    if isinstance(value, list | tuple) and not isinstance(value, Label):
        for item in value:
            yield item if isinstance(item, Label) else None, str(item)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            label = key if isinstance(key, Label) else item if isinstance(item, Label) else None
            yield label, f"{key}: {item}"
    else:
        yield value if isinstance(value, Label) else None, str(value)
