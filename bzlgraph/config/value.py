"""The value of an attribute in one configuration: its value with selects -> the plain value.

Mirrors ConfiguredAttributeMapper of Bazel's source: the parts of a concatenation are resolved one by one and joined;
a branch that is None stands for the default of the attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bzlgraph.base.label import Label, RepoMapping
from bzlgraph.bazel.conditional import joined, parts
from bzlgraph.bazel.model import Attribute, Condition, Rule, Selector, Target
from bzlgraph.config.choice import Choice
from bzlgraph.config.configuration import Configuration
from bzlgraph.config.verdict import Truth, Verdict
from bzlgraph.facts import Facts


class Evaluation(Protocol):
    """One configuration over one graph."""

    @property
    def configuration(self) -> Configuration:
        """What the options are set to."""

    @property
    def mapping(self) -> RepoMapping:
        """What the name of a repository means in another one, for labels that are values of options."""

    @property
    def facts(self) -> Facts:
        """What the Bazel version at hand does."""

    def target(self, label: Label) -> Target | None:
        """The target of a label, loaded when it was not; None when there is none or nobody can know."""

    def absence(self, label: Label) -> str:
        """Why a label has no target, in words."""

    def is_error(self, label: Label) -> bool:
        """Whether the absence of a target is an error of the workspace, not a gap in what we know."""

    def verdict(self, label: Label) -> Verdict:
        """Whether the condition holds."""

    def chosen_toolchains(self, kind: Label) -> tuple[tuple[Label, bool], ...]:
        """The toolchains of a type that the workspace registers and that are chosen, or may be: then not certain."""

    def truths(self, keys: tuple[Condition, ...]) -> tuple[Truth, ...]:
        """For each key of a select() whether its branch is the one."""

    def choose(
        self, keys: Sequence[Condition], values: Sequence[object] | None = None, no_match_error: str = ""
    ) -> Choice:
        """Which branch of a select() with these keys is taken."""


@dataclass(frozen=True, slots=True)
class ConfiguredValue:
    """``value`` with all that holds; ``open`` when more may hold, ``error`` what Bazel refuses it with."""

    value: object
    open: bool = False
    error: str = ""


def configured_value(rule: Rule, name: str, settings: Evaluation) -> ConfiguredValue:
    """The value of an attribute in a configuration."""
    return _resolve(rule.get(name), rule, name, settings)


def _resolve(value: object, rule: Rule, name: str, settings: Evaluation) -> ConfiguredValue:
    found = [
        select_value(part, rule, name, settings) if isinstance(part, Selector) else ConfiguredValue(part)
        for part in parts(value)
    ]
    error = next((each.error for each in found if each.error), "")
    return ConfiguredValue(joined(each.value for each in found), any(each.open for each in found), error)


def select_value(selector: Selector, rule: Rule, name: str, settings: Evaluation) -> ConfiguredValue:
    """What a select() in an attribute comes to."""
    keys = tuple(condition for condition, _ in selector.branches)
    branches = [branch for _, branch in selector.branches]
    choice = settings.choose(keys, branches, selector.no_match_error)
    taken = [branch for branch, truth in zip(branches, choice.truths, strict=True) if truth is Truth.YES]
    is_open = Truth.UNKNOWN in choice.truths
    if not taken:
        return ConfiguredValue(None, is_open, choice.error)
    if taken[0] is None:
        attribute = rule.rule_class.attributes.get(name)
        default = attribute.default if attribute is not None else None
        return ConfiguredValue(default, is_open, choice.error or _none_error(rule, attribute, settings.facts))
    found = _resolve(taken[0], rule, name, settings)
    return ConfiguredValue(found.value, is_open or found.open, choice.error or found.error)


def _none_error(rule: Rule, attribute: Attribute | None, facts: Facts) -> str:
    if attribute is None or not attribute.mandatory or facts.none_refused not in (rule.rule_class.name, "any rule"):
        return ""
    return "the select() chooses None, and the attribute is mandatory"
