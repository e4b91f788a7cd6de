"""Labels that stand twice in one attribute, which Bazel refuses.

Within a plain list, within one branch, or, before Bazel 7, in two parts of a concatenation; the branches of one select
may share labels.
What comes from something unknown is a guess and never counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import parts
from bzlgraph.bazel.model import AttrType, Rule, RuleClass, Selector
from bzlgraph.facts import Facts


def duplicated_labels(rule: Rule, facts: Facts) -> Iterator[tuple[str, Label]]:
    """(attribute, label), each once, in order."""
    for name, label in _of_defaults(rule.rule_class):
        if name not in rule.values:
            yield name, label
    lists = _lists_of_labels(rule.rule_class)
    may_repeat = "scope" if rule.rule_class.name == "genquery" and facts.genquery_scope_may_repeat else None
    for name, value in rule.values.items():
        if name not in lists or not value or name == may_repeat:
            continue
        if isinstance(value, list) and len(set(value)) == len(value):
            continue
        for label in dict.fromkeys(_repeated(value, facts.duplicates_across_selects)):
            yield name, label


@cache
def _of_defaults(rule_class: RuleClass) -> tuple[tuple[str, Label], ...]:
    """As ``duplicated_labels``, of the defaults."""
    lists = ((name, rule_class.attributes[name].default) for name in _lists_of_labels(rule_class))
    return tuple((name, label) for name, value in lists if value for label in dict.fromkeys(_repeated(value, True)))


@cache
def _lists_of_labels(rule_class: RuleClass) -> frozenset[str]:
    return frozenset(name for name, each in rule_class.attributes.items() if each.type is AttrType.LABEL_LIST)


def _repeated(value: object, across: bool) -> Iterator[Label]:
    everything = [label for part in parts(value) for branch in _branches(part) for label in branch]
    if len(set(everything)) == len(everything):
        return
    seen: set[Label] = set()
    for part in parts(value):
        found: set[Label] = set()
        for branch in _branches(part):
            here: set[Label] = set()
            for label in branch:
                if label in here or label in seen:
                    yield label
                here.add(label)
            found |= here
        seen |= found if across else set()


def _branches(part: object) -> Sequence[list[Label]]:
    if isinstance(part, list):
        return (part,)
    if isinstance(part, Selector) and all(condition.label is not None for condition, _ in part.branches):
        return [branch for _, branch in part.branches if isinstance(branch, list)]
    return ()
