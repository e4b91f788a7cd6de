"""Rules that stand for another target: alias, bind, label_flag. label -> the label behind it in a configuration.

An alias whose ``actual`` is a select() follows the branch that holds; when that is unknown, there are several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.conditional import parts
from bzlgraph.bazel.model import Rule, Selector
from bzlgraph.config.value import Evaluation
from bzlgraph.config.verdict import Truth

POINTERS = {
    "alias": "actual",
    "bind": "actual",
    "label_flag": "build_setting_default",
    "label_setting": "build_setting_default",
}
"""The attribute that names what a rule of this class stands for."""
ALIASES = frozenset({"alias", "bind"})
"""The classes whose rules are another name of a target; a label_flag is one, but has a value of its own as well."""
LABEL_SETTINGS = frozenset({"label_flag", "label_setting"})
MAX_STEPS = 100


def is_alias(rule: Rule) -> bool:
    """Whether a rule is another name of a target."""
    return rule.rule_class.name in ALIASES


def targets_of(rule: Rule, evaluation: Evaluation) -> tuple[Label, ...]:
    """What a rule of ``POINTERS`` may stand for in this configuration: one label, several when a select() is open."""
    if rule.rule_class.name in LABEL_SETTINGS:
        setting = evaluation.configuration.flag(rule.label)
        if setting is not None and setting.value is not None:
            try:
                return (parse(setting.value, rule.label.repo, rule.label.package, evaluation.mapping),)
            except LabelError:
                return ()
    value = rule.get(POINTERS[rule.rule_class.name])
    return tuple(dict.fromkeys(_labels(value, evaluation)))


def _labels(value: object, evaluation: Evaluation) -> Iterator[Label]:
    for part in parts(value):
        if isinstance(part, Label):
            yield part
        elif isinstance(part, Selector):
            truths = evaluation.truths(tuple(condition for condition, _ in part.branches))
            for (_, branch), truth in zip(part.branches, truths, strict=True):
                if truth is not Truth.NO:
                    yield from _labels(branch, evaluation)


def is_pointer(rule: Rule) -> bool:
    """Whether a rule stands for another target, as aspects see it: they are applied to what is behind a label_flag."""
    return rule.rule_class.name in POINTERS


def actual_of(label: Label, evaluation: Evaluation, passed: Callable[[Rule], bool] = is_alias) -> Label | None:
    """The label behind aliases, or all rules that are ``passed``; None when that is open, or they go in circles."""
    for _ in range(MAX_STEPS):
        rule = evaluation.target(label)
        if not isinstance(rule, Rule) or not passed(rule):
            return label
        ends = targets_of(rule, evaluation)
        if len(ends) != 1:
            return None
        label = ends[0]
    return None
