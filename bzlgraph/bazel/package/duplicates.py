"""Labels that stand twice in one attribute, which Bazel refuses.

Within a plain list, within one branch, or, before Bazel 7, in two parts of a concatenation; the branches of one select
may share labels.
What comes from something unknown is a guess and never counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import parts
from bzlgraph.bazel.model import AttrType, Rule, Selector
from bzlgraph.facts import Facts


def duplicated_labels(rule: Rule, facts: Facts) -> Iterator[tuple[str, Label]]:
    """(attribute, label), each once, in order."""
    attributes = rule.rule_class.attributes
    may_repeat = "scope" if rule.rule_class.name == "genquery" and facts.genquery_scope_may_repeat else None
    for name, value in rule.values.items():
        attribute = attributes.get(name)
        if attribute is None or attribute.type is not AttrType.LABEL_LIST or not value or name == may_repeat:
            continue
        if isinstance(value, list) and len(set(value)) == len(value):
            continue
        for label in dict.fromkeys(_repeated(value, facts.duplicates_across_selects)):
            yield name, label


def _repeated(value: object, across: bool) -> Iterator[Label]:
    seen: set[Label] = set()
    branches = [list(_branches(part)) for part in parts(value)]
    everything = [label for of_part in branches for branch in of_part for label in branch]
    if len(set(everything)) == len(everything):
        return
    for of_part in branches:
        found: set[Label] = set()
        for branch in of_part:
            here: set[Label] = set()
            for label in branch:
                if label in here or label in seen:
                    yield label
                here.add(label)
            found |= here
        seen |= found if across else set()


def _branches(part: object) -> Iterator[list[Label]]:
    if isinstance(part, list):
        yield part
    elif isinstance(part, Selector) and all(condition.label is not None for condition, _ in part.branches):
        yield from (branch for _, branch in part.branches if isinstance(branch, list))
