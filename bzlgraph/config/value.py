"""What an attribute comes to in one configuration: its value with selects -> the plain value.

Mirrors ConfiguredAttributeMapper of Bazel's source: the parts of a concatenation are resolved one by one and joined;
a branch that is None stands for the default of the attribute.
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.bazel.conditional import joined, parts
from bzlgraph.bazel.model import Rule, Selector
from bzlgraph.config.evaluation import Evaluation
from bzlgraph.config.verdict import Truth


@dataclass(frozen=True, slots=True)
class ConfiguredValue:
    """``value`` with all that holds; ``open`` when more may hold, ``error`` what Bazel refuses it with."""

    value: object
    open: bool = False
    error: str = ""


def configured_value(rule: Rule, name: str, settings: Evaluation) -> ConfiguredValue:
    """The value of an attribute in a configuration."""
    attribute = rule.rule_class.attributes.get(name)
    default = attribute.default if attribute is not None else None
    return resolve(rule.get(name), default, settings)


def resolve(value: object, default: object, settings: Evaluation) -> ConfiguredValue:
    """A value, selects and all."""
    found = [
        _of_select(part, default, settings) if isinstance(part, Selector) else ConfiguredValue(part)
        for part in parts(value)
    ]
    error = next((each.error for each in found if each.error), "")
    return ConfiguredValue(joined(each.value for each in found), any(each.open for each in found), error)


def _of_select(selector: Selector, default: object, settings: Evaluation) -> ConfiguredValue:
    keys = tuple(condition for condition, _ in selector.branches)
    branches = [branch for _, branch in selector.branches]
    choice = settings.choose(keys, branches, selector.no_match_error)
    taken = [branch for branch, truth in zip(branches, choice.truths, strict=True) if truth is Truth.YES]
    is_open = Truth.UNKNOWN in choice.truths
    if not taken:
        return ConfiguredValue(None, is_open, choice.error)
    if taken[0] is None:
        return ConfiguredValue(default, is_open, choice.error)
    found = resolve(taken[0], default, settings)
    return ConfiguredValue(found.value, is_open or found.open, choice.error or found.error)
