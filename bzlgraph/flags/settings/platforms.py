"""Platforms and their constraint values: what ``--platforms`` decides is what a platform has.

A platform has the constraint values of its parent, changed by its own. Those of ``@platforms`` are known without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import labels_in
from bzlgraph.bazel.model import Rule
from bzlgraph.config.kinds.platform import MAX_PARENTS, shared_constraint

PLATFORM = "platform"
_VALUES = "constraint_values"

Find = Callable[[Label], Rule | None]
"""The rule of a label, behind aliases without conditions."""


def values_of(label: Label, find: Find) -> frozenset[Label] | None:
    """The constraint values of a platform; None where some may be unknown, and where it brings options, too."""
    found: dict[Label, Label] = {}
    for _ in range(MAX_PARENTS):
        rule = find(label)
        if rule is None or rule.rule_class.name != PLATFORM or rule.get("flags"):
            return None
        for each in labels_in(rule.get(_VALUES)):
            known = _constraint(each, find)
            if known is None:
                return None
            found.setdefault(*known)
        parents = list(labels_in(rule.get("parents")))
        if not parents:
            return frozenset(found.values())
        label = parents[0]
    return None


def deciding(label: Label, platforms: Mapping[Label, frozenset[Label]], find: Find) -> Iterator[Label]:
    """The platforms with which a constraint value, or all that a config_setting wants of them, holds."""
    rule = find(label)
    wants = labels_in(rule.get(_VALUES)) if rule is not None and rule.rule_class.name == "config_setting" else (label,)
    known = [_constraint(each, find) for each in wants]
    values = {value for _, value in filter(None, known)}
    if values and None not in known:
        yield from (platform for platform, has in platforms.items() if values <= has)


def _constraint(label: Label, find: Find) -> tuple[Label, Label] | None:
    """(constraint_setting, constraint_value) behind a label; None when it is unknown, or something else."""
    rule = find(label)
    if rule is None:
        return shared_constraint(label)
    setting = rule.get("constraint_setting")
    if rule.rule_class.name != "constraint_value" or not isinstance(setting, Label):
        return None
    behind = find(setting)
    return shared_constraint(rule.label) or (behind.label if behind is not None else setting, rule.label)
